mock_provider "aws" {
  mock_resource "aws_dynamodb_table" {
    defaults = { arn = "arn:aws:dynamodb:eu-west-1:123456789012:table/shop" }
  }
}

variables {
  create_layer = false
  name         = "shop"
  queues       = { orders = { function_timeout = 30 }, refunds = { fifo = true, function_timeout = 60 } }
}

run "nothing_watches_unasked" {
  command = plan

  assert {
    condition     = length(aws_cloudwatch_metric_alarm.dlq) + length(aws_cloudwatch_metric_alarm.oldest_message) + length(aws_cloudwatch_metric_alarm.table_throttles) + length(aws_cloudwatch_metric_alarm.layer) + length(aws_cloudwatch_dashboard.this) == 0
    error_message = "Alarms and dashboards cost, and are off."
  }

  assert {
    condition     = !contains(keys(output.environment), "IDEMPOTENCY_METRICS")
    error_message = "Metrics cost, and are off."
  }
}

run "queues_and_table_are_watched" {
  command = plan

  variables {
    alarms = { topic_arns = ["arn:aws:sns:eu-west-1:123456789012:on-call"] }
    tags   = { team = "orders" }
  }

  assert {
    condition     = { for key, alarm in aws_cloudwatch_metric_alarm.dlq : key => [alarm.alarm_name, alarm.dimensions.QueueName, alarm.threshold] } == { orders = ["shop-orders-dlq-not-empty", "shop-orders-dlq", 0], refunds = ["shop-refunds-dlq.fifo-not-empty", "shop-refunds-dlq.fifo", 0] }
    error_message = "A dead-letter queue is to be empty."
  }

  assert {
    condition     = { for key, alarm in aws_cloudwatch_metric_alarm.oldest_message : key => [alarm.dimensions.QueueName, alarm.threshold] } == { orders = ["shop-orders", 360], refunds = ["shop-refunds.fifo", 720] }
    error_message = "A message is to be done within two visibility timeouts."
  }

  assert {
    condition = alltrue([for alarm in values(aws_cloudwatch_metric_alarm.dlq) :
      alarm.namespace == "AWS/SQS" && alarm.metric_name == "ApproximateNumberOfMessagesVisible" && alarm.statistic == "Maximum" &&
      alarm.comparison_operator == "GreaterThanThreshold" && alarm.period == 300 && alarm.evaluation_periods == 1
    ])
    error_message = "One message within five minutes is enough."
  }

  assert {
    condition = alltrue([for alarm in values(aws_cloudwatch_metric_alarm.oldest_message) :
      alarm.namespace == "AWS/SQS" && alarm.metric_name == "ApproximateAgeOfOldestMessage" && alarm.statistic == "Maximum" &&
      alarm.comparison_operator == "GreaterThanThreshold" && alarm.period == 300 && alarm.evaluation_periods == 1
    ])
    error_message = "The oldest of all messages counts."
  }

  assert {
    condition     = keys(aws_cloudwatch_metric_alarm.oldest_message) == ["orders", "refunds"] && aws_cloudwatch_metric_alarm.oldest_message["refunds"].alarm_name == "shop-refunds.fifo-oldest-message"
    error_message = "Its name tells of the queue."
  }

  assert {
    condition = { for query in aws_cloudwatch_metric_alarm.table_throttles[0].metric_query : query.id => one([for metric in query.metric : [metric.namespace, metric.metric_name, metric.dimensions, metric.stat, metric.period]]) } == {
      reads     = ["AWS/DynamoDB", "ReadThrottleEvents", tomap({ TableName = "shop" }), "Sum", 300]
      throttles = null
      writes    = ["AWS/DynamoDB", "WriteThrottleEvents", tomap({ TableName = "shop" }), "Sum", 300]
    }
    error_message = "Reads and writes that the table throttles are counted."
  }

  assert {
    condition     = { for query in aws_cloudwatch_metric_alarm.table_throttles[0].metric_query : query.id => query.expression if query.return_data == true } == { throttles = "FILL(reads, 0) + FILL(writes, 0)" }
    error_message = "Both together make the alarm, also while one of them has no data."
  }

  assert {
    condition = alltrue([for alarm in aws_cloudwatch_metric_alarm.table_throttles :
      alarm.alarm_name == "shop-table-throttles" && alarm.comparison_operator == "GreaterThanThreshold" && alarm.evaluation_periods == 1 && alarm.threshold == 0
    ])
    error_message = "The table is to throttle nobody."
  }

  assert {
    condition     = alltrue([for alarm in concat(values(aws_cloudwatch_metric_alarm.dlq), values(aws_cloudwatch_metric_alarm.oldest_message), aws_cloudwatch_metric_alarm.table_throttles) : alarm.alarm_actions == toset(["arn:aws:sns:eu-west-1:123456789012:on-call"]) && alarm.ok_actions == alarm.alarm_actions && alarm.treat_missing_data == "notBreaching" && alarm.tags == tomap({ team = "orders" })])
    error_message = "The topics hear of the beginning and the end; silence is no alarm."
  }

  assert {
    condition     = length(aws_cloudwatch_metric_alarm.layer) == 0
    error_message = "There is nothing to watch of the layer as long as it writes no metrics."
  }
}

