mock_provider "aws" {}

run "t4_switched_off_with_every_option_set_creates_nothing" {
  command = plan

  variables {
    alarms                       = { topic_arns = ["arn:aws:sns:eu-west-1:123456789012:on-call"] }
    compatible_architectures     = ["arm64"]
    compatible_runtimes          = ["nodejs22.x"]
    create                       = false
    create_layer                 = true
    create_table                 = true
    dashboard                    = true
    functions                    = { orders = { key_prefix = "orders#" } }
    keep_for_seconds             = 7200
    kms_key_arn                  = "arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"
    layer_permissions            = { partner = { account_id = "123456789012" } }
    layer_zip                    = "no-such.zip"
    metrics                      = { namespace = "Shop" }
    name                         = "shop"
    policy_path                  = "/shop/"
    role_names                   = { orders = "orders-role" }
    table_arn                    = "arn:aws:dynamodb:eu-west-1:123456789012:table/shop"
    table_class                  = "STANDARD_INFREQUENT_ACCESS"
    table_deletion_protection    = false
    table_kms_key_arn            = "arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"
    table_maximum_throughput     = { read = 100, write = 100 }
    table_name                   = "shop"
    table_point_in_time_recovery = false
    table_recovery_period_days   = 7
    table_replicas               = { eu-central-1 = { kms_key_arn = "arn:aws:kms:eu-central-1:123456789012:key/5678abcd-12ab-34cd-56ef-1234567890ab", point_in_time_recovery = true } }
    table_resource_policy        = { json = "{}" }
    tags                         = { team = "orders" }

    async_functions = {
      mail = {
        function_name          = "mail"
        maximum_event_age      = 3600
        maximum_retry_attempts = 1
        on_failure             = { arn = "arn:aws:sns:eu-west-1:123456789012:failed", kms_key_arn = "arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab" }
        qualifier              = "live"
        role_key               = "orders"
      }
    }

    existing_queues = {
      old = { batching_window = 1, function_timeout = 30, visibility_timeout = 30 }
    }

    queues = {
      orders = {
        batch_size           = 100
        batching_window      = 20
        event_source_mapping = true
        filter_patterns      = ["{}"]
        function_name        = "orders"
        function_timeout     = 30
        max_receive_count    = 7
        maximum_concurrency  = 2
        metrics              = true
        redrive_allow        = true
        role_key             = "orders"
        senders              = { topic = { service = "sns.amazonaws.com", source_arn = "arn:aws:sns:eu-west-1:123456789012:orders" } }
        tls_only             = true
        visibility_timeout   = 900
      }
      refunds = {
        content_based_deduplication = true
        fifo                        = true
        function_timeout            = 30
        high_throughput             = true
      }
    }

    streams = {
      ledger = {
        batch_size             = 10
        batching_window        = 5
        bisect_batch           = false
        event_source_arn       = "arn:aws:kinesis:eu-west-1:123456789012:stream/payments"
        filter_patterns        = ["{}"]
        function_name          = "ledger"
        kms_key_arn            = "arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"
        maximum_record_age     = 3600
        maximum_retry_attempts = 1
        metrics                = true
        on_failure             = { arn = "arn:aws:sqs:eu-west-1:123456789012:failed", kms_key_arn = "arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab" }
        parallelization_factor = 2
        role_key               = "orders"
        starting_position      = "LATEST"
      }
    }
  }

  assert {
    condition = 0 == sum([
      length(aws_cloudwatch_dashboard.this),
      length(aws_cloudwatch_metric_alarm.dlq),
      length(aws_cloudwatch_metric_alarm.layer),
      length(aws_cloudwatch_metric_alarm.oldest_message),
      length(aws_cloudwatch_metric_alarm.table_throttles),
      length(aws_dynamodb_resource_policy.this),
      length(aws_dynamodb_table.this),
      length(aws_iam_policy.consumer),
      length(aws_iam_policy.function),
      length(aws_iam_policy.this),
      length(aws_iam_role_policy_attachment.consumer),
      length(aws_iam_role_policy_attachment.this),
      length(aws_lambda_event_source_mapping.stream),
      length(aws_lambda_event_source_mapping.this),
      length(aws_lambda_function_event_invoke_config.this),
      length(aws_lambda_layer_version.s3),
      length(aws_lambda_layer_version.this),
      length(aws_lambda_layer_version_permission.this),
      length(aws_sqs_queue.dlq),
      length(aws_sqs_queue.this),
      length(aws_sqs_queue_policy.dlq),
      length(aws_sqs_queue_policy.this),
      length(aws_sqs_queue_redrive_allow_policy.dlq),
    ])
    error_message = "Nothing is created."
  }

  assert {
    condition     = length(output.environment) + length(output.functions) + length(output.queue_settings) + length(output.queues) + length(output.streams) == 0
    error_message = "Maps are empty."
  }

  assert {
    condition     = alltrue([for value in [output.layer_arn, output.layer_version, output.policy_arn, output.policy_json, output.table_arn, output.table_name] : value == null])
    error_message = "There is nothing to tell of."
  }
}

run "t4_switched_off_with_what_excludes_an_option_above_creates_nothing" {
  command = plan

  variables {
    create          = false
    create_table    = false
    layer_s3_object = { bucket = "artifacts", key = "layer.zip", object_version = "3" }
    name            = "shop"

    layer_permissions = { company = { organization_id = "o-a1b2c3d4e5" } }
  }

  assert {
    condition     = length(aws_lambda_layer_version.s3) + length(aws_lambda_layer_version.this) + length(aws_lambda_layer_version_permission.this) + length(aws_dynamodb_table.this) + length(aws_iam_policy.this) == 0
    error_message = "Nothing is created."
  }

  assert {
    condition     = alltrue([for value in [output.layer_arn, output.layer_version, output.policy_arn, output.policy_json, output.table_arn, output.table_name] : value == null])
    error_message = "There is nothing to tell of."
  }
}
