// Where one process serves several invocations at once, Lambda's runtime keeps apart what is theirs there.
interface InvokeStore {
  getXRayTraceId?(): string | undefined;
  getTraceparent?(): string | undefined;
  getTracestate?(): string | undefined;
  getBaggage?(): string | undefined;
}

/**
 * The headers by which AWS and tracers see that a request belongs to an invocation: Lambda also ends loops of functions
 * by them. The same as the SDK sends.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
 */
export function traceHeaders(): Record<string, string> {
  const { AWS_LAMBDA_FUNCTION_NAME, _X_AMZN_TRACE_ID } = process.env;
  const { awslambda } = globalThis as { awslambda?: { InvokeStore?: InvokeStore } };
  const store = awslambda?.InvokeStore;
  const traceparent = store?.getTraceparent?.();
  const headers = {
    'x-amzn-trace-id': AWS_LAMBDA_FUNCTION_NAME && (store?.getXRayTraceId?.() ?? _X_AMZN_TRACE_ID),
    traceparent,
    tracestate: traceparent && store?.getTracestate?.(),
    baggage: traceparent && store?.getBaggage?.(),
  };
  return Object.fromEntries(
    Object.entries(headers).filter((header): header is [string, string] => !!header[1]),
  );
}
