import type { Readable } from 'node:stream';
import type { HttpResponse } from '@smithy/core/protocols';

/**
 * What DynamoDB has answered, in its typed JSON as it was sent: bytes stay text in base64.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.LowLevelAPI.html
 *
 * @throws Error with DynamoDB's name for it, and with what the SDK's retries look at.
 */
export async function answerOf(response: HttpResponse): Promise<{ $metadata: object }> {
  const $metadata = { httpStatusCode: response.statusCode, requestId: response.headers['x-amzn-requestid'] };
  try {
    const body = await textOf(response.body);
    const answer = body === '' ? {} : JSON.parse(body);
    if (response.statusCode >= 300) throw errorOf(answer, response.statusCode);
    return { ...answer, $metadata };
  } catch (error) {
    // Not enumerable, so that no log prints the headers.
    Object.defineProperty(error, '$response', { value: response });
    throw Object.assign(error as Error, { $metadata });
  }
}

/** By events, since iterating over a stream takes as much CPU as the rest of reading an answer. */
function textOf(body: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    body.setEncoding('utf8');
    body.on('data', (part: string) => {
      text += part;
    });
    body.on('end', () => resolve(text));
    body.on('error', reject);
    // As a connection that was reset, which is tried again.
    body.on('close', () =>
      reject(Object.assign(new Error('The answer is not whole'), { code: 'ECONNRESET' })),
    );
  });
}

interface Failure {
  /** `com.amazonaws.dynamodb.v20120810#ThrottlingException` */
  __type?: string;
  message?: string;
  /** Some of its errors. */
  Message?: string;
  /** Of ConditionalCheckFailedException. */
  Item?: unknown;
  /** Of TransactionCanceledException. */
  CancellationReasons?: unknown;
}

function errorOf(
  { __type = '', message, Message, Item, CancellationReasons }: Failure,
  status: number,
): Error {
  const name = __type.split('#').at(-1) || 'Unknown';
  return Object.assign(new Error(message ?? Message ?? `HTTP ${status}`), {
    name,
    $fault: status >= 500 ? 'server' : 'client',
    ...(name === 'ReplicatedWriteConflictException' && { $retryable: {} }),
    ...(Item !== undefined && { Item }),
    ...(CancellationReasons !== undefined && { CancellationReasons }),
  });
}
