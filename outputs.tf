output "environment" {
  description = "Environment variables that the layer reads. Merge them into the function's environment."
  value       = var.create ? local.environment : {}
}

output "layer_arn" {
  description = "ARN of the layer's version, for a function's `layers`. Null where no layer is made."
  value       = one(aws_lambda_layer_version.this[*].arn)
}

output "layer_version" {
  description = "Number of the layer's version. Null where no layer is made."
  value       = one(aws_lambda_layer_version.this[*].version)
}

output "policy_arn" {
  description = "ARN of the managed policy that lets a function use the table, for roles that are not in `role_names`."
  value       = one(aws_iam_policy.this[*].arn)
}

output "policy_json" {
  description = "The same policy as a JSON document, for roles that take inline policies only."
  value       = one(aws_iam_policy.this[*].policy)
}

output "queues" {
  description = "By key of `queues`: url, arn and name of the queue and of its dead-letter queue (dlq_url, dlq_arn, dlq_name), visibility_timeout in seconds, and event_source_mapping_uuid, null where no function is named."
  value = {
    for key, queue in local.queues : key => {
      arn                       = aws_sqs_queue.this[key].arn
      dlq_arn                   = aws_sqs_queue.dlq[key].arn
      dlq_name                  = aws_sqs_queue.dlq[key].name
      dlq_url                   = aws_sqs_queue.dlq[key].url
      event_source_mapping_uuid = queue.event_source_mapping ? aws_lambda_event_source_mapping.this[key].uuid : null
      name                      = aws_sqs_queue.this[key].name
      url                       = aws_sqs_queue.this[key].url
      visibility_timeout        = aws_sqs_queue.this[key].visibility_timeout_seconds
    }
  }
}

output "table_arn" {
  description = "ARN of the table that holds the records."
  value       = var.create ? local.table_arn : null
}

output "table_name" {
  description = "Name of the table that holds the records."
  value       = var.create ? local.table_name : null
}
