mock_provider "aws" {
  mock_resource "aws_dynamodb_table" {
    defaults = { arn = "arn:aws-cn:dynamodb:cn-north-1:123456789012:table/shop" }
  }
  mock_resource "aws_iam_policy" {
    defaults = { arn = "arn:aws-cn:iam::123456789012:policy/shop" }
  }
  mock_resource "aws_sqs_queue" {
    defaults = {
      arn = "arn:aws-cn:sqs:cn-north-1:123456789012:shop-orders"
      url = "https://sqs.cn-north-1.amazonaws.com.cn/123456789012/shop-orders"
    }
  }
}

variables {
  create_layer = false
  name         = "shop"
}

run "t6_visibility_is_six_timeouts" {
  command = plan

  variables {
    queues = { orders = { function_timeout = 300 } }
  }

  assert {
    condition     = aws_sqs_queue.this["orders"].visibility_timeout_seconds == 1800
    error_message = "Six times the function's timeout of 300 seconds is 1800 seconds."
  }
}

run "t6_visibility_covers_the_batching_window" {
  command = plan

  variables {
    queues = { orders = { batching_window = 20, function_timeout = 30 } }
  }

  assert {
    condition     = aws_sqs_queue.this["orders"].visibility_timeout_seconds == 200
    error_message = "Six times 30 seconds and a window of 20 seconds are 200 seconds."
  }
}

run "t6_an_override_below_the_timeout_is_refused" {
  command = plan

  variables {
    queues = { orders = { function_timeout = 900, visibility_timeout = 400 } }
  }

  expect_failures = [var.queues]
}

run "a_longer_override_is_used_and_a_shorter_one_is_not" {
  command = plan

  variables {
    keep_for_seconds = 5 * 43200

    queues = {
      longer  = { function_timeout = 30, visibility_timeout = 43200 }
      shorter = { function_timeout = 30, visibility_timeout = 30 }
    }
  }

  assert {
    condition     = aws_sqs_queue.this["longer"].visibility_timeout_seconds == 43200
    error_message = "43200 seconds are within the limit of SQS and more than six timeouts."
  }

  assert {
    condition     = aws_sqs_queue.this["shorter"].visibility_timeout_seconds == 180
    error_message = "30 seconds are less than six timeouts, which are 180 seconds."
  }
}

run "the_limits_themselves_are_accepted" {
  command = plan

  variables {
    keep_for_seconds = 1000 * 43200

    queues = {
      least = {
        batch_size          = 1
        batching_window     = 0
        function_timeout    = 1
        max_receive_count   = 5
        maximum_concurrency = 2
        visibility_timeout  = 1
      }
      most = {
        batch_size          = 10000
        batching_window     = 300
        function_timeout    = 900
        max_receive_count   = 1000
        maximum_concurrency = 1000
        visibility_timeout  = 43200
      }
      small_batch = { batch_size = 10, function_timeout = 30 }
      large_batch = { batch_size = 11, batching_window = 1, function_timeout = 30 }

      # shop-…-dlq is 80 characters long.
      "orders-of-the-whole-company-in-every-country-and-channel-and-currency-1" = { function_timeout = 30 }
    }
  }
}

run "a_queue_has_a_dlq_and_both_are_encrypted" {
  command = apply

  variables {
    queues = { orders = { function_timeout = 30, max_receive_count = 7 } }
    tags   = { team = "orders" }
  }

  assert {
    condition     = aws_sqs_queue.this["orders"].name == "shop-orders" && aws_sqs_queue.dlq["orders"].name == "shop-orders-dlq"
    error_message = "Names are made of the module's name and the queue's key."
  }

  assert {
    condition     = jsondecode(aws_sqs_queue.this["orders"].redrive_policy) == { deadLetterTargetArn = aws_sqs_queue.dlq["orders"].arn, maxReceiveCount = 7 }
    error_message = "Messages move to the dead-letter queue after max_receive_count deliveries."
  }

  assert {
    condition     = jsondecode(aws_sqs_queue_redrive_allow_policy.dlq["orders"].redrive_allow_policy) == { redrivePermission = "byQueue", sourceQueueArns = [aws_sqs_queue.this["orders"].arn] }
    error_message = "Only its own queue uses the dead-letter queue."
  }

  assert {
    condition     = aws_sqs_queue.dlq["orders"].message_retention_seconds == 1209600
    error_message = "The dead-letter queue keeps messages for 14 days."
  }

  assert {
    condition     = alltrue([for queue in [aws_sqs_queue.this["orders"], aws_sqs_queue.dlq["orders"]] : queue.sqs_managed_sse_enabled && queue.kms_master_key_id == null])
    error_message = "Without a key of the caller's, SQS encrypts with its own."
  }

  assert {
    condition     = alltrue([for queue in [aws_sqs_queue.this["orders"], aws_sqs_queue.dlq["orders"]] : queue.receive_wait_time_seconds == 20])
    error_message = "Consumers poll long."
  }

  assert {
    condition     = alltrue([for queue in [aws_sqs_queue.this["orders"], aws_sqs_queue.dlq["orders"]] : queue.tags == tomap({ team = "orders" })])
    error_message = "Both queues have the tags."
  }

  assert {
    condition     = length(aws_lambda_event_source_mapping.this) + length(aws_iam_policy.consumer) == 0
    error_message = "No function is named: no mapping, and no right to consume."
  }

  assert {
    condition     = output.queues["orders"].event_source_mapping_uuid == null && output.queues["orders"].visibility_timeout == 180
    error_message = "The output tells of the visibility timeout, and of no mapping."
  }
}

