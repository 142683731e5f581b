/** A loopback proxy between a client and DynamoDB that loses requests or responses, or throttles, as it is told to. */
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * `lost-request`: the connection breaks and the service hears nothing. `lost-response`: the service has answered, so
 * that a write has had its effect, and then the connection breaks. `throttled`: DynamoDB's answer when it is too much.
 */
export type Fate = 'answered' | 'lost-request' | 'lost-response' | 'throttled';

const THROTTLING = JSON.stringify({
  __type: 'com.amazonaws.dynamodb.v20120810#ThrottlingException',
  message: 'Rate exceeded',
});

export interface FaultyProxy {
  endpoint: string;
  /** How many requests have met each fate so far. */
  counts: Record<Fate, number>;
  stop(): Promise<void>;
}

/**
 * @param upstream URL of the service.
 * @param fateOf Decides over the nth request, counted from 0.
 * @example
 * const proxy = await startFaultyProxy(emulator.endpoint, (n) => (n === 0 ? 'lost-response' : 'answered'))
 */
export async function startFaultyProxy(upstream: string, fateOf: (n: number) => Fate): Promise<FaultyProxy> {
  const agent = new Agent({ keepAlive: true });
  const counts = { answered: 0, 'lost-request': 0, 'lost-response': 0, throttled: 0 };
  let requests = 0;

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const fate = fateOf(requests++);
    // Heard to the end before anything else, so that a sender killed in the middle has sent nothing.
    const body = await bytesOf(incoming);
    if (fate === 'throttled') {
      outgoing.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(THROTTLING);
    } else if (fate !== 'lost-request') {
      const response = await forward(incoming, body);
      const answer = await bytesOf(response);
      if (fate === 'answered')
        outgoing.writeHead(response.statusCode as number, response.headers).end(answer);
    }
    counts[fate]++;
    if (fate === 'lost-request' || fate === 'lost-response') incoming.socket.destroy();
  }

  async function forward({ url, method, headers }: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    const forwarded = request(new URL(url as string, upstream), { method, headers, agent } as object);
    forwarded.end(body);
    const [response] = await once(forwarded, 'response');
    return response;
  }

  const server = createServer((incoming, outgoing) => {
    // A sender that is gone, or a service that is: either way nobody gets an answer.
    serve(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    async stop() {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}
