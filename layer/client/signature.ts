import { createHash, createHmac } from 'node:crypto';

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/**
 * The headers that sign a request to DynamoDB, whose path is never encoded and has no query.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 *
 * @param headers Those to be sent, with names in lower case; `host` among them.
 * @example
 * signature('eu-west-1', credentials, '/', { host: 'dynamodb.eu-west-1.amazonaws.com' }, '{}', new Date())
 */
export function signature(
  region: string,
  { accessKeyId, secretAccessKey, sessionToken }: Credentials,
  path: string,
  headers: Record<string, string>,
  body: string,
  date: Date,
): Record<string, string> {
  const time = date.toISOString().replace(/[-:]|\.\d+/g, '');
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/dynamodb/aws4_request`;
  const bodyHash = sha256(body);
  const added = {
    'x-amz-content-sha256': bodyHash,
    'x-amz-date': time,
    ...(sessionToken && { 'x-amz-security-token': sessionToken }),
  };
  const signed = Object.entries({ ...headers, ...added })
    .filter(([name]) => SIGNED.test(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const names = signed.map(([name]) => name).join(';');
  const lines = signed.map(([name, value]) => `${name}:${value.trim().replace(/\s+/g, ' ')}\n`).join('');
  const canonical = `POST\n${path}\n\n${lines}\n${names}\n${bodyHash}`;
  const toSign = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical)}`;
  const key = signingKey(secretAccessKey, day, region);
  const proof = createHmac('sha256', key).update(toSign).digest('hex');
  return {
    ...added,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${proof}`,
  };
}

// Tracers (X-Ray, OpenTelemetry) put headers of their own in place of others after the request has been signed.
const SIGNED = /^(host$|content-type$|x-amz-)/;

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

let last = { secret: '', day: '', region: '', key: Buffer.alloc(0) };

/** The same for a day, and four of the five keyed hashes of a signature. */
function signingKey(secret: string, day: string, region: string): Buffer {
  if (secret !== last.secret || day !== last.day || region !== last.region) {
    const steps = [day, region, 'dynamodb', 'aws4_request'];
    const hmac = (key: Buffer, step: string) => createHmac('sha256', key).update(step).digest();
    last = { secret, day, region, key: steps.reduce(hmac, Buffer.from(`AWS4${secret}`)) };
  }
  return last.key;
}