run "t8_a_key_encrypts_both_queues_instead_of_sqs" {
  command = plan

  variables {
    kms_key_arn = "arn:aws-cn:kms:cn-north-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"
    queues      = { orders = { function_timeout = 30 } }
  }

  # SQS turns its own encryption off when it gets a key; the provider takes one of the two arguments only, so that a
  # plan that passes with the key in it has not asked for SQS's own.
  assert {
    condition     = aws_sqs_queue.this["orders"].kms_master_key_id == var.kms_key_arn && aws_sqs_queue.dlq["orders"].kms_master_key_id == var.kms_key_arn
    error_message = "The key encrypts the queue and its dead-letter queue."
  }
}

run "a_named_function_is_mapped_and_may_consume" {
  command = apply

  variables {
    role_names = { orders = "orders-role", refunds = "refunds-role" }
    tags       = { team = "orders" }
    queues = {
      orders = {
        batch_size          = 100
        batching_window     = 5
        function_name       = "orders"
        function_timeout    = 30
        maximum_concurrency = 2
        role_key            = "orders"
      }
      audit = { function_name = "audit", function_timeout = 30 }
    }
  }

  assert {
    condition     = aws_lambda_event_source_mapping.this["orders"].function_response_types == toset(["ReportBatchItemFailures"])
    error_message = "Only failed messages of a batch come again."
  }

  assert {
    condition     = aws_lambda_event_source_mapping.this["orders"].batch_size == 100 && aws_lambda_event_source_mapping.this["orders"].maximum_batching_window_in_seconds == 5
    error_message = "The batch is what was asked for."
  }

  assert {
    condition     = { for key, mapping in aws_lambda_event_source_mapping.this : key => [mapping.function_name, mapping.event_source_arn] } == { for key in ["audit", "orders"] : key => [key, aws_sqs_queue.this[key].arn] }
    error_message = "Each function gets the messages of its queue."
  }

  assert {
    condition     = aws_lambda_event_source_mapping.this["orders"].tags == tomap({ team = "orders" })
    error_message = "Mappings have the tags."
  }

  assert {
    condition     = aws_lambda_event_source_mapping.this["audit"].batch_size == 10 && aws_lambda_event_source_mapping.this["audit"].maximum_batching_window_in_seconds == 0
    error_message = "Without a word, a batch is of ten messages and does not wait."
  }

  assert {
    condition     = aws_lambda_event_source_mapping.this["orders"].scaling_config[0].maximum_concurrency == 2 && length(aws_lambda_event_source_mapping.this["audit"].scaling_config) == 0
    error_message = "Concurrency is limited where it was asked for, and only there."
  }

  assert {
    condition = jsondecode(aws_iam_policy.consumer["orders"].policy) == {
      Version = "2012-10-17"
      Statement = [{
        Effect   = "Allow"
        Action   = ["sqs:ChangeMessageVisibility", "sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"]
        Resource = ["arn:aws-cn:sqs:cn-north-1:123456789012:shop-orders", "arn:aws-cn:sqs:cn-north-1:123456789012:shop-orders"]
      }]
    }
    error_message = "The right to consume is for exactly the actions that Lambda needs, on exactly the queue."
  }

  assert {
    condition     = { for key, attachment in aws_iam_role_policy_attachment.consumer : key => attachment.role } == { orders = "orders-role", refunds = "refunds-role" }
    error_message = "Each role that consumes has one policy for all that it consumes."
  }

  assert {
    condition     = output.queues["orders"].event_source_mapping_uuid == aws_lambda_event_source_mapping.this["orders"].uuid
    error_message = "The output tells of the mapping."
  }
}

