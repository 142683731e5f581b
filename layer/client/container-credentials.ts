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
      const last = { credentials, endsAt };
      // Until there is an answer, nobody else needs to ask.
      endsAt = Number.POSITIVE_INFINITY;
      credentials = ask(env).then(
        ({ AccessKeyId, SecretAccessKey, Token, Expiration }) => {
          endsAt = Date.parse(Expiration);
          return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: Token };
        },
        (error) => {
          endsAt = last.endsAt;
          if (last.credentials !== undefined && Date.now() < last.endsAt) return last.credentials;
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
      return checked((await response.json()) as Partial<Answer> | null);
    } catch (error) {
      if (tries === TRIES)
        throw refused(`${url.origin}${url.pathname} gave none: ${reasonOf(error as Error)}`);
    }
  }
}

/** Of what is not our own only the name or code, since a message may quote the token or the answer. */
function reasonOf({ name, message, cause }: Error): string {
  return name === 'Error' ? message : ((cause as NodeJS.ErrnoException | undefined)?.code ?? name);
}

function checked(answer: Partial<Answer> | null): Answer {
  const isWhole = ['AccessKeyId', 'SecretAccessKey', 'Token'].every((name) => answer?.[name as keyof Answer]);
  if (isWhole && !Number.isNaN(Date.parse(answer?.Expiration ?? ''))) return answer as Answer;
  throw new Error('its answer has no AccessKeyId, SecretAccessKey, Token or Expiration');
}

function endpointOf(env: NodeJS.ProcessEnv): URL {
  const { AWS_CONTAINER_CREDENTIALS_FULL_URI: full, AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: relative } = env;
  if (!full && !relative) {
    throw refused(
      'there are none in the environment. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or pass a client of your own, which may find them elsewhere',
    );
  }
  const uri = relative ? `http://169.254.170.2${relative}` : (full as string);
  if (!URL.canParse(uri)) throw refused('AWS_CONTAINER_CREDENTIALS_FULL_URI is no URL. Correct it');
  const url = new URL(uri);
  if (url.protocol === 'https:' || HOSTS.includes(url.hostname) || /^127(\.\d+){3}$/.test(url.hostname))
    return url;
  throw refused(
    `AWS_CONTAINER_CREDENTIALS_FULL_URI has the host ${url.hostname}, which must be asked by https. Correct it`,
  );
}

async function tokenOf(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file, AWS_CONTAINER_AUTHORIZATION_TOKEN: token } = env;
  if (!file) return token;
  try {
    const { readFile } = await import('node:fs/promises');
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw refused(`AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE names ${file}, which cannot be read (${code})`);
  }
}

function refused(reason: string): Error {
  return Object.assign(new Error(`No credentials: ${reason}.`), { name: 'CredentialsProviderError' });
}
