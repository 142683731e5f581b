import type { EvaluationResult } from '@aws-sdk/client-iam';
import type { Account, Simulation } from './account';
import { asked, type Cure, type Finding, failed, passed, unchecked } from './finding';

/** Whether a principal may do all of that, by simulation of its policies; `cureOf` is given the actions that it may not. */
export function simulated(
  account: Account,
  check: string,
  simulation: Simulation,
  cureOf: (denied: string[]) => Cure,
): Promise<Finding[]> {
  const { principalArn, actions, resourceArn } = simulation;
  const named = { check, subject: principalArn };
  return asked(
    named,
    'iam:SimulatePrincipalPolicy',
    () => account.simulate(simulation),
    (results) => {
      const unknown = actions.filter((action) => !results.some((each) => each.EvalActionName === action));
      if (unknown.length > 0) {
        const detail = `not checked: the simulation is silent on ${unknown.join(', ')}`;
        return [unchecked(named, detail, 'Look into its policies by yourself.')];
      }
      const denied = results.filter(({ EvalDecision }) => EvalDecision !== 'allowed');
      if (denied.length === 0) return [passed(named, `may ${actions.join(', ')} on ${resourceArn}`)];
      const cure = cureOf(denied.map(({ EvalActionName }) => String(EvalActionName)));
      return [
        failed(named, `may not ${denied.map(nameOf).join(', ')} on ${resourceArn}`, {
          ...cure,
          // What is denied, no other policy can allow.
          fix: denied.some(isDenied) ? `Take away what denies it. ${cure.fix}` : cure.fix,
        }),
      ];
    },
  );
}

const isDenied = ({ EvalDecision }: EvaluationResult) => EvalDecision === 'explicitDeny';

function nameOf(result: EvaluationResult): string {
  return `${result.EvalActionName}${isDenied(result) ? ' (explicitly denied)' : ''}`;
}

/** A statement of a policy, for `aws_iam_policy_document`. */
export function statement(actions: string[], resource: string): string {
  return `statement {\n  actions   = ${JSON.stringify(actions).replaceAll(',', ', ')}\n  resources = [${resource}]\n}`;
}
