################################################################################
# Queue and dead-letter queue
################################################################################

resource "aws_sqs_queue" "this" {
  for_each = local.queues

  content_based_deduplication = each.value.content_based_deduplication
  deduplication_scope         = each.value.high_throughput ? "messageGroup" : null
  fifo_queue                  = each.value.fifo
  fifo_throughput_limit       = each.value.high_throughput ? "perMessageGroupId" : null
  kms_master_key_id           = var.kms_key_arn
  name                        = "${var.name}-${each.key}${each.value.suffix}"
  receive_wait_time_seconds   = local.longest_poll
  sqs_managed_sse_enabled     = local.sqs_managed_sse_enabled
  tags                        = var.tags
  visibility_timeout_seconds  = each.value.visibility_timeout

  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.dlq[each.key].arn
    maxReceiveCount     = each.value.max_receive_count
  })
}

resource "aws_sqs_queue" "dlq" {
  for_each = local.queues

  fifo_queue                = each.value.fifo
  kms_master_key_id         = var.kms_key_arn
  message_retention_seconds = local.longest_retention
  name                      = "${var.name}-${each.key}-dlq${each.value.suffix}"
  receive_wait_time_seconds = local.longest_poll
  sqs_managed_sse_enabled   = local.sqs_managed_sse_enabled
  tags                      = var.tags
}

resource "aws_sqs_queue_redrive_allow_policy" "dlq" {
  for_each = { for key, queue in local.queues : key => queue if queue.redrive_allow }

  queue_url = aws_sqs_queue.dlq[each.key].id

  redrive_allow_policy = jsonencode({
    redrivePermission = "byQueue"
    sourceQueueArns   = [aws_sqs_queue.this[each.key].arn]
  })
}

locals {
  # Both in seconds, the most that SQS takes: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SetQueueAttributes.html
  longest_poll      = 20
  longest_retention = 14 * 24 * 60 * 60

  # Not false where there is a key: the two arguments exclude each other.
  sqs_managed_sse_enabled = var.kms_key_arn == null ? true : null
}

################################################################################
# Who may use them, and how
################################################################################

locals {
  # https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-security-best-practices.html
  tls_statement = {
    Sid       = "RefuseWithoutTLS"
    Effect    = "Deny"
    Principal = "*"
    Action    = "sqs:*"
    Condition = { Bool = { "aws:SecureTransport" = "false" } }
  }
}

resource "aws_sqs_queue_policy" "this" {
  for_each = { for key, queue in local.queues : key => queue if queue.tls_only || length(queue.senders) > 0 }

  queue_url = aws_sqs_queue.this[each.key].id

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = concat(
      [for statement in [local.tls_statement] : merge(statement, { Resource = aws_sqs_queue.this[each.key].arn }) if each.value.tls_only],
      [for sender in values(each.value.senders) : {
        Effect    = "Allow"
        Principal = { Service = sender.service }
        Action    = "sqs:SendMessage"
        Resource  = aws_sqs_queue.this[each.key].arn
        Condition = { ArnEquals = { "aws:SourceArn" = sender.source_arn } }
      }],
    )
  })
}

resource "aws_sqs_queue_policy" "dlq" {
  for_each = { for key, queue in local.queues : key => queue if queue.tls_only }

  queue_url = aws_sqs_queue.dlq[each.key].id

  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [merge(local.tls_statement, { Resource = aws_sqs_queue.dlq[each.key].arn })]
  })
}

################################################################################
# The function that consumes the queue
################################################################################

resource "aws_lambda_event_source_mapping" "this" {
  for_each = { for key, queue in local.queues : key => queue if queue.event_source_mapping }

  batch_size                         = each.value.batch_size
  event_source_arn                   = aws_sqs_queue.this[each.key].arn
  function_name                      = each.value.function_name
  function_response_types            = local.function_response_types
  maximum_batching_window_in_seconds = each.value.fifo ? null : each.value.batching_window
  tags                               = var.tags

  dynamic "filter_criteria" {
    for_each = length(each.value.filter_patterns) == 0 ? [] : [each.value.filter_patterns]

    content {
      dynamic "filter" {
        for_each = filter_criteria.value

        content {
          pattern = filter.value
        }
      }
    }
  }

  dynamic "metrics_config" {
    for_each = each.value.metrics ? [local.mapping_metrics] : []

    content {
      metrics = metrics_config.value
    }
  }

  dynamic "scaling_config" {
    for_each = each.value.maximum_concurrency == null ? [] : [each.value.maximum_concurrency]

    content {
      maximum_concurrency = scaling_config.value
    }
  }

  # Lambda refuses the mapping as long as the function's role may not receive from the queue, and a function that
  # may not use the table yet would fail its first batch.
  depends_on = [
    aws_iam_role_policy_attachment.consumer,
    aws_iam_role_policy_attachment.this,
  ]
}

locals {
  # Both the only ones that Lambda knows: https://docs.aws.amazon.com/lambda/latest/api/API_CreateEventSourceMapping.html
  function_response_types = ["ReportBatchItemFailures"]
  mapping_metrics         = ["EventCount"]
}

################################################################################
# Queues of the caller's own
################################################################################

locals {
  existing_queues = {
    for key, queue in var.existing_queues : key => merge(queue, {
      least_visibility_timeout = 6 * queue.function_timeout + queue.batching_window
    }) if var.create
  }
}

check "existing_queues" {
  assert {
    condition     = alltrue([for queue in values(local.existing_queues) : queue.visibility_timeout >= queue.least_visibility_timeout])
    error_message = "An existing queue shows its messages again while a throttled batch may still be tried: ${join(", ", [for key, queue in local.existing_queues : "${key} (visibility timeout ${queue.visibility_timeout}; set ${queue.least_visibility_timeout}, six times its function's timeout and the batching window)" if queue.visibility_timeout < queue.least_visibility_timeout])}. Set visibility_timeout_seconds of the aws_sqs_queue to at least that."
  }
}
