import { isAbsolute, join, relative, resolve } from 'node:path';
import type { Construct } from 'constructs';
import {
  App,
  type ITerraformDependable,
  Manifest,
  propertyAccess,
  TerraformHclModule,
  type TerraformModuleProvider,
  type TerraformProvider,
  TerraformStack,
  Token,
} from '#cdk';
import { type IdempotencyInputs, snakeCase, variablesOf } from './inputs.ts';

/** The release of the module that these types belong to. */
export const MODULE = 'git::https://example.com/terraform-aws-idempotency.git?ref=v0.1.0';

export interface IdempotencyProps<
  FunctionKey extends string = never,
  QueueKey extends string = never,
  ExistingQueueKey extends string = never,
  StreamKey extends string = never,
> extends IdempotencyInputs<FunctionKey, QueueKey, ExistingQueueKey, StreamKey> {
  /**
   * Where Terraform finds the module: any source that it knows, or a folder, relative to the current one or absolute. A
   * folder is used where it is, not copied into the output. Default: {@link MODULE}.
   */
  source?: string;
  /** Where it is not the default AWS provider of the stack. */
  providers?: (TerraformProvider | TerraformModuleProvider)[];
  dependsOn?: ITerraformDependable[];
}

/**
 * The module in a stack: the table, the layer, the permissions and the queues that make a retried event harmless. Its
 * outputs are tokens, and those of a queue are there under the keys that `queues` has.
 *
 * @example
 * const idempotency = new Idempotency(this, 'idempotency', {
 *   name: 'orders',
 *   roleNames: { orders: role.name },
 *   queues: { orders: { functionTimeout: 30 } },
 * });
 * idempotency.environment;
 * idempotency.queues.orders.url;
 */
export class Idempotency<
  FunctionKey extends string = never,
  QueueKey extends string = never,
  ExistingQueueKey extends string = never,
  StreamKey extends string = never,
> extends TerraformHclModule {
  /** What the layer reads from the function's environment. Empty where `functions` is set. */
  readonly environment = Token.asStringMap(this.interpolationForOutput('environment'));
  /** Null where no layer is made, as are the next one's. */
  readonly layerArn = this.getString('layer_arn');
  readonly layerVersion = this.getString('layer_version');
  /** Null where `functions` is set, as is the next one. */
  readonly policyArn = this.getString('policy_arn');
  readonly policyJson = this.getString('policy_json');
  readonly tableArn = this.getString('table_arn');
  readonly tableName = this.getString('table_name');
  readonly functions: Record<FunctionKey, FunctionOutputs>;
  readonly queues: Record<QueueKey, QueueOutputs>;
  readonly queueSettings: Record<ExistingQueueKey, QueueSettings>;
  readonly streams: Record<StreamKey, StreamOutputs>;

  constructor(
    scope: Construct,
    id: string,
    props: IdempotencyProps<FunctionKey, QueueKey, ExistingQueueKey, StreamKey>,
  ) {
    const { source = MODULE, providers, dependsOn, ...inputs } = props;
    super(scope, id, {
      source: isFolder(source) ? fromStack(TerraformStack.of(scope), source) : source,
      // Else the folder with all that is in it, node_modules and .git as well, is copied into the output.
      skipAssetCreationFromLocalModules: true,
      variables: variablesOf(inputs),
      ...(providers && { providers }),
      ...(dependsOn && { dependsOn }),
    });

    this.functions = this.outputs('functions', props.functions, {
      environment: Token.asStringMap,
      policyArn: Token.asString,
      policyJson: Token.asString,
    });
    this.queues = this.outputs('queues', props.queues, {
      arn: Token.asString,
      dlqArn: Token.asString,
      dlqName: Token.asString,
      dlqUrl: Token.asString,
      eventSourceMappingUuid: Token.asString,
      name: Token.asString,
      url: Token.asString,
      visibilityTimeout: Token.asNumber,
    });
    this.queueSettings = this.outputs('queue_settings', props.existingQueues, {
      dlqMessageRetentionSeconds: Token.asNumber,
      functionResponseTypes: Token.asList,
      maxReceiveCount: Token.asNumber,
      receiveWaitTimeSeconds: Token.asNumber,
      visibilityTimeoutSeconds: Token.asNumber,
    });
    this.streams = this.outputs('streams', props.streams, { eventSourceMappingUuid: Token.asString });
  }

  /** The tokens of an output that is by key: of each key, the attributes that `as` names. */
  private outputs<Key extends string, Outputs>(
    output: string,
    keyed: Record<Key, unknown> | undefined,
    as: { [Name in keyof Outputs]: (reference: unknown) => Outputs[Name] },
  ): Record<Key, Outputs> {
    const attributes = Object.entries<(reference: unknown) => unknown>(as);
    const ofKey = (key: string) =>
      Object.fromEntries(
        attributes.map(([name, token]) => [
          name,
          token.call(Token, propertyAccess(this.get(output), [key, snakeCase(name)])),
        ]),
      );
    return Object.fromEntries(Object.keys(keyed ?? {}).map((key) => [key, ofKey(key)])) as Record<
      Key,
      Outputs
    >;
  }
}

export interface FunctionOutputs {
  environment: Record<string, string>;
  policyArn: string;
  policyJson: string;
}

export interface QueueOutputs {
  arn: string;
  dlqArn: string;
  dlqName: string;
  dlqUrl: string;
  /** Null where no function is named. */
  eventSourceMappingUuid: string;
  name: string;
  url: string;
  /** Seconds. */
  visibilityTimeout: number;
}

/** Settings for a queue of your own that fit its function. */
export interface QueueSettings {
  /** For the dead-letter queue. */
  dlqMessageRetentionSeconds: number;
  /** For the event source mapping. */
  functionResponseTypes: string[];
  maxReceiveCount: number;
  receiveWaitTimeSeconds: number;
  visibilityTimeoutSeconds: number;
}

export interface StreamOutputs {
  eventSourceMappingUuid: string;
}

const isFolder = (source: string) => /^\.\.?([/\\]|$)/.test(source) || isAbsolute(source);

/** The path of a folder from where Terraform runs, which is where the stack is written to. */
function fromStack(stack: TerraformStack, folder: string): string {
  const output = join(App.of(stack).outdir, Manifest.stacksFolder, stack.node.id);
  return relative(output, resolve(folder)).replaceAll('\\', '/');
}
