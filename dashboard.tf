resource "aws_cloudwatch_dashboard" "this" {
  count = var.create && var.dashboard ? 1 : 0

  dashboard_name = var.name
  dashboard_body = jsonencode({
    widgets = concat(
      var.metrics == null ? [] : [
        merge(local.widget, {
          properties = merge(local.widget_properties, {
            title   = "Runs and replays"
            metrics = [for metric in ["Executed", "Replayed", "InProgress", "Waited"] : [var.metrics.namespace, metric, "Table", local.table_name]]
          })
        }),
        merge(local.widget, {
          properties = merge(local.widget_properties, {
            title   = "What needs a look"
            metrics = [for metric in ["TakenOver", "LockLost", "ResultUnavailable", "StoreError", "Released"] : [var.metrics.namespace, metric, "Table", local.table_name]]
          })
        }),
      ],
      length(local.queues) == 0 ? [] : [
        merge(local.widget, {
          properties = merge(local.widget_properties, {
            title   = "Deliveries"
            metrics = [for key in keys(local.queues) : ["AWS/SQS", "NumberOfMessagesReceived", "QueueName", aws_sqs_queue.this[key].name]]
          })
        }),
        merge(local.widget, {
          properties = merge(local.widget_properties, {
            title   = "Dead-letter queues"
            metrics = [for key in keys(local.queues) : ["AWS/SQS", "ApproximateNumberOfMessagesVisible", "QueueName", aws_sqs_queue.dlq[key].name]]
            stat    = "Maximum"
          })
        }),
        merge(local.widget, {
          properties = merge(local.widget_properties, {
            title   = "Age of the oldest message (seconds)"
            metrics = [for key in keys(local.queues) : ["AWS/SQS", "ApproximateAgeOfOldestMessage", "QueueName", aws_sqs_queue.this[key].name]]
            stat    = "Maximum"
          })
        }),
      ],
      [
        merge(local.widget, {
          properties = merge(local.widget_properties, {
            title = "Table: units and throttles"
            metrics = [for metric in ["ConsumedWriteCapacityUnits", "ConsumedReadCapacityUnits", "WriteThrottleEvents", "ReadThrottleEvents"] :
              ["AWS/DynamoDB", metric, "TableName", local.table_name]
            ]
          })
        }),
      ],
    )
  })
}

locals {
  # Without a place: CloudWatch puts widgets beside each other as they come.
  widget = { type = "metric", width = 12, height = 6 }

  widget_properties = {
    period = 60
    region = local.table_arn == null ? null : split(":", local.table_arn)[3]
    stat   = "Sum"
    view   = "timeSeries"
  }
}