run "t8_a_consumer_of_an_encrypted_queue_may_decrypt" {
  command = apply

  variables {
    kms_key_arn = "arn:aws-cn:kms:cn-north-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"
    role_names  = { orders = "orders-role" }
    queues      = { orders = { function_name = "orders", function_timeout = 30 } }
  }

  assert {
    condition = jsondecode(aws_iam_policy.consumer["orders"].policy).Statement[1] == {
      Effect    = "Allow"
      Action    = ["kms:Decrypt"]
      Resource  = ["arn:aws-cn:kms:cn-north-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"]
      Condition = { StringEquals = { "kms:ViaService" = ["sqs.cn-north-1.amazonaws.com", "sqs.cn-north-1.amazonaws.com.cn"] } }
    }
    error_message = "The consumer may decrypt with exactly the key, through SQS; in China by either of its names."
  }
}

run "a_queue_takes_messages_over_tls_only_and_from_its_senders" {
  command = apply

  variables {
    queues = {
      orders = {
        function_timeout = 30
        senders          = { topic = { service = "sns.amazonaws.com", source_arn = "arn:aws-cn:sns:cn-north-1:123456789012:orders" } }
      }
      open = { function_timeout = 30, redrive_allow = false, tls_only = false }
    }
  }

  assert {
    condition = jsondecode(aws_sqs_queue_policy.this["orders"].policy).Statement == [
      {
        Sid       = "RefuseWithoutTLS"
        Effect    = "Deny"
        Principal = "*"
        Action    = "sqs:*"
        Resource  = aws_sqs_queue.this["orders"].arn
        Condition = { Bool = { "aws:SecureTransport" = "false" } }
      },
      {
        Effect    = "Allow"
        Principal = { Service = "sns.amazonaws.com" }
        Action    = "sqs:SendMessage"
        Resource  = aws_sqs_queue.this["orders"].arn
        Condition = { ArnEquals = { "aws:SourceArn" = "arn:aws-cn:sns:cn-north-1:123456789012:orders" } }
      },
    ]
    error_message = "Nobody without TLS, and of the service only on behalf of the topic."
  }

  assert {
    condition     = keys(aws_sqs_queue_policy.dlq) == ["orders"] && length(jsondecode(aws_sqs_queue_policy.dlq["orders"].policy).Statement) == 1
    error_message = "The dead-letter queue asks for TLS too, and has no senders."
  }

  assert {
    condition     = keys(aws_sqs_queue_policy.this) == ["orders"] && keys(aws_sqs_queue_redrive_allow_policy.dlq) == ["orders"]
    error_message = "Each can be left out."
  }
}

run "tls_and_senders_do_without_each_other" {
  command = apply

  variables {
    queues = {
      sent = {
        function_timeout = 30
        senders          = { topic = { service = "sns.amazonaws.com", source_arn = "arn:aws-cn:sns:cn-north-1:123456789012:orders" } }
        tls_only         = false
      }
      tls = { function_timeout = 30 }
    }
  }

  assert {
    condition     = { for key, policy in aws_sqs_queue_policy.this : key => [for statement in jsondecode(policy.policy).Statement : statement.Effect] } == { sent = ["Allow"], tls = ["Deny"] }
    error_message = "A queue's policy has what was asked for."
  }

  assert {
    condition     = { for key, policy in aws_sqs_queue_policy.this : key => policy.queue_url } == { for key in ["sent", "tls"] : key => aws_sqs_queue.this[key].id } && { for key, policy in aws_sqs_queue_policy.dlq : key => policy.queue_url } == { tls = aws_sqs_queue.dlq["tls"].id } && aws_sqs_queue_redrive_allow_policy.dlq["sent"].queue_url == aws_sqs_queue.dlq["sent"].id
    error_message = "Each policy is of its queue."
  }
}

