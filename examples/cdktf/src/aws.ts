import type { Construct } from 'constructs';
import { TerraformProvider, TerraformResource } from '#cdk';

const provider = { providerName: 'aws', providerVersionConstraint: '>= 5.100' };

/** The AWS provider, set up by the environment, as the AWS command line is. */
export class AwsProvider extends TerraformProvider {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      terraformResourceType: 'aws',
      terraformGeneratorMetadata: provider,
      terraformProviderSource: 'hashicorp/aws',
    });
  }
}

/**
 * A resource of the AWS provider, its arguments under Terraform's names. That is all this example needs; in a project of
 * your own use the provider's bindings, which are 480 MB.
 *
 * @example
 * new AwsResource(this, 'outbox', 'aws_sqs_queue', { name: 'outbox' }).getStringAttribute('url');
 */
export class AwsResource extends TerraformResource {
  readonly #arguments: Record<string, unknown>;

  constructor(scope: Construct, id: string, type: string, args: Record<string, unknown>) {
    super(scope, id, { terraformResourceType: type, terraformGeneratorMetadata: provider });
    this.#arguments = args;
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return this.#arguments;
  }
}
