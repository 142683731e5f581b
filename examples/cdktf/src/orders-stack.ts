import { join } from 'node:path';
import type { Construct } from 'constructs';
import { Fn, Lazy, TerraformAsset, TerraformOutput, TerraformStack, TerraformVariable } from '#cdk';
import { AwsProvider, AwsResource } from './aws.ts';
import { Idempotency } from './idempotency.ts';

const FUNCTION_TIMEOUT_SECONDS = 30;

/** A queue of orders, and the function that handles each of them once. */
export class OrdersStack extends TerraformStack {
  constructor(scope: Construct, id: string, options: { source?: string } = {}) {
    super(scope, id);
    new AwsProvider(this, 'aws');
    const keepTable = new TerraformVariable(this, 'keep_table', {
      description: 'Whether the table refuses to be deleted.',
      type: 'bool',
      default: true,
    });

    const role = new AwsResource(this, 'role', 'aws_iam_role', {
      name: 'orders-handler',
      assume_role_policy: Fn.jsonencode({
        Version: '2012-10-17',
        Statement: [
          { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } },
        ],
      }),
    });
    new AwsResource(this, 'logging', 'aws_iam_role_policy_attachment', {
      policy_arn: 'arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole',
      role: role.getStringAttribute('name'),
    });

    const idempotency = new Idempotency(this, 'idempotency', {
      ...options,
      name: 'orders',
      roleNames: { handler: role.getStringAttribute('name') },
      tableDeletionProtection: keepTable.booleanValue,
      queues: {
        incoming: {
          // The function is below, since it takes the layer from here. Terraform knows which of the two is first where.
          functionName: Lazy.stringValue({ produce: () => handler.getStringAttribute('function_name') }),
          functionTimeout: FUNCTION_TIMEOUT_SECONDS,
        },
      },
    });

    const zip = new TerraformAsset(this, 'zip', {
      path: join(import.meta.dirname, '../dist/handle-orders.zip'),
    });
    const handler: AwsResource = new AwsResource(this, 'handler', 'aws_lambda_function', {
      environment: { variables: idempotency.environment },
      filename: zip.path,
      function_name: 'orders-handler',
      handler: 'handle-orders.handler',
      layers: [idempotency.layerArn],
      role: role.getStringAttribute('arn'),
      runtime: 'nodejs22.x',
      source_code_hash: Fn.filebase64sha256(zip.path),
      timeout: FUNCTION_TIMEOUT_SECONDS,
    });

    new TerraformOutput(this, 'queue_url', { value: idempotency.queues.incoming.url });
    new TerraformOutput(this, 'dlq_url', { value: idempotency.queues.incoming.dlqUrl });
    new TerraformOutput(this, 'table_name', { value: idempotency.tableName });
  }
}
