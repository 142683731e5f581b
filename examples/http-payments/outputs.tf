output "url" {
  description = "Where payments are posted, with an `Idempotency-Key` and an AWS signature for `execute-api`."
  value       = "${aws_apigatewayv2_api.this.api_endpoint}/payments"
}

output "route_arn" {
  description = "ARN of the route, for `execute-api:Invoke` in the policies of its callers."
  value       = local.route_arn
}

output "ledger_table_name" {
  description = "Name of the table that holds one item for each charge."
  value       = aws_dynamodb_table.ledger.name
}