run "the_layer_is_watched_where_it_writes_metrics" {
  command = plan

  variables {
    alarms  = {}
    metrics = { namespace = "Shop" }
  }

  assert {
    condition     = output.environment["IDEMPOTENCY_METRICS"] == "emf" && output.environment["IDEMPOTENCY_METRICS_NAMESPACE"] == "Shop"
    error_message = "The layer is told to."
  }

  assert {
    condition     = { for key, alarm in aws_cloudwatch_metric_alarm.layer : key => [alarm.namespace, alarm.metric_name, alarm.dimensions.Table, alarm.statistic] } == { for metric in ["LockLost", "ResultUnavailable", "TakenOver"] : metric => ["Shop", metric, "shop", "Sum"] }
    error_message = "What may have happened twice, and what is lost."
  }

  assert {
    condition = alltrue([for key, alarm in aws_cloudwatch_metric_alarm.layer :
      alarm.alarm_name == "shop-${key}" && alarm.comparison_operator == "GreaterThanThreshold" && alarm.evaluation_periods == 1 && alarm.period == 300 &&
      alarm.threshold == 0 && alarm.treat_missing_data == "notBreaching" && strcontains(alarm.alarm_description, ": ")
    ])
    error_message = "Once within five minutes is enough, and the alarm says what it means."
  }

  assert {
    condition     = length(aws_cloudwatch_metric_alarm.dlq["orders"].alarm_actions) == 0
    error_message = "Without topics an alarm tells nobody."
  }
}

run "a_new_table_alone_is_watched_where_there_are_no_queues" {
  command = plan

  variables {
    alarms = {}
    queues = {}
  }

  assert {
    condition     = length(aws_cloudwatch_metric_alarm.dlq) + length(aws_cloudwatch_metric_alarm.oldest_message) == 0 && length(aws_cloudwatch_metric_alarm.table_throttles) == 1
    error_message = "There is one thing to watch."
  }
}

run "metrics_alone_make_no_alarms" {
  command = plan

  variables {
    metrics = {}
  }

  assert {
    condition     = length(aws_cloudwatch_metric_alarm.layer) == 0 && output.environment["IDEMPOTENCY_METRICS_NAMESPACE"] == "Idempotency"
    error_message = "Alarms are asked for apart; the namespace has a name of its own."
  }
}

run "a_table_of_the_callers_is_watched_by_its_own_name" {
  command = plan

  variables {
    alarms       = {}
    create_table = false
    metrics      = {}
    queues       = {}
    table_arn    = "arn:aws:dynamodb:us-east-1:123456789012:table/own"
    table_name   = "own"
  }

  assert {
    condition     = alltrue([for query in aws_cloudwatch_metric_alarm.table_throttles[0].metric_query : one(query.metric).dimensions.TableName == "own" if length(query.metric) > 0])
    error_message = "DynamoDB's metrics are by the name of the table."
  }

  assert {
    condition     = alltrue([for alarm in aws_cloudwatch_metric_alarm.layer : alarm.dimensions.Table == "own" && alarm.namespace == "Idempotency"])
    error_message = "So are the layer's."
  }
}
