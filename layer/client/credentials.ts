import { containerCredentials } from './container-credentials';
import type { Credentials } from './signature';

/**
 * Lambda's credentials: those in the environment, or else from the endpoint that it names. Files, profiles and sign-ins
 * are for a client of the caller's own.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 *
 * @throws Error called CredentialsProviderError, with each request, where there are none.
 */
export function credentialsOf(env: NodeJS.ProcessEnv): () => Promise<Credentials> {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN } = env;
  if (accessKeyId && secretAccessKey) {
    const credentials = {
      accessKeyId,
      secretAccessKey,
      ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
    };
    return async () => credentials;
  }
  return containerCredentials(env);
}
