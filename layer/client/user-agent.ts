/**
 * Who asks, for CloudTrail's data events and AWS's support; `AWS_SDK_UA_APP_ID` names the application.
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-appid.html
 *
 * @example
 * userAgentOf(process.env) // terraform-aws-idempotency lang/js md/nodejs#22.11.0 exec-env/AWS_Lambda_nodejs22.x
 */
export function userAgentOf({ AWS_EXECUTION_ENV, AWS_SDK_UA_APP_ID }: NodeJS.ProcessEnv): string {
  const parts = ['terraform-aws-idempotency', 'lang/js', `md/nodejs#${process.versions.node}`];
  if (AWS_EXECUTION_ENV) parts.push(`exec-env/${asToken(AWS_EXECUTION_ENV)}`);
  if (AWS_SDK_UA_APP_ID) parts.push(`app/${asToken(AWS_SDK_UA_APP_ID)}`);
  return parts.join(' ');
}

// https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2
const asToken = (text: string) => text.replace(/[^\w!$%&'*+.^`|~-]/g, '-');
