locals {
  given_up = "${var.name}-given-up"
  zip      = "${path.module}/dist/mail.zip"
}

################################################################################
# The module: table, permissions, retries of the function's events, layer
################################################################################

module "idempotency" {
  source = "../.."

  name                      = var.name
  table_deletion_protection = var.keep_tables

  role_names = {
    mail = aws_iam_role.mail.name
  }

  async_functions = {
    mail = {
      function_name = aws_lambda_function.mail.function_name
      on_failure    = { arn = aws_sqs_queue.given_up.arn }
    }
  }
}

################################################################################
# The bus and its rule
################################################################################

resource "aws_cloudwatch_event_bus" "orders" {
  name = "${var.name}-orders"
}

resource "aws_cloudwatch_event_rule" "placed" {
  name           = "${var.name}-placed"
  description    = "Orders that are placed"
  event_bus_name = aws_cloudwatch_event_bus.orders.name

  event_pattern = jsonencode({
    source        = ["shop.orders"]
    "detail-type" = ["OrderPlaced"]
  })
}

resource "aws_cloudwatch_event_target" "mail" {
  arn            = aws_lambda_function.mail.arn
  event_bus_name = aws_cloudwatch_event_bus.orders.name
  rule           = aws_cloudwatch_event_rule.placed.name
  target_id      = "mail"

  # Of what cannot be handed to Lambda. Its retries and those of Lambda must end before a result is forgotten, and by
  # themselves they would go on for 24 hours.
  retry_policy {
    maximum_event_age_in_seconds = 6 * 60 * 60
    maximum_retry_attempts       = 185
  }

  dead_letter_config {
    arn = aws_sqs_queue.given_up.arn
  }

  # The first order finds all that its mail needs.
  depends_on = [
    aws_lambda_permission.placed,
    module.idempotency,
  ]
}

resource "aws_lambda_permission" "placed" {
  action        = "lambda:InvokeFunction"
  function_name = aws_lambda_function.mail.function_name
  principal     = "events.amazonaws.com"
  source_arn    = aws_cloudwatch_event_rule.placed.arn
}

################################################################################
# What is given up: by EventBridge, which could not invoke the function, and by Lambda, after the last retry
################################################################################

data "aws_caller_identity" "current" {}

data "aws_partition" "current" {}

data "aws_region" "current" {}

resource "aws_sqs_queue" "given_up" {
  name                      = local.given_up
  message_retention_seconds = 14 * 24 * 60 * 60
  sqs_managed_sse_enabled   = true

  # As a resource of its own it would take the provider a minute more: SQS spreads each change for half of one.
  policy = data.aws_iam_policy_document.given_up.json
}

data "aws_iam_policy_document" "given_up" {
  statement {
    actions   = ["sqs:SendMessage"]
    resources = ["arn:${data.aws_partition.current.partition}:sqs:${data.aws_region.current.id}:${data.aws_caller_identity.current.account_id}:${local.given_up}"]

    principals {
      type        = "Service"
      identifiers = ["events.amazonaws.com"]
    }

    condition {
      test     = "ArnEquals"
      variable = "aws:SourceArn"
      values   = [aws_cloudwatch_event_rule.placed.arn]
    }
  }
}

################################################################################
# The function
################################################################################

resource "aws_lambda_function" "mail" {
  #checkov:skip=CKV_AWS_50:The example is small on purpose; examples/complete traces
  #checkov:skip=CKV_AWS_115:Made-up orders need no bound on how many run at the same time
  #checkov:skip=CKV_AWS_116:What is given up goes to the destination that the module sets
  #checkov:skip=CKV_AWS_117:It reaches only AWS's own endpoints, and needs no network of the account's
  #checkov:skip=CKV_AWS_173:The variables are names and settings, no secrets; examples/complete has a key for them
  #checkov:skip=CKV_AWS_272:Code signing is for the pipeline that builds the zip, which is not part of the example

  filename         = local.zip
  function_name    = "${var.name}-mail"
  handler          = "mail.handler"
  layers           = [module.idempotency.layer_arn]
  memory_size      = 256
  role             = aws_iam_role.mail.arn
  runtime          = "nodejs22.x"
  source_code_hash = fileexists(local.zip) ? filebase64sha256(local.zip) : null
  timeout          = 30

  environment {
    variables = merge(module.idempotency.environment, {
      CUSTOMERS_TABLE = aws_dynamodb_table.this["customers"].name
      OUTBOX_TABLE    = aws_dynamodb_table.this["outbox"].name
    })
  }

  # Not before it may write its logs and its mails.
  depends_on = [aws_iam_role_policy.mail]

  lifecycle {
    precondition {
      condition     = fileexists(local.zip)
      error_message = "${local.zip} is missing. Build it, at the root of the repository: npm run build:examples"
    }
  }
}

resource "aws_cloudwatch_log_group" "mail" {
  #checkov:skip=CKV_AWS_158:The log holds no payloads; examples/complete has a key for the logs
  #checkov:skip=CKV_AWS_338:Made-up orders need no year of logs; examples/complete keeps them for one

  name              = "/aws/lambda/${var.name}-mail"
  retention_in_days = 14
}

################################################################################
# The function's role; the module attaches its own policies to it
################################################################################

resource "aws_iam_role" "mail" {
  name               = "${var.name}-mail"
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

resource "aws_iam_role_policy" "mail" {
  name   = "own"
  policy = data.aws_iam_policy_document.mail.json
  role   = aws_iam_role.mail.name
}

data "aws_iam_policy_document" "mail" {
  statement {
    sid       = "Logs"
    actions   = ["logs:CreateLogStream", "logs:PutLogEvents"]
    resources = ["${aws_cloudwatch_log_group.mail.arn}:*"]
  }

  statement {
    sid       = "Customers"
    actions   = ["dynamodb:GetItem"]
    resources = [aws_dynamodb_table.this["customers"].arn]
  }

  statement {
    sid       = "Outbox"
    actions   = ["dynamodb:PutItem"]
    resources = [aws_dynamodb_table.this["outbox"].arn]
  }
}

################################################################################
# The customers' addresses, and the side effect: one item a mail
################################################################################

resource "aws_dynamodb_table" "this" {
  for_each = toset(["customers", "outbox"])

  #checkov:skip=CKV_AWS_119:The customers are made up; examples/complete has a key of its own

  billing_mode                = "PAY_PER_REQUEST"
  deletion_protection_enabled = var.keep_tables
  hash_key                    = "id"
  name                        = "${var.name}-${each.key}"

  attribute {
    name = "id"
    type = "S"
  }

  point_in_time_recovery {
    enabled = true
  }

  server_side_encryption {
    enabled = true
  }
}
