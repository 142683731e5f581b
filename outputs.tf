output "environment" {
  description = "Environment variables that the layer reads. Merge them into the function's environment. Empty where `functions` is set: take the function's own from the output `functions`."
  value       = var.create && length(var.functions) == 0 ? local.environment : {}
}

output "functions" {
  description = "By key of `functions`: environment, which has the function's key prefix, and policy_arn and policy_json, for roles that are not in `role_names`."
  value = {
    for key, prefix in local.key_prefixes : key => {
      environment = merge(local.environment, { IDEMPOTENCY_KEY_PREFIX = prefix })
      policy_arn  = aws_iam_policy.function[key].arn
      policy_json = aws_iam_policy.function[key].policy
    }
  }
}

output "layer_arn" {
  description = "ARN of the layer's version, for a function's `layers`. Null where no layer is made."
  value       = one(concat(aws_lambda_layer_version.this[*].arn, aws_lambda_layer_version.s3[*].arn))
}

output "layer_version" {
  description = "Number of the layer's version. Null where no layer is made."
  value       = one(concat(aws_lambda_layer_version.this[*].version, aws_lambda_layer_version.s3[*].version))
}

output "policy_arn" {
  description = "ARN of the managed policy that lets a function use the table, for roles that are not in `role_names`. Null where `functions` is set."
  value       = one(aws_iam_policy.this[*].arn)
}

output "policy_json" {
  description = "The same policy as a JSON document, for roles that take inline policies only. Null where `functions` is set."
  value       = one(aws_iam_policy.this[*].policy)
}

output "queue_settings" {
  description = "By key of `existing_queues`: settings that fit the function. visibility_timeout_seconds, receive_wait_time_seconds and max_receive_count are for the queue, dlq_message_retention_seconds for its dead-letter queue, function_response_types for its event source mapping."
  value = {
    for key, queue in local.existing_queues : key => {
      dlq_message_retention_seconds = local.longest_retention
      function_response_types       = local.function_response_types
      max_receive_count             = 5
      receive_wait_time_seconds     = local.longest_poll
      visibility_timeout_seconds    = max(queue.visibility_timeout, queue.least_visibility_timeout)
    }
  }
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

output "streams" {
  description = "By key of `streams`: event_source_mapping_uuid."
  value       = { for key in keys(local.streams) : key => { event_source_mapping_uuid = aws_lambda_event_source_mapping.stream[key].uuid } }
}

output "table_arn" {
  description = "ARN of the table that holds the records."
  value       = var.create ? local.table_arn : null
}

output "table_name" {
  description = "Name of the table that holds the records."
  value       = var.create ? local.table_name : null
}
