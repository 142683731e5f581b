/**
 * DynamoDB's typed JSON of an input whose attribute values hold bytes as such; they are sent in base64.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.LowLevelAPI.html
 */
export const requestBody = (input: object): string => JSON.stringify(input, bytesAsText);

// A Buffer's own toJSON comes first: what it was is only seen in its holder.
function bytesAsText(this: Record<string, unknown>, name: string, value: unknown): unknown {
  const member = this[name];
  return member instanceof Uint8Array ? Buffer.from(member).toString('base64') : value;
}
