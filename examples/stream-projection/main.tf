locals {
  zip = "${path.module}/dist/project.zip"
}

################################################################################
# The module: table, permissions, mapping of the stream, layer
################################################################################

module "idempotency" {
  source = "../.."

  name                      = var.name
  table_deletion_protection = var.keep_tables

  # Longer than the stream keeps a record: a stream that is read again from its beginning changes nothing.
  keep_for_seconds = 2 * aws_kinesis_stream.bookings.retention_period * 60 * 60

  role_names = {
    project = aws_iam_role.project.name
  }

  streams = {
    bookings = {
      event_source_arn = aws_kinesis_stream.bookings.arn
      function_name    = aws_lambda_function.project.function_name
      on_failure       = { arn = aws_sqs_queue.given_up.arn }
    }
  }
}

################################################################################
# The stream, and where the whereabouts of records go that are given up
################################################################################

resource "aws_kinesis_stream" "bookings" {
  #checkov:skip=CKV_AWS_185:The key of AWS is enough for made-up bookings; examples/complete has a key of its own

  name             = "${var.name}-bookings"
  encryption_type  = "KMS"
  kms_key_id       = "alias/aws/kinesis"
  retention_period = 24
  shard_count      = 1
}

resource "aws_sqs_queue" "given_up" {
  name                      = "${var.name}-given-up"
  message_retention_seconds = 14 * 24 * 60 * 60
  sqs_managed_sse_enabled   = true
}

################################################################################
# The function
################################################################################

resource "aws_lambda_function" "project" {
  #checkov:skip=CKV_AWS_50:The example is small on purpose; examples/complete traces
  #checkov:skip=CKV_AWS_115:How many run at the same time is bounded by the stream's shards
  #checkov:skip=CKV_AWS_116:What is given up goes to the mapping's destination; dead-letter queues are for asynchronous events
  #checkov:skip=CKV_AWS_117:It reaches only AWS's own endpoints, and needs no network of the account's
  #checkov:skip=CKV_AWS_173:The variables are names and settings, no secrets; examples/complete has a key for them
  #checkov:skip=CKV_AWS_272:Code signing is for the pipeline that builds the zip, which is not part of the example

  filename         = local.zip
  function_name    = "${var.name}-project"
  handler          = "project.handler"
  layers           = [module.idempotency.layer_arn]
  memory_size      = 256
  role             = aws_iam_role.project.arn
  runtime          = "nodejs22.x"
  source_code_hash = fileexists(local.zip) ? filebase64sha256(local.zip) : null
  timeout          = 30

  environment {
    variables = merge(module.idempotency.environment, {
      BALANCES_TABLE = aws_dynamodb_table.balances.name
    })
  }

  # Not before it may write its logs and the balances.
  depends_on = [aws_iam_role_policy.project]

  lifecycle {
    precondition {
      condition     = fileexists(local.zip)
      error_message = "${local.zip} is missing. Build it, at the root of the repository: npm run build:examples"
    }
  }
}

resource "aws_cloudwatch_log_group" "project" {
  #checkov:skip=CKV_AWS_158:The log holds no payloads; examples/complete has a key for the logs
  #checkov:skip=CKV_AWS_338:Made-up bookings need no year of logs; examples/complete keeps them for one

  name              = "/aws/lambda/${var.name}-project"
  retention_in_days = 14
}

################################################################################
# The function's role; the module attaches its own policies to it
################################################################################

resource "aws_iam_role" "project" {
  name               = "${var.name}-project"
  assume_role_policy = data.aws_iam_policy_document.assume.json
}

data "aws_iam_policy_document" "assume" {
  statement {
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["lambda.amazonaws.com"]
    }
  }
}

resource "aws_iam_role_policy" "project" {
  name   = "own"
  policy = data.aws_iam_policy_document.project.json
  role   = aws_iam_role.project.name
}

data "aws_iam_policy_document" "project" {
  statement {
    sid       = "Logs"
    actions   = ["logs:CreateLogStream", "logs:PutLogEvents"]
    resources = ["${aws_cloudwatch_log_group.project.arn}:*"]
  }

  statement {
    sid       = "Balances"
    actions   = ["dynamodb:UpdateItem"]
    resources = [aws_dynamodb_table.balances.arn]
  }
}

################################################################################
# The projection: one item an account
################################################################################

resource "aws_dynamodb_table" "balances" {
  #checkov:skip=CKV_AWS_119:The bookings are made up; examples/complete has a key of its own

  billing_mode                = "PAY_PER_REQUEST"
  deletion_protection_enabled = var.keep_tables
  hash_key                    = "account"
  name                        = "${var.name}-balances"

  attribute {
    name = "account"
    type = "S"
  }

  point_in_time_recovery {
    enabled = true
  }

  server_side_encryption {
    enabled = true
  }
}
