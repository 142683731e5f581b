# table.tf keeps one record for each operation, layer.tf brings the code that writes them, iam.tf the right to do so.
# queues.tf, async.tf and streams.tf are what brings an event again, with the settings that go with it, and alarms.tf
# and dashboard.tf show how it goes. What they share is here.

locals {
  # What functions use: the table made here, or the caller's own.
  table_arn         = var.create_table ? one(aws_dynamodb_table.this[*].arn) : var.table_arn
  table_name        = var.create_table ? one(aws_dynamodb_table.this[*].name) : var.table_name
  table_kms_key_arn = var.table_kms_key_arn == null ? var.kms_key_arn : var.table_kms_key_arn

  # Read by the layer.
  environment = merge(
    {
      IDEMPOTENCY_KEEP_FOR_SECONDS = tostring(var.keep_for_seconds)
      IDEMPOTENCY_TABLE            = local.table_name
    },
    var.metrics == null ? {} : {
      IDEMPOTENCY_METRICS           = "emf"
      IDEMPOTENCY_METRICS_NAMESPACE = var.metrics.namespace
    },
  )

  # Functions that may use keys of their own only, which iam.tf sees to.
  key_prefixes = {
    for key, function in var.functions : key => function.key_prefix == null ? "${key}#" : function.key_prefix if var.create
  }

  queues = {
    for key, queue in var.queues : key => merge(queue, {
      # Whether there is a mapping must be known when planning; the function's name need not be.
      event_source_mapping = queue.event_source_mapping == null ? queue.function_name != null : queue.event_source_mapping

      suffix = queue.fifo ? ".fifo" : ""

      # Six tries of a throttled batch: https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
      visibility_timeout = max(
        6 * queue.function_timeout + queue.batching_window,
        queue.visibility_timeout == null ? 0 : queue.visibility_timeout,
      )
    }) if var.create
  }

  streams         = { for key, stream in var.streams : key => stream if var.create }
  async_functions = { for key, settings in var.async_functions : key => settings if var.create }
}
