output "bus_name" {
  description = "Name of the bus that takes the orders."
  value       = aws_cloudwatch_event_bus.orders.name
}

output "customers_table_name" {
  description = "Name of the table that holds the customers' addresses."
  value       = aws_dynamodb_table.this["customers"].name
}

output "outbox_table_name" {
  description = "Name of the table that holds one item for each mail."
  value       = aws_dynamodb_table.this["outbox"].name
}

output "function_name" {
  description = "Name of the function, for events that are to be handed to it again."
  value       = aws_lambda_function.mail.function_name
}

output "given_up_url" {
  description = "URL of the queue of the events that are given up."
  value       = aws_sqs_queue.given_up.url
}
