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
    condition     = toset([for query in aws_cloudwatch_metric_alarm.table_throttles[0].metric_query : one(query.metric).metric_name if length(query.metric) > 0]) == toset(["ReadThrottleEvents", "WriteThrottleEvents"])
    error_message = "The table is to throttle nobody."
  }

  assert {
    condition     = alltrue([for alarm in concat(values(aws_cloudwatch_metric_alarm.dlq), values(aws_cloudwatch_metric_alarm.oldest_message), aws_cloudwatch_metric_alarm.table_throttles) : alarm.alarm_actions == toset(["arn:aws:sns:eu-west-1:123456789012:on-call"]) && alarm.ok_actions == alarm.alarm_actions && alarm.treat_missing_data == "notBreaching"])
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
    alarms    = {}
    dashboard = true
    metrics   = { namespace = "Shop" }
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
    condition     = length(aws_cloudwatch_metric_alarm.dlq["orders"].alarm_actions) == 0
    error_message = "Without topics an alarm tells nobody."
  }
}

run "the_dashboard_shows_deliveries_runs_and_replays" {
  command = apply

  variables {
    dashboard = true
    metrics   = {}
  }

  assert {
    condition     = [for widget in jsondecode(aws_cloudwatch_dashboard.this[0].dashboard_body).widgets : widget.properties.title] == ["Runs and replays", "What needs a look", "Deliveries", "Dead-letter queues", "Age of the oldest message (seconds)", "Table: units and throttles"]
    error_message = "Deliveries, runs and replays, and what goes wrong."
  }

  assert {
    condition     = jsondecode(aws_cloudwatch_dashboard.this[0].dashboard_body).widgets[0].properties.metrics[1] == ["Idempotency", "Replayed", "Table", "shop"]
    error_message = "The layer's metrics are by the table."
  }

  assert {
    condition     = alltrue([for widget in jsondecode(aws_cloudwatch_dashboard.this[0].dashboard_body).widgets : widget.properties.region == "eu-west-1"])
    error_message = "The metrics are where the table is."
  }
}
