import { createHash } from 'node:crypto';
import { ConfigurationError } from '../errors';

type Values = Record<string, string | undefined> | null;
type MultiValues = Record<string, string[] | undefined> | null;

interface Payload {
  headers?: Values | undefined;
  body?: string | null | undefined;
  isBase64Encoded?: boolean | undefined;
}

/**
 * A request in payload format 1.0 (API Gateway's REST APIs, and its HTTP APIs where so configured), or that of an
 * Application Load Balancer.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
 * @see https://docs.aws.amazon.com/elasticloadbalancing/latest/application/lambda-functions.html
 */
export interface ProxyEvent extends Payload {
  httpMethod: string;
  path: string;
  multiValueHeaders?: MultiValues | undefined;
  queryStringParameters?: Values | undefined;
  multiValueQueryStringParameters?: MultiValues | undefined;
  requestContext: { authorizer?: unknown; identity?: unknown; elb?: unknown };
}

/**
 * A request in payload format 2.0: API Gateway's HTTP APIs, and Function URLs.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 * @see https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html
 */
export interface ProxyEventV2 extends Payload {
  rawPath: string;
  rawQueryString: string;
  requestContext: { http: { method: string }; authorizer?: unknown };
}

/** What Lambda is given of an HTTP request; the types of `@types/aws-lambda` are of this type. */
export type HttpEvent = ProxyEvent | ProxyEventV2;

/** One request, whichever payload brought it. */
export interface HttpRequest {
  method: string;
  path: string;
  /** As the client sent it where the payload says so, else by name. */
  query: string | MultiValues;
  /** SHA-256 of the body's bytes, base64url: the same whether the payload carries them as text or as base64. */
  bodyHash: string;
  /** Every value of a header, whatever its casing. */
  header(name: string): string[];
  /** How the answer is to be written. */
  format: ResponseFormat;
}

/** Where a payload's response has its headers, and whether its status may be left out. */
export interface ResponseFormat {
  headersIn: 'headers' | 'multiValueHeaders';
  implicitStatus: boolean;
}

/** @throws ConfigurationError for what is no HTTP request in one of the four shapes. */
export function readRequest(event: HttpEvent): HttpRequest {
  const { headers, body, isBase64Encoded } = (event ?? {}) as Payload;
  const read = isV2(event) ? readV2(event) : isV1(event) ? readV1(event) : undefined;
  if (!read) throw notHttp('it has neither httpMethod and path nor requestContext.http and rawPath');
  if (typeof (body ?? '') !== 'string') throw notHttp(`its body is of type ${typeof body}`);
  const bytes = Buffer.from(body ?? '', isBase64Encoded === true ? 'base64' : 'utf8');
  return {
    header: (name) => valuesOf(name, headers),
    bodyHash: createHash('sha256').update(bytes).digest('base64url'),
    ...read,
  };
}

function isV2(event: HttpEvent): event is ProxyEventV2 {
  const { requestContext, rawPath } = (event ?? {}) as Partial<ProxyEventV2>;
  return typeof requestContext?.http?.method === 'string' && typeof rawPath === 'string';
}

function isV1(event: HttpEvent): event is ProxyEvent {
  const { httpMethod, path } = (event ?? {}) as Partial<ProxyEvent>;
  return typeof httpMethod === 'string' && typeof path === 'string';
}

function readV2({ requestContext, rawPath, rawQueryString }: ProxyEventV2) {
  return {
    method: requestContext.http.method,
    path: rawPath,
    query: rawQueryString ?? '',
    format: { headersIn: 'headers', implicitStatus: true } as const,
  };
}

function readV1(event: ProxyEvent) {
  const { multiValueHeaders, multiValueQueryStringParameters, queryStringParameters } = event;
  // A load balancer sends one of the two kinds of headers, as its target group says, and reads the answer's in the same.
  const multi = event.requestContext?.elb !== undefined && !!multiValueHeaders;
  return {
    method: event.httpMethod,
    path: event.path,
    query: multiValueQueryStringParameters ?? listed(queryStringParameters),
    format: { headersIn: multi ? 'multiValueHeaders' : 'headers', implicitStatus: false } as const,
    ...(multiValueHeaders && { header: (name: string) => valuesOf(name, multiValueHeaders) }),
  };
}

function listed(values: Values | undefined): MultiValues {
  return Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, [value ?? '']]));
}

function valuesOf(name: string, headers: Values | MultiValues | undefined): string[] {
  return Object.entries(headers ?? {}).flatMap(([header, value]) =>
    header.toLowerCase() === name ? (value ?? []) : [],
  );
}

function notHttp(why: string): ConfigurationError {
  return new ConfigurationError(
    `What the handler was given is no HTTP request of API Gateway, a Function URL or a load balancer: ${why}. Attach it to one of them, and to nothing else; the work was not run.`,
  );
}
