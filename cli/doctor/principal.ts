import type { Account } from './account';

/**
 * The principal of whoever runs the command line, whose policies can be simulated: of a session, its role.
 *
 * @throws Error for the account's root user, which has none.
 */
export async function principalOf(account: Account): Promise<string> {
  const arn = await account.callerArn();
  const resource = arn.split(':')[5] ?? '';
  if (resource === 'root') throw new Error('the root user has no policies to simulate');
  const [kind, role] = resource.split('/');
  // A session's ARN does not have the path that its role's has.
  return kind === 'assumed-role' && role !== undefined ? account.roleArn(role) : arn;
}
