/**
 * Asks the function for a transfer and prints the answer: `caller.ts <function> <transfer's id> <amount in cents>`. It
 * waits four seconds, less than the bank takes, and the SDK asks again.
 */
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';

const [, , functionName = '', id = '', amount = ''] = process.argv;
if (!functionName || !id || !/^\d+$/.test(amount)) {
  console.error(
    `The arguments are ${JSON.stringify(process.argv.slice(2))}, but they must be the function's name, the transfer's id and its amount in cents, for instance: sdk-caller-transfer 1042 1250`,
  );
  process.exit(2);
}

const lambda = new LambdaClient({
  // All tries together must wait for longer than the function takes, or the caller gives up without an answer.
  maxAttempts: 3,
  // By itself, requestTimeout only warns.
  requestHandler: { requestTimeout: 4_000, throwOnRequestTimeout: true },
});
const { Payload, FunctionError, $metadata } = await lambda.send(
  new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify({ id, amount: Number(amount) }) }),
);
const answer = JSON.parse(Payload?.transformToString() ?? 'null');
console.log(JSON.stringify({ answer, tries: $metadata.attempts }));
if (FunctionError !== undefined) process.exitCode = 1;
