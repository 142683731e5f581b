import { readFile } from 'node:fs/promises';
import type { Credentials } from './signature';

// ECS and EKS; what is not theirs, nor this machine's, must be asked by TLS.
const HOSTS = ['169.254.170.2', '169.254.170.23', '[fd00:ec2::23]', 'localhost', '[::1]'];

const TIMEOUT_MILLISECONDS = 1000;
const TRIES = 4;

const MINUTES = 60_000;

/**
 * Credentials from the endpoint that `AWS_CONTAINER_CREDENTIALS_FULL_URI` or `…_RELATIVE_URI` names, asked for anew
 * five minutes before they expire.
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html
 *
 * @throws Error called CredentialsProviderError, with each request, where there is no endpoint or no answer.
 */
export function containerCredentials(env: NodeJS.ProcessEnv): () => Promise<Credentials> {
  let credentials: Promise<Credentials> | undefined;
  let endsAt = 0;
  return () => {
    if (credentials === undefined || Date.now() > endsAt - 5 * MINUTES) {
      // Until there is an answer, nobody else needs to ask.
      endsAt = Number.POSITIVE_INFINITY;
      credentials = ask(env).then(
        ({ AccessKeyId, SecretAccessKey, Token, Expiration }) => {
          endsAt = Date.parse(Expiration);
          return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: Token };
        },
        (error) => {
          endsAt = 0;
          throw error;
        },
      );
    }
    return credentials;
  };
}

interface Answer {
  AccessKeyId: string;
  SecretAccessKey: string;
  Token: string;
  Expiration: string;
}

async function ask(env: NodeJS.ProcessEnv): Promise<Answer> {
  const url = endpointOf(env);
  const authorization = await tokenOf(env);
  for (let tries = 1; ; tries++) {
    try {
      const response = await fetch(url, {
        headers: authorization === undefined ? {} : { authorization },
        signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
      });
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      return (await response.json()) as Answer;
    } catch (error) {
      if (tries === TRIES) throw refused(`${url} gave no credentials: ${(error as Error).message}`);
    }
  }
}

function endpointOf(env: NodeJS.ProcessEnv): URL {
  const { AWS_CONTAINER_CREDENTIALS_FULL_URI: full, AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: relative } = env;
  if (!full && !relative) {
    throw refused(
      'there are none in the environment. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or pass a client of your own, which may find them elsewhere',
    );
  }
  const url = new URL(relative ? `http://169.254.170.2${relative}` : (full as string));
  if (url.protocol === 'https:' || HOSTS.includes(url.hostname) || /^127(\.\d+){3}$/.test(url.hostname))
    return url;
  throw refused(
    `AWS_CONTAINER_CREDENTIALS_FULL_URI has the host ${url.hostname}, which must be asked by https. Correct it`,
  );
}

async function tokenOf(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file, AWS_CONTAINER_AUTHORIZATION_TOKEN: token } = env;
  return file ? (await readFile(file, 'utf8')).trim() : token;
}

function refused(reason: string): Error {
  return Object.assign(new Error(`No credentials: ${reason}.`), { name: 'CredentialsProviderError' });
}
