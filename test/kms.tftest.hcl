# Tables of the caller's, in each partition, so that all of their ARNs are known when planning.

mock_provider "aws" {
  mock_resource "aws_iam_policy" {
    defaults = { arn = "arn:aws:iam::123456789012:policy/shop" }
  }
  mock_resource "aws_sqs_queue" {
    defaults = { arn = "arn:aws:sqs:eu-west-1:123456789012:shop-orders" }
  }
}

variables {
  create_layer = false
  create_table = false
  name         = "shop"
  role_names   = { ledger = "ledger-role" }
  table_name   = "own"
}

run "keys_serve_through_services_of_the_commercial_partition" {
  command = plan

  variables {
    table_arn         = "arn:aws:dynamodb:eu-west-1:123456789012:table/own"
    table_kms_key_arn = "arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"

    streams = {
      ledger = {
        event_source_arn = "arn:aws:kinesis:eu-west-1:123456789012:stream/payments"
        function_name    = "ledger"
        kms_key_arn      = "arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"
        on_failure       = { arn = "arn:aws:sqs:eu-west-1:123456789012:failed", kms_key_arn = "arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab" }
      }
    }
  }

  assert {
    condition     = [for statement in jsondecode(output.policy_json).Statement : statement.Condition.StringEquals["kms:ViaService"] if can(statement.Condition)] == [["dynamodb.eu-west-1.amazonaws.com"]]
    error_message = "The table's key serves DynamoDB of its region and partition."
  }

  assert {
    condition     = [for statement in jsondecode(aws_iam_policy.consumer["ledger"].policy).Statement : statement.Condition.StringEquals["kms:ViaService"] if can(statement.Condition)] == [["kinesis.eu-west-1.amazonaws.com"], ["sqs.eu-west-1.amazonaws.com"]]
    error_message = "The key of a stream serves Kinesis, the key of its destination SQS."
  }
}

run "keys_serve_through_services_of_the_us_government" {
  command = plan

  variables {
    table_arn         = "arn:aws-us-gov:dynamodb:us-gov-west-1:123456789012:table/own"
    table_kms_key_arn = "arn:aws-us-gov:kms:us-gov-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"

    streams = {
      ledger = {
        event_source_arn = "arn:aws-us-gov:kinesis:us-gov-west-1:123456789012:stream/payments"
        function_name    = "ledger"
        kms_key_arn      = "arn:aws-us-gov:kms:us-gov-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"
        on_failure       = { arn = "arn:aws-us-gov:sqs:us-gov-west-1:123456789012:failed", kms_key_arn = "arn:aws-us-gov:kms:us-gov-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab" }
      }
    }
  }

  assert {
    condition     = [for statement in jsondecode(output.policy_json).Statement : statement.Condition.StringEquals["kms:ViaService"] if can(statement.Condition)] == [["dynamodb.us-gov-west-1.amazonaws.com"]]
    error_message = "The table's key serves DynamoDB of its region and partition."
  }

  assert {
    condition     = [for statement in jsondecode(aws_iam_policy.consumer["ledger"].policy).Statement : statement.Condition.StringEquals["kms:ViaService"] if can(statement.Condition)] == [["kinesis.us-gov-west-1.amazonaws.com"], ["sqs.us-gov-west-1.amazonaws.com"]]
    error_message = "The key of a stream serves Kinesis, the key of its destination SQS."
  }
}

run "keys_serve_through_services_of_china_by_either_name" {
  command = plan

  variables {
    table_arn         = "arn:aws-cn:dynamodb:cn-north-1:123456789012:table/own"
    table_kms_key_arn = "arn:aws-cn:kms:cn-north-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"

    streams = {
      ledger = {
        event_source_arn = "arn:aws-cn:kinesis:cn-north-1:123456789012:stream/payments"
        function_name    = "ledger"
        kms_key_arn      = "arn:aws-cn:kms:cn-north-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"
        on_failure       = { arn = "arn:aws-cn:sqs:cn-north-1:123456789012:failed", kms_key_arn = "arn:aws-cn:kms:cn-north-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab" }
      }
    }
  }

  assert {
    condition     = [for statement in jsondecode(output.policy_json).Statement : statement.Condition.StringEquals["kms:ViaService"] if can(statement.Condition)] == [["dynamodb.cn-north-1.amazonaws.com", "dynamodb.cn-north-1.amazonaws.com.cn"]]
    error_message = "The table's key serves DynamoDB of its region and partition."
  }

  assert {
    condition     = [for statement in jsondecode(aws_iam_policy.consumer["ledger"].policy).Statement : statement.Condition.StringEquals["kms:ViaService"] if can(statement.Condition)] == [["kinesis.cn-north-1.amazonaws.com", "kinesis.cn-north-1.amazonaws.com.cn"], ["sqs.cn-north-1.amazonaws.com", "sqs.cn-north-1.amazonaws.com.cn"]]
    error_message = "The key of a stream serves Kinesis, the key of its destination SQS."
  }
}

run "without_keys_of_the_callers_no_policy_speaks_of_keys" {
  command = apply

  variables {
    queues    = { orders = { function_name = "orders", function_timeout = 30 } }
    table_arn = "arn:aws:dynamodb:eu-west-1:123456789012:table/own"

    streams = {
      ledger = {
        event_source_arn = "arn:aws:kinesis:eu-west-1:123456789012:stream/payments"
        function_name    = "ledger"
        on_failure       = { arn = "arn:aws:sqs:eu-west-1:123456789012:failed" }
      }
    }
  }

  assert {
    condition     = !strcontains(output.policy_json, "kms:") && !strcontains(aws_iam_policy.consumer["ledger"].policy, "kms:")
    error_message = "AWS's own keys need no permission."
  }
}

run "the_key_of_the_table_is_not_the_queues" {
  command = apply

  variables {
    queues            = { orders = { function_name = "orders", function_timeout = 30 } }
    table_arn         = "arn:aws:dynamodb:eu-west-1:123456789012:table/own"
    table_kms_key_arn = "arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"
  }

  assert {
    condition     = aws_sqs_queue.this["orders"].kms_master_key_id == null && aws_sqs_queue.this["orders"].sqs_managed_sse_enabled && aws_sqs_queue.dlq["orders"].sqs_managed_sse_enabled
    error_message = "Queues stay with SQS's own keys."
  }

  assert {
    condition     = strcontains(output.policy_json, var.table_kms_key_arn) && !strcontains(aws_iam_policy.consumer["ledger"].policy, "kms:")
    error_message = "Only the table's policy decrypts."
  }
}
