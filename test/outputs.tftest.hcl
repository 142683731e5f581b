mock_provider "aws" {
  mock_resource "aws_dynamodb_table" {
    defaults = { arn = "arn:aws:dynamodb:eu-west-1:123456789012:table/shop" }
  }
  mock_resource "aws_iam_policy" {
    defaults = { arn = "arn:aws:iam::123456789012:policy/shop" }
  }

  override_resource {
    target = aws_sqs_queue.this
    values = { arn = "arn:aws:sqs:eu-west-1:123456789012:shop-orders", url = "https://sqs.eu-west-1.amazonaws.com/123456789012/shop-orders" }
  }
  override_resource {
    target = aws_sqs_queue.dlq
    values = { arn = "arn:aws:sqs:eu-west-1:123456789012:shop-orders-dlq", url = "https://sqs.eu-west-1.amazonaws.com/123456789012/shop-orders-dlq" }
  }
  override_resource {
    target = aws_lambda_event_source_mapping.this
    values = { uuid = "mapping-of-the-queue" }
  }
  override_resource {
    target = aws_lambda_event_source_mapping.stream
    values = { uuid = "mapping-of-the-stream" }
  }
}

variables {
  create_layer = false
  name         = "shop"
}

run "a_queue_and_its_dlq_are_told_of" {
  command = apply

  variables {
    queues = { orders = { function_name = "orders", function_timeout = 30 } }
  }

  assert {
    condition = output.queues == {
      orders = {
        arn                       = "arn:aws:sqs:eu-west-1:123456789012:shop-orders"
        dlq_arn                   = "arn:aws:sqs:eu-west-1:123456789012:shop-orders-dlq"
        dlq_name                  = "shop-orders-dlq"
        dlq_url                   = "https://sqs.eu-west-1.amazonaws.com/123456789012/shop-orders-dlq"
        event_source_mapping_uuid = "mapping-of-the-queue"
        name                      = "shop-orders"
        url                       = "https://sqs.eu-west-1.amazonaws.com/123456789012/shop-orders"
        visibility_timeout        = 180
      }
    }
    error_message = "All that a function, an alarm or a producer may need."
  }

  assert {
    condition     = jsondecode(aws_sqs_queue.this["orders"].redrive_policy).deadLetterTargetArn == output.queues["orders"].dlq_arn && jsondecode(aws_sqs_queue_redrive_allow_policy.dlq["orders"].redrive_allow_policy).sourceQueueArns == [output.queues["orders"].arn]
    error_message = "Messages move from the one to the other."
  }
}

run "a_stream_is_told_of_by_its_mapping" {
  command = apply

  variables {
    streams = {
      ledger = {
        event_source_arn = "arn:aws:kinesis:eu-west-1:123456789012:stream/payments"
        function_name    = "ledger"
        on_failure       = { arn = "arn:aws:sqs:eu-west-1:123456789012:failed" }
      }
    }
  }

  assert {
    condition     = output.streams == { ledger = { event_source_mapping_uuid = "mapping-of-the-stream" } }
    error_message = "By its UUID a mapping is turned off and on."
  }
}

run "a_function_is_told_of_by_what_it_needs" {
  command = apply

  variables {
    functions        = { orders = {} }
    keep_for_seconds = 7200
    metrics          = {}
  }

  assert {
    condition = tomap(output.functions["orders"].environment) == tomap({
      IDEMPOTENCY_KEEP_FOR_SECONDS  = "7200"
      IDEMPOTENCY_KEY_PREFIX        = "orders#"
      IDEMPOTENCY_METRICS           = "emf"
      IDEMPOTENCY_METRICS_NAMESPACE = "Idempotency"
      IDEMPOTENCY_TABLE             = "shop"
    })
    error_message = "The environment has all that the layer reads."
  }

  assert {
    condition     = output.functions["orders"].policy_arn == "arn:aws:iam::123456789012:policy/shop" && output.functions["orders"].policy_json == aws_iam_policy.function["orders"].policy
    error_message = "The policy is for roles that are elsewhere."
  }
}

run "nothing_is_told_of_what_is_switched_off" {
  command = plan

  variables {
    create          = false
    existing_queues = { old = { function_timeout = 30, visibility_timeout = 180 } }
    queues          = { orders = { function_timeout = 30 } }
  }

  assert {
    condition     = length(output.environment) + length(output.functions) + length(output.queue_settings) + length(output.queues) + length(output.streams) == 0
    error_message = "Maps are empty, also where no function has keys of its own."
  }
}
