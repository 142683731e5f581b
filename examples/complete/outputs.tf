output "queues" {
  description = "The queues `charges` and `refunds`, as the module describes them."
  value       = module.idempotency.queues
}

output "function_names" {
  description = "Names of the functions, by key."
  value       = { for key, function in aws_lambda_function.this : key => function.function_name }
}

output "stream_name" {
  description = "Name of the stream of payments."
  value       = aws_kinesis_stream.payments.name
}

output "outbox_url" {
  description = "URL of the queue that holds one message for each side effect."
  value       = aws_sqs_queue.outbox.url
}

output "given_up_url" {
  description = "URL of the queue of what Lambda gave up: asynchronous events, and the whereabouts of a stream's records."
  value       = aws_sqs_queue.given_up.url
}

output "table_name" {
  description = "Name of the table that holds the records."
  value       = module.idempotency.table_name
}
