locals {
  zip = "${path.module}/dist/transfer.zip"
}

################################################################################
# The module: table, permissions, layer
################################################################################

module "idempotency" {
  source = "../.."

  name                      = var.name
  table_deletion_protection = var.keep_table

  role_names = {
    transfer = aws_iam_role.transfer.name
  }
}

################################################################################
# The function
################################################################################

resource "aws_lambda_function" "transfer" {
  #checkov:skip=CKV_AWS_50:The example is small on purpose; examples/complete traces
  #checkov:skip=CKV_AWS_115:How many run at the same time is bounded by the callers, who wait for each answer
  #checkov:skip=CKV_AWS_116:Whoever calls waits for the answer; dead-letter queues are for asynchronous events
  #checkov:skip=CKV_AWS_117:It reaches only AWS's own endpoints, and needs no network of the account's
  #checkov:skip=CKV_AWS_173:The variables are names and settings, no secrets; examples/complete has a key for them
  #checkov:skip=CKV_AWS_272:Code signing is for the pipeline that builds the zip, which is not part of the example

  filename         = local.zip
  function_name    = "${var.name}-transfer"
  handler          = "transfer.handler"
  layers           = [module.idempotency.layer_arn]
  memory_size      = 256
  role             = aws_iam_role.transfer.arn
  runtime          = "nodejs22.x"
  source_code_hash = fileexists(local.zip) ? filebase64sha256(local.zip) : null
  timeout          = 30

  environment {
    variables = merge(module.idempotency.environment, {
      LEDGER_TABLE     = aws_dynamodb_table.ledger.name
      TRANSFER_SECONDS = tostring(var.transfer_seconds)
    })
  }

  # Not before it may write its logs and its ledger.
  depends_on = [aws_iam_role_policy.transfer]

  lifecycle {
    precondition {
      condition     = fileexists(local.zip)
      error_message = "${local.zip} is missing. Build it, at the root of the repository: npm run build:examples"
    }
  }
}

resource "aws_cloudwatch_log_group" "transfer" {
  #checkov:skip=CKV_AWS_158:The log holds no payloads; examples/complete has a key for the logs
  #checkov:skip=CKV_AWS_338:Made-up transfers need no year of logs; examples/complete keeps them for one

  name              = "/aws/lambda/${var.name}-transfer"
  retention_in_days = 14
}

################################################################################
# The function's role; the module attaches its own policy to it
################################################################################

resource "aws_iam_role" "transfer" {
  name               = "${var.name}-transfer"
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

resource "aws_iam_role_policy" "transfer" {
  name   = "own"
  policy = data.aws_iam_policy_document.transfer.json
  role   = aws_iam_role.transfer.name
}

data "aws_iam_policy_document" "transfer" {
  statement {
    sid       = "Logs"
    actions   = ["logs:CreateLogStream", "logs:PutLogEvents"]
    resources = ["${aws_cloudwatch_log_group.transfer.arn}:*"]
  }

  statement {
    sid       = "Ledger"
    actions   = ["dynamodb:PutItem"]
    resources = [aws_dynamodb_table.ledger.arn]
  }
}

################################################################################
# The side effect: one item a transfer
################################################################################

resource "aws_dynamodb_table" "ledger" {
  #checkov:skip=CKV_AWS_119:The transfers are made up; examples/complete has a key of its own

  billing_mode                = "PAY_PER_REQUEST"
  deletion_protection_enabled = var.keep_table
  hash_key                    = "receipt"
  name                        = "${var.name}-ledger"

  attribute {
    name = "receipt"
    type = "S"
  }

  point_in_time_recovery {
    enabled = true
  }

  server_side_encryption {
    enabled = true
  }
}
