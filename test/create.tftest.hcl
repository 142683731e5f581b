mock_provider "aws" {}

run "t4_switched_off_with_every_option_set_creates_nothing" {
  command = plan

  variables {
    compatible_architectures     = ["arm64"]
    compatible_runtimes          = ["nodejs22.x"]
    create                       = false
    create_layer                 = true
    create_table                 = true
    keep_for_seconds             = 3600
    kms_key_arn                  = "arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"
    layer_zip                    = "no-such.zip"
    name                         = "shop"
    role_names                   = { orders = "orders-role" }
    table_arn                    = "arn:aws:dynamodb:eu-west-1:123456789012:table/shop"
    table_deletion_protection    = false
    table_name                   = "shop"
    table_point_in_time_recovery = false
    tags                         = { team = "orders" }

    queues = {
      orders = {
        batch_size           = 100
        batching_window      = 20
        event_source_mapping = true
        function_name        = "orders"
        function_timeout     = 30
        max_receive_count    = 7
        maximum_concurrency  = 2
        role_key             = "orders"
        visibility_timeout   = 900
      }
    }
  }

  assert {
    condition = 0 == sum([
      length(aws_dynamodb_table.this),
      length(aws_iam_policy.consumer),
      length(aws_iam_policy.this),
      length(aws_iam_role_policy_attachment.consumer),
      length(aws_iam_role_policy_attachment.this),
      length(aws_lambda_event_source_mapping.this),
      length(aws_lambda_layer_version.this),
      length(aws_sqs_queue.dlq),
      length(aws_sqs_queue.this),
      length(aws_sqs_queue_redrive_allow_policy.dlq),
    ])
    error_message = "Nothing is created."
  }

  assert {
    condition     = length(output.environment) == 0 && length(output.queues) == 0
    error_message = "Maps are empty."
  }

  assert {
    condition     = alltrue([for value in [output.layer_arn, output.layer_version, output.policy_arn, output.policy_json, output.table_arn, output.table_name] : value == null])
    error_message = "There is nothing to tell of."
  }
}
