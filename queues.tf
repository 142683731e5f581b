################################################################################
# Queue and dead-letter queue
################################################################################

resource "aws_sqs_queue" "this" {
  for_each = local.queues

  kms_master_key_id          = var.kms_key_arn
  name                       = "${var.name}-${each.key}"
  receive_wait_time_seconds  = local.longest_poll
  sqs_managed_sse_enabled    = local.sqs_managed_sse_enabled
  tags                       = var.tags
  visibility_timeout_seconds = each.value.visibility_timeout

  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.dlq[each.key].arn
    maxReceiveCount     = each.value.max_receive_count
  })
}

resource "aws_sqs_queue" "dlq" {
  for_each = local.queues

  kms_master_key_id         = var.kms_key_arn
  message_retention_seconds = local.longest_retention
  name                      = "${var.name}-${each.key}-dlq"
  receive_wait_time_seconds = local.longest_poll
  sqs_managed_sse_enabled   = local.sqs_managed_sse_enabled
  tags                      = var.tags
}

resource "aws_sqs_queue_redrive_allow_policy" "dlq" {
  for_each = local.queues

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
# The function that consumes the queue, and its role's right to do so
################################################################################

locals {
  consumed_queues = { for key, queue in local.queues : key => queue if queue.event_source_mapping }

  consumer_attachments = merge([
    for key, queue in local.consumed_queues : {
      for role_key in queue.role_keys : "${key}/${role_key}" => { queue_key = key, role_key = role_key }
    }
  ]...)
}

resource "aws_lambda_event_source_mapping" "this" {
  for_each = local.consumed_queues

  batch_size                         = each.value.batch_size
  event_source_arn                   = aws_sqs_queue.this[each.key].arn
  function_name                      = each.value.function_name
  function_response_types            = ["ReportBatchItemFailures"]
  maximum_batching_window_in_seconds = each.value.batching_window
  tags                               = var.tags

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

resource "aws_iam_policy" "consumer" {
  for_each = local.consumed_queues

  description = "Consume ${var.name}-${each.key}"
  name        = "${var.name}-${each.key}-consumer"
  tags        = var.tags

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = concat(
      # https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
      [{
        Sid      = "Consume"
        Effect   = "Allow"
        Action   = ["sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"]
        Resource = [aws_sqs_queue.this[each.key].arn]
      }],
      local.key_statements,
    )
  })
}

resource "aws_iam_role_policy_attachment" "consumer" {
  for_each = local.consumer_attachments

  policy_arn = aws_iam_policy.consumer[each.value.queue_key].arn
  role       = var.role_names[each.value.role_key]
}
