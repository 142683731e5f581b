# table.tf keeps one record for each operation, layer.tf brings the code that writes them, iam.tf the right to do so,
# and queues.tf the queues whose settings go with it. What they share is here.

locals {
  # What functions use: the table made here, or the caller's own.
  table_arn  = var.create_table ? one(aws_dynamodb_table.this[*].arn) : var.table_arn
  table_name = var.create_table ? one(aws_dynamodb_table.this[*].name) : var.table_name

  # Read by the layer.
  environment = {
    IDEMPOTENCY_KEEP_FOR_SECONDS = tostring(var.keep_for_seconds)
    IDEMPOTENCY_TABLE            = local.table_name
  }

  layer_zip = coalesce(var.layer_zip, "${path.module}/dist/layer.zip")

  queues = {
    for key, queue in var.queues : key => merge(queue, {
      # Whether there is a mapping must be known when planning; the function's name need not be.
      event_source_mapping = queue.event_source_mapping == null ? queue.function_name != null : queue.event_source_mapping

      role_keys = queue.role_key == null ? keys(var.role_names) : [queue.role_key]

      # Six tries of a throttled batch: https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
      visibility_timeout = max(
        6 * queue.function_timeout + queue.batching_window,
        queue.visibility_timeout == null ? 0 : queue.visibility_timeout,
      )
    }) if var.create
  }
}
