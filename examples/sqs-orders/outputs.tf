output "queues" {
  description = "The queues that take the orders, `retail` and `wholesale`, as the module describes them."
  value       = module.idempotency.queues
}

output "outbox_url" {
  description = "URL of the queue that holds one message for each side effect."
  value       = aws_sqs_queue.outbox.url
}

output "table_name" {
  description = "Name of the table that holds one record for each order."
  value       = module.idempotency.table_name
}

output "log_group_names" {
  description = "Names of the functions' log groups, by channel."
  value       = { for channel, group in aws_cloudwatch_log_group.functions : channel => group.name }
}
