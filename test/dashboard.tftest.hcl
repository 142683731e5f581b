mock_provider "aws" {
  mock_resource "aws_dynamodb_table" {
    defaults = { arn = "arn:aws-cn:dynamodb:cn-north-1:123456789012:table/shop" }
  }
}

variables {
  create_layer = false
  dashboard    = true
  name         = "shop"
}

run "it_shows_runs_replays_deliveries_and_what_goes_wrong" {
  command = apply

  variables {
    metrics = { namespace = "Shop" }
    queues  = { orders = { function_timeout = 30 }, refunds = { fifo = true, function_timeout = 60 } }
  }

  assert {
    condition     = aws_cloudwatch_dashboard.this[0].dashboard_name == "shop"
    error_message = "It has the module's name."
  }

  assert {
    condition = { for widget in jsondecode(aws_cloudwatch_dashboard.this[0].dashboard_body).widgets : widget.properties.title => widget.properties.metrics } == {
      "Runs and replays" = [
        ["Shop", "Executed", "Table", "shop"],
        ["Shop", "Replayed", "Table", "shop"],
        ["Shop", "InProgress", "Table", "shop"],
        ["Shop", "Waited", "Table", "shop"],
      ]
      "What needs a look" = [
        ["Shop", "TakenOver", "Table", "shop"],
        ["Shop", "LockLost", "Table", "shop"],
        ["Shop", "ResultUnavailable", "Table", "shop"],
        ["Shop", "StoreError", "Table", "shop"],
        ["Shop", "Released", "Table", "shop"],
      ]
      "Deliveries" = [
        ["AWS/SQS", "NumberOfMessagesReceived", "QueueName", "shop-orders"],
        ["AWS/SQS", "NumberOfMessagesReceived", "QueueName", "shop-refunds.fifo"],
      ]
      "Dead-letter queues" = [
        ["AWS/SQS", "ApproximateNumberOfMessagesVisible", "QueueName", "shop-orders-dlq"],
        ["AWS/SQS", "ApproximateNumberOfMessagesVisible", "QueueName", "shop-refunds-dlq.fifo"],
      ]
      "Age of the oldest message (seconds)" = [
        ["AWS/SQS", "ApproximateAgeOfOldestMessage", "QueueName", "shop-orders"],
        ["AWS/SQS", "ApproximateAgeOfOldestMessage", "QueueName", "shop-refunds.fifo"],
      ]
      "Table: units and throttles" = [
        ["AWS/DynamoDB", "ConsumedWriteCapacityUnits", "TableName", "shop"],
        ["AWS/DynamoDB", "ConsumedReadCapacityUnits", "TableName", "shop"],
        ["AWS/DynamoDB", "WriteThrottleEvents", "TableName", "shop"],
        ["AWS/DynamoDB", "ReadThrottleEvents", "TableName", "shop"],
      ]
    }
    error_message = "Each widget has its metrics, by the table or the queue."
  }

  assert {
    condition     = [for widget in jsondecode(aws_cloudwatch_dashboard.this[0].dashboard_body).widgets : widget.properties.stat] == ["Sum", "Sum", "Sum", "Maximum", "Maximum", "Sum"]
    error_message = "Counts add up; depths and ages do not."
  }

  assert {
    condition     = alltrue([for widget in jsondecode(aws_cloudwatch_dashboard.this[0].dashboard_body).widgets : widget.type == "metric" && widget.width == 12 && widget.height == 6 && widget.properties.period == 60 && widget.properties.view == "timeSeries"])
    error_message = "Widgets are alike, two beside each other, by the minute."
  }

  assert {
    condition     = alltrue([for widget in jsondecode(aws_cloudwatch_dashboard.this[0].dashboard_body).widgets : widget.properties.region == "cn-north-1"])
    error_message = "The metrics are where the table is."
  }
}

run "it_shows_only_what_there_is" {
  command = apply

  variables {
    create_table = false
    table_arn    = "arn:aws-cn:dynamodb:cn-northwest-1:123456789012:table/own"
    table_name   = "own"
  }

  assert {
    condition     = [for widget in jsondecode(aws_cloudwatch_dashboard.this[0].dashboard_body).widgets : [widget.properties.title, widget.properties.region, widget.properties.metrics[0][3]]] == [["Table: units and throttles", "cn-northwest-1", "own"]]
    error_message = "Without metrics and queues, that is the caller's own table."
  }
}
