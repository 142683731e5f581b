output "function_name" {
  description = "Name of the function, for whoever invokes it."
  value       = aws_lambda_function.transfer.function_name
}

output "ledger_table_name" {
  description = "Name of the table that holds one item for each transfer."
  value       = aws_dynamodb_table.ledger.name
}

output "log_group_name" {
  description = "Name of the function's log group, which tells how often it was invoked."
  value       = aws_cloudwatch_log_group.transfer.name
}
