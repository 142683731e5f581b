import type { ResponseFormat } from './http-request';

/** A response that every payload format takes; the result types of `@types/aws-lambda` take it, too. */
export interface HttpResponse {
  statusCode: number;
  headers?: Record<string, string>;
  multiValueHeaders?: Record<string, string[]>;
  body: string;
  isBase64Encoded?: boolean;
}

/**
 * What the work answered, as a response. With payload format 2.0 a handler may leave the response out and answer its
 * body only; what API Gateway makes of it is made here, so that a replay has somewhere to say that it is one.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function asResponse<R>(answer: R, format: ResponseFormat): R | HttpResponse {
  if (!format.implicitStatus || hasStatus(answer)) return answer;
  return {
    statusCode: 200,
    headers: { 'content-type': 'application/json' },
    body: typeof answer === 'string' ? answer : JSON.stringify(answer ?? null),
    isBase64Encoded: false,
  };
}

/** The stored response, with a header that says so. What is no response at all stays the same mistake that it was. */
export function asReplay<R>(answer: R, format: ResponseFormat): R | HttpResponse {
  const response = asResponse(answer, format);
  return hasStatus(response) ? withHeader(response, format, 'Idempotent-Replayed', 'true') : response;
}

/** A response of `httpHandler` itself. */
export function ownResponse(
  statusCode: number,
  headers: Record<string, string>,
  body: string,
  format: ResponseFormat,
): HttpResponse {
  const response = { statusCode, body, isBase64Encoded: false };
  return Object.entries(headers).reduce(
    (written, [name, value]) => withHeader(written, format, name, value),
    response,
  );
}

/** 200 where the answer leaves it out. */
export function statusOf(answer: unknown): number {
  return hasStatus(answer) ? Number(answer.statusCode) : 200;
}

function hasStatus(answer: unknown): answer is { statusCode: unknown } {
  return typeof answer === 'object' && answer !== null && 'statusCode' in answer;
}

function withHeader<R extends object>(
  response: R & { headers?: object; multiValueHeaders?: object },
  { headersIn }: ResponseFormat,
  name: string,
  value: string,
): R {
  return {
    ...response,
    [headersIn]: { ...response[headersIn], [name]: headersIn === 'headers' ? value : [value] },
  };
}
