mock_provider "aws" {
  mock_resource "aws_dynamodb_table" {
    defaults = { arn = "arn:aws:dynamodb:eu-west-1:123456789012:table/shop" }
  }
  mock_resource "aws_iam_policy" {
    defaults = { arn = "arn:aws:iam::123456789012:policy/shop" }
  }
}

variables {
  create_layer = false
  name         = "shop"
  role_names   = { ledger = "ledger-role", search = "search-role" }
  tags         = { team = "orders" }

  streams = {
    ledger = {
      event_source_arn = "arn:aws:kinesis:eu-west-1:123456789012:stream/payments"
      function_name    = "ledger"
      kms_key_arn      = "arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"
      on_failure       = { arn = "arn:aws:sqs:eu-west-1:123456789012:failed" }
      role_key         = "ledger"
    }
    search = {
      batch_size             = 10000
      batching_window        = 300
      bisect_batch           = false
      event_source_arn       = "arn:aws:dynamodb:eu-west-1:123456789012:table/orders/stream/2026-01-01T00:00:00.000"
      filter_patterns        = ["{\"eventName\":[\"INSERT\"]}"]
      function_name          = "search"
      maximum_record_age     = 60
      maximum_retry_attempts = 0
      metrics                = true
      on_failure             = { arn = "arn:aws:s3:::failed" }
      parallelization_factor = 10
      role_key               = "search"
      starting_position      = "LATEST"
    }
  }
}

run "a_batch_is_not_retried_without_end" {
  command = plan

  assert {
    condition = alltrue([for mapping in [aws_lambda_event_source_mapping.stream["ledger"]] :
      mapping.batch_size == 100 && mapping.bisect_batch_on_function_error && mapping.maximum_record_age_in_seconds == 86400 &&
      mapping.maximum_retry_attempts == 10 && mapping.parallelization_factor == 1 && mapping.starting_position == "TRIM_HORIZON"
    ])
    error_message = "Without a word, retries end after ten tries or a day, and no record is missed."
  }

  assert {
    condition = { for key, mapping in aws_lambda_event_source_mapping.stream : key => [mapping.function_name, mapping.event_source_arn] } == {
      ledger = ["ledger", "arn:aws:kinesis:eu-west-1:123456789012:stream/payments"]
      search = ["search", "arn:aws:dynamodb:eu-west-1:123456789012:table/orders/stream/2026-01-01T00:00:00.000"]
    }
    error_message = "Each function gets the records of its stream."
  }

  assert {
    condition     = alltrue([for mapping in [aws_lambda_event_source_mapping.stream["ledger"]] : mapping.maximum_batching_window_in_seconds == 0 && length(mapping.filter_criteria) + length(mapping.metrics_config) == 0 && mapping.tags == tomap({ team = "orders" })])
    error_message = "A batch does not wait, nothing is filtered, and no metrics cost; the mapping has the tags."
  }

  assert {
    condition     = alltrue([for mapping in values(aws_lambda_event_source_mapping.stream) : mapping.function_response_types == toset(["ReportBatchItemFailures"])])
    error_message = "A batch goes on where it failed."
  }

  assert {
    condition     = { for key, mapping in aws_lambda_event_source_mapping.stream : key => one(one(mapping.destination_config).on_failure).destination_arn } == { ledger = "arn:aws:sqs:eu-west-1:123456789012:failed", search = "arn:aws:s3:::failed" }
    error_message = "What is given up goes where it was said."
  }
}

run "each_setting_is_as_given" {
  command = plan

  assert {
    condition = alltrue([for mapping in [aws_lambda_event_source_mapping.stream["search"]] :
      mapping.batch_size == 10000 && !mapping.bisect_batch_on_function_error && mapping.maximum_batching_window_in_seconds == 300 &&
      mapping.maximum_record_age_in_seconds == 60 && mapping.maximum_retry_attempts == 0 && mapping.parallelization_factor == 10 &&
      mapping.starting_position == "LATEST" && one(mapping.metrics_config).metrics == toset(["EventCount"]) &&
      [for filter in one(mapping.filter_criteria).filter : filter.pattern] == ["{\"eventName\":[\"INSERT\"]}"]
    ])
    error_message = "The limits are accepted and handed on."
  }
}

run "a_role_reads_its_own_stream_only" {
  command = plan

  assert {
    condition = jsondecode(aws_iam_policy.consumer["ledger"].policy).Statement == [
      {
        Effect   = "Allow"
        Action   = ["kinesis:DescribeStream", "kinesis:DescribeStreamSummary", "kinesis:GetRecords", "kinesis:GetShardIterator", "kinesis:ListShards"]
        Resource = ["arn:aws:kinesis:eu-west-1:123456789012:stream/payments"]
      },
      {
        Effect   = "Allow"
        Action   = ["sqs:SendMessage"]
        Resource = ["arn:aws:sqs:eu-west-1:123456789012:failed"]
      },
      {
        Effect    = "Allow"
        Action    = ["kms:Decrypt"]
        Resource  = ["arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"]
        Condition = { StringEquals = { "kms:ViaService" = ["kinesis.eu-west-1.amazonaws.com"] } }
      },
    ]
    error_message = "Reading, decrypting and giving up, and nothing else."
  }

  assert {
    condition     = jsondecode(aws_iam_policy.consumer["search"].policy).Statement[0] == { Effect = "Allow", Action = ["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"], Resource = ["arn:aws:dynamodb:eu-west-1:123456789012:table/orders/stream/2026-01-01T00:00:00.000"] }
    error_message = "A stream of DynamoDB has rights of its own."
  }
}
