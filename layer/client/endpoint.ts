/** A part of AWS that is apart from the others, with names of its own. */
interface Partition {
  name: string;
  /** How the names of its regions begin. */
  regions: RegExp;
  suffix: string;
  /** Where endpoints answer by IPv6, too. */
  dualStackSuffix: string;
}

const AWS = { name: 'aws', regions: /./, suffix: 'amazonaws.com', dualStackSuffix: 'api.aws' };

// https://docs.aws.amazon.com/whitepapers/latest/aws-fault-isolation-boundaries/partitions.html
const OTHERS: Partition[] = [
  {
    name: 'aws-cn',
    regions: /^cn-/,
    suffix: 'amazonaws.com.cn',
    dualStackSuffix: 'api.amazonwebservices.com.cn',
  },
  { name: 'aws-us-gov', regions: /^us-gov-/, suffix: 'amazonaws.com', dualStackSuffix: 'api.aws' },
  {
    name: 'aws-eusc',
    regions: /^eusc-/,
    suffix: 'amazonaws.eu',
    dualStackSuffix: 'api.amazonwebservices.eu',
  },
  { name: 'aws-iso', regions: /^us-iso-/, suffix: 'c2s.ic.gov', dualStackSuffix: 'api.aws.ic.gov' },
  { name: 'aws-iso-b', regions: /^us-isob-/, suffix: 'sc2s.sgov.gov', dualStackSuffix: 'api.aws.scloud' },
  {
    name: 'aws-iso-e',
    regions: /^eu-isoe-/,
    suffix: 'cloud.adc-e.uk',
    dualStackSuffix: 'api.cloud-aws.adc-e.uk',
  },
  {
    name: 'aws-iso-f',
    regions: /^us-isof-/,
    suffix: 'csp.hci.ic.gov',
    dualStackSuffix: 'api.aws.hci.ic.gov',
  },
];

/**
 * Where DynamoDB is, as the SDK finds it: `AWS_ENDPOINT_URL_DYNAMODB` or `AWS_ENDPOINT_URL`, else by the region, with
 * `AWS_USE_FIPS_ENDPOINT` and `AWS_USE_DUALSTACK_ENDPOINT`. The endpoints by account are left out: the regional ones
 * serve every account.
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
 *
 * @throws Error where an endpoint of one's own shall also be FIPS or dual-stack.
 * @example
 * endpointOf('eu-west-1', {}).href // https://dynamodb.eu-west-1.amazonaws.com/
 */
export function endpointOf(region: string, env: NodeJS.ProcessEnv): URL {
  const fips = env.AWS_USE_FIPS_ENDPOINT === 'true';
  const dualStack = env.AWS_USE_DUALSTACK_ENDPOINT === 'true';
  const custom =
    env.AWS_IGNORE_CONFIGURED_ENDPOINT_URLS !== 'true' &&
    (env.AWS_ENDPOINT_URL_DYNAMODB || env.AWS_ENDPOINT_URL);
  if (custom && (fips || dualStack)) {
    throw new Error(
      'AWS_ENDPOINT_URL does not go with AWS_USE_FIPS_ENDPOINT or AWS_USE_DUALSTACK_ENDPOINT. Unset one of them.',
    );
  }
  if (custom) return new URL(custom);
  const { name, suffix, dualStackSuffix } = OTHERS.find(({ regions }) => regions.test(region)) ?? AWS;
  // In GovCloud the endpoints are FIPS ones under their plain names.
  const service = fips && (dualStack || name !== 'aws-us-gov') ? 'dynamodb-fips' : 'dynamodb';
  return new URL(`https://${service}.${region}.${dualStack ? dualStackSuffix : suffix}`);
}
