locals {
  create_alarms = var.create && var.alarms != null
  topic_arns    = try(var.alarms.topic_arns, [])

  queue_alarms = { for key, queue in local.queues : key => queue if local.create_alarms }

  # What the layer counts, and what it means to the one who is called.
  metric_alarms = {
    for metric, meaning in {
      LockLost          = "Work took longer than its lock, and another call took over: the side effect may have happened twice. Lengthen the lock, or turn heartbeat on."
      ResultUnavailable = "Work was done, but its result could not be stored: who asks again gets an error and no second run. Return less, or store the result elsewhere."
      TakenOver         = "A call died with its lock, and another took over: the side effect may have happened twice. Look for timeouts and crashes of the function."
    } : metric => meaning if local.create_alarms && var.metrics != null
  }
}

resource "aws_cloudwatch_metric_alarm" "dlq" {
  for_each = local.queue_alarms

  alarm_actions       = local.topic_arns
  alarm_description   = "Messages of ${aws_sqs_queue.this[each.key].name} were given up after ${each.value.max_receive_count} deliveries. Mend the cause, then redrive ${aws_sqs_queue.dlq[each.key].name}: what was done already is not done again within ${var.keep_for_seconds} seconds."
  alarm_name          = "${aws_sqs_queue.dlq[each.key].name}-not-empty"
  comparison_operator = "GreaterThanThreshold"
  dimensions          = { QueueName = aws_sqs_queue.dlq[each.key].name }
  evaluation_periods  = 1
  metric_name         = "ApproximateNumberOfMessagesVisible"
  namespace           = "AWS/SQS"
  ok_actions          = local.topic_arns
  period              = local.alarm_period
  statistic           = "Maximum"
  tags                = var.tags
  threshold           = 0
  treat_missing_data  = "notBreaching"
}

resource "aws_cloudwatch_metric_alarm" "oldest_message" {
  for_each = local.queue_alarms

  alarm_actions       = local.topic_arns
  alarm_description   = "A message of ${aws_sqs_queue.this[each.key].name} is older than two visibility timeouts: its deliveries fail, or the function does not keep up."
  alarm_name          = "${aws_sqs_queue.this[each.key].name}-oldest-message"
  comparison_operator = "GreaterThanThreshold"
  dimensions          = { QueueName = aws_sqs_queue.this[each.key].name }
  evaluation_periods  = 1
  metric_name         = "ApproximateAgeOfOldestMessage"
  namespace           = "AWS/SQS"
  ok_actions          = local.topic_arns
  period              = local.alarm_period
  statistic           = "Maximum"
  tags                = var.tags
  threshold           = 2 * each.value.visibility_timeout
  treat_missing_data  = "notBreaching"
}

resource "aws_cloudwatch_metric_alarm" "table_throttles" {
  count = local.create_alarms ? 1 : 0

  alarm_actions       = local.topic_arns
  alarm_description   = "The table ${local.table_name} throttles. Calls are tried again; those without time for that do not run their work. Raise the table's maximum throughput, if it has one."
  alarm_name          = "${var.name}-table-throttles"
  comparison_operator = "GreaterThanThreshold"
  evaluation_periods  = 1
  ok_actions          = local.topic_arns
  tags                = var.tags
  threshold           = 0
  treat_missing_data  = "notBreaching"

  metric_query {
    expression  = "FILL(reads, 0) + FILL(writes, 0)"
    id          = "throttles"
    label       = "Throttled requests"
    return_data = true
  }

  dynamic "metric_query" {
    for_each = { reads = "ReadThrottleEvents", writes = "WriteThrottleEvents" }

    content {
      id = metric_query.key

      metric {
        dimensions  = { TableName = local.table_name }
        metric_name = metric_query.value
        namespace   = "AWS/DynamoDB"
        period      = local.alarm_period
        stat        = "Sum"
      }
    }
  }
}

resource "aws_cloudwatch_metric_alarm" "layer" {
  for_each = local.metric_alarms

  alarm_actions       = local.topic_arns
  alarm_description   = each.value
  alarm_name          = "${var.name}-${each.key}"
  comparison_operator = "GreaterThanThreshold"
  dimensions          = { Table = local.table_name }
  evaluation_periods  = 1
  metric_name         = each.key
  namespace           = var.metrics.namespace
  ok_actions          = local.topic_arns
  period              = local.alarm_period
  statistic           = "Sum"
  tags                = var.tags
  threshold           = 0
  treat_missing_data  = "notBreaching"
}

locals {
  # Seconds. SQS reports once a minute, five minutes after a queue that was idle is used again.
  alarm_period = 300
}
