/** What a client sends, before a service makes an event of it. */
export interface ClientRequest {
  method?: string;
  path?: string;
  /** As the client spells them; a list is that many lines of the header. */
  headers?: Record<string, string | string[]>;
  query?: Record<string, string[]>;
  body?: string | Uint8Array;
  /** The user, role or key that the service has established. */
  caller?: string;
}

const COMMON = { Accept: '*/*', Host: 'shop.example.com', 'User-Agent': 'curl/8.9.1' };

export function linesOf({ headers }: ClientRequest): Record<string, string[]> {
  const all: Record<string, string | string[]> = { ...COMMON, ...headers };
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, [value].flat()]));
}

export function lastOf(lines: Record<string, string[]>): Record<string, string> {
  return Object.fromEntries(Object.entries(lines).map(([name, values]) => [name, values.at(-1) as string]));
}

export function lowerCased<T>(headers: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

export function joined(lines: Record<string, string[]>, by: string): Record<string, string> {
  return Object.fromEntries(Object.entries(lines).map(([name, values]) => [name, values.join(by)]));
}

/** Bytes that are no text arrive as base64. */
export function payloadOf({ body }: ClientRequest): { body: string | undefined; isBase64Encoded: boolean } {
  if (body === undefined || typeof body === 'string') return { body, isBase64Encoded: false };
  return { body: Buffer.from(body).toString('base64'), isBase64Encoded: true };
}
