locals {
  # Each with keys of its own, which no other function may use.
  functions = {
    charges  = { description = "Charges cards: orders from a queue", timeout = 30 }
    refunds  = { description = "Pays back: refunds from a FIFO queue, in order", timeout = 30 }
    receipts = { description = "Mails receipts: asynchronous invocations", timeout = 30 }
    ledger   = { description = "Books payments: a stream", timeout = 60 }
  }
}

################################################################################
# The module: all that makes a repeated event harmless
################################################################################

module "idempotency" {
  source = "../.."

  name                      = var.name
  kms_key_arn               = aws_kms_key.this.arn
  policy_path               = "/${var.name}/"
  table_deletion_protection = var.keep_table

  # A message may be moved back from a dead-letter queue for 14 days, and is still done once only.
  keep_for_seconds = 15 * 24 * 60 * 60

  functions  = { for key in keys(local.functions) : key => {} }
  role_names = { for key, role in aws_iam_role.function : key => role.name }

  queues = {
    charges = {
      function_name       = aws_lambda_function.this["charges"].function_name
      function_timeout    = local.functions.charges.timeout
      role_key            = "charges"
      batch_size          = 100
      batching_window     = 1
      maximum_concurrency = 50
    }

    refunds = {
      function_name    = aws_lambda_function.this["refunds"].function_name
      function_timeout = local.functions.refunds.timeout
      role_key         = "refunds"
      fifo             = true
      high_throughput  = true
    }
  }

  async_functions = {
    receipts = {
      function_name = aws_lambda_function.this["receipts"].function_name
      role_key      = "receipts"
      on_failure    = { arn = aws_sqs_queue.given_up.arn, kms_key_arn = aws_kms_key.this.arn }
    }
  }

  streams = {
    ledger = {
      event_source_arn       = aws_kinesis_stream.payments.arn
      function_name          = aws_lambda_function.this["ledger"].function_name
      role_key               = "ledger"
      kms_key_arn            = aws_kms_key.this.arn
      parallelization_factor = 2
      on_failure             = { arn = aws_sqs_queue.given_up.arn, kms_key_arn = aws_kms_key.this.arn }
    }
  }

  metrics   = {}
  alarms    = { topic_arns = [aws_sns_topic.alarms.arn] }
  dashboard = true
}

################################################################################
# What the module's users bring: a stream, a place for what is given up, a topic
################################################################################

resource "aws_kinesis_stream" "payments" {
  name             = "${var.name}-payments"
  encryption_type  = "KMS"
  kms_key_id       = aws_kms_key.this.arn
  retention_period = 48
  shard_count      = 1
}

resource "aws_sqs_queue" "given_up" {
  name                      = "${var.name}-given-up"
  kms_master_key_id         = aws_kms_key.this.arn
  message_retention_seconds = 14 * 24 * 60 * 60
}

resource "aws_sns_topic" "alarms" {
  name              = "${var.name}-alarms"
  kms_master_key_id = aws_kms_key.this.arn
}

################################################################################
# The side effect of all of them: one message each
################################################################################

resource "aws_sqs_queue" "outbox" {
  name              = "${var.name}-outbox"
  kms_master_key_id = aws_kms_key.this.arn
}
