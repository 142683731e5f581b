output "stream_name" {
  description = "Name of the stream of bookings."
  value       = aws_kinesis_stream.bookings.name
}

output "balances_table_name" {
  description = "Name of the table that holds one item for each account."
  value       = aws_dynamodb_table.balances.name
}

output "given_up_url" {
  description = "URL of the queue that is told which records Lambda gave up."
  value       = aws_sqs_queue.given_up.url
}

output "log_group_name" {
  description = "Name of the function's log group."
  value       = aws_cloudwatch_log_group.project.name
}