run "a_fifo_queue_has_a_fifo_dlq_and_no_window" {
  command = plan

  variables {
    queues = {
      refunds = {
        content_based_deduplication = true
        fifo                        = true
        function_name               = "refunds"
        function_timeout            = 30
        high_throughput             = true
      }
    }
  }

  assert {
    condition     = aws_sqs_queue.this["refunds"].name == "shop-refunds.fifo" && aws_sqs_queue.dlq["refunds"].name == "shop-refunds-dlq.fifo"
    error_message = "SQS wants names of FIFO queues to end so."
  }

  assert {
    condition     = aws_sqs_queue.this["refunds"].fifo_queue && aws_sqs_queue.dlq["refunds"].fifo_queue && aws_sqs_queue.this["refunds"].content_based_deduplication
    error_message = "Messages of a FIFO queue can only move to a FIFO queue."
  }

  assert {
    condition     = aws_sqs_queue.this["refunds"].deduplication_scope == "messageGroup" && aws_sqs_queue.this["refunds"].fifo_throughput_limit == "perMessageGroupId"
    error_message = "High throughput is by message group."
  }

  assert {
    condition     = aws_lambda_event_source_mapping.this["refunds"].maximum_batching_window_in_seconds == null
    error_message = "A FIFO queue has no batching window."
  }
}

run "a_fifo_queue_is_not_faster_than_asked" {
  command = apply

  variables {
    queues = {
      orders  = { function_timeout = 30 }
      refunds = { fifo = true, function_timeout = 30 }
    }
  }

  assert {
    condition     = alltrue([for queue in values(aws_sqs_queue.this) : queue.deduplication_scope != "messageGroup" && queue.fifo_throughput_limit != "perMessageGroupId" && !queue.content_based_deduplication])
    error_message = "Order and deduplication are SQS's own."
  }

  assert {
    condition     = { for key, queue in aws_sqs_queue.this : key => queue.fifo_queue } == { orders = false, refunds = true } && !aws_sqs_queue.dlq["orders"].fifo_queue
    error_message = "A queue is FIFO only where it was asked for."
  }
}

run "only_what_is_named_as_mapped_is" {
  command = plan

  variables {
    role_names = { orders = "orders-role" }
    queues     = { orders = { event_source_mapping = false, function_name = "orders", function_timeout = 30 } }
  }

  assert {
    condition     = length(aws_lambda_event_source_mapping.this) + length(aws_iam_policy.consumer) + length(aws_iam_role_policy_attachment.consumer) == 0
    error_message = "A queue that is mapped elsewhere brings no right to consume it."
  }

  assert {
    condition     = output.queues["orders"].event_source_mapping_uuid == null
    error_message = "There is no mapping to tell of."
  }
}

run "a_mapping_filters_and_publishes_metrics_where_asked" {
  command = plan

  variables {
    queues = {
      orders = {
        filter_patterns  = ["{\"body\":{\"kind\":[\"order\"]}}"]
        function_name    = "orders"
        function_timeout = 30
        metrics          = true
      }
      plain = { function_name = "plain", function_timeout = 30 }
    }
  }

  assert {
    condition     = [for filter in one(aws_lambda_event_source_mapping.this["orders"].filter_criteria).filter : filter.pattern] == ["{\"body\":{\"kind\":[\"order\"]}}"] && length(aws_lambda_event_source_mapping.this["plain"].filter_criteria) == 0
    error_message = "Filters are as given."
  }

  assert {
    condition     = one(aws_lambda_event_source_mapping.this["orders"].metrics_config).metrics == toset(["EventCount"]) && length(aws_lambda_event_source_mapping.this["plain"].metrics_config) == 0
    error_message = "Metrics only where asked."
  }
}

run "an_existing_queue_is_told_what_fits" {
  command = plan

  variables {
    existing_queues = { orders = { batching_window = 5, function_timeout = 30, visibility_timeout = 200 } }
  }

  assert {
    condition = output.queue_settings["orders"] == {
      dlq_message_retention_seconds = 1209600
      function_response_types       = ["ReportBatchItemFailures"]
      max_receive_count             = 5
      receive_wait_time_seconds     = 20
      visibility_timeout_seconds    = 200
    }
    error_message = "200 seconds are more than six timeouts and the window, and stay."
  }

  assert {
    condition     = length(aws_sqs_queue.this) == 0
    error_message = "Nothing is created for it."
  }
}

run "an_existing_queue_that_shows_messages_too_early_is_warned_of" {
  command = plan

  variables {
    existing_queues = { orders = { function_timeout = 30, visibility_timeout = 30 } }
  }

  assert {
    condition     = output.queue_settings["orders"].visibility_timeout_seconds == 180
    error_message = "Six times 30 seconds."
  }

  expect_failures = [check.existing_queues]
}
