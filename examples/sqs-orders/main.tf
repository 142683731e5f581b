locals {
  # One queue and one function a channel. The functions do the same; one is an ES module and one is CommonJS.
  channels = {
    retail = {
      batch_size = 10
      timeout    = var.function_timeouts.retail
      zip        = "${path.module}/dist/confirm-retail.zip"
    }
    wholesale = {
      batch_size = 1
      timeout    = var.function_timeouts.wholesale
      zip        = "${path.module}/dist/confirm-wholesale.zip"
    }
  }
}

################################################################################
# The module: table, permissions, queues, layer
################################################################################

module "idempotency" {
  source = "../.."

  name                      = var.name
  table_deletion_protection = var.keep_table

  role_names = {
    functions = aws_iam_role.functions.name
  }

  queues = {
    for channel, settings in local.channels : channel => {
      batch_size          = settings.batch_size
      function_name       = aws_lambda_function.confirm[channel].function_name
      function_timeout    = settings.timeout
      maximum_concurrency = 2
    }
  }
}

################################################################################
# The functions
################################################################################

resource "aws_lambda_function" "confirm" {
  for_each = local.channels

  #checkov:skip=CKV_AWS_50:The example is small on purpose; examples/complete traces
  #checkov:skip=CKV_AWS_115:How many run at the same time is bounded by the queues' maximum_concurrency
  #checkov:skip=CKV_AWS_116:What is given up goes to the queues' dead-letter queues, which the module makes
  #checkov:skip=CKV_AWS_117:They reach only AWS's own endpoints, and need no network of the account's
  #checkov:skip=CKV_AWS_173:The variables are names and settings, no secrets; examples/complete has a key for them
  #checkov:skip=CKV_AWS_272:Code signing is for the pipeline that builds the zips, which is not part of the example

  filename         = each.value.zip
  function_name    = "${var.name}-confirm-${each.key}"
  handler          = "confirm-${each.key}.handler"
  layers           = [module.idempotency.layer_arn]
  memory_size      = 256
  role             = aws_iam_role.functions.arn
  runtime          = "nodejs22.x"
  source_code_hash = fileexists(each.value.zip) ? filebase64sha256(each.value.zip) : null
  timeout          = each.value.timeout

  environment {
    variables = merge(module.idempotency.environment, {
      OUTBOX_URL         = aws_sqs_queue.outbox.url
      REHEARSE_ACCIDENTS = tostring(var.rehearse_accidents)
    })
  }

  depends_on = [aws_cloudwatch_log_group.functions]

  lifecycle {
    precondition {
      condition     = fileexists(each.value.zip)
      error_message = "${each.value.zip} is missing. Build it, at the root of the repository: npm run build:examples"
    }
  }
}

resource "aws_cloudwatch_log_group" "functions" {
  for_each = local.channels

  #checkov:skip=CKV_AWS_158:The logs hold identifiers of made-up orders and no payloads; examples/complete has a key for the logs
  #checkov:skip=CKV_AWS_338:Made-up orders need no year of logs; examples/complete keeps them for one

  name              = "/aws/lambda/${var.name}-confirm-${each.key}"
  retention_in_days = 14
}

################################################################################
# The functions' role; the module attaches its own policy to it
################################################################################

data "aws_partition" "current" {}

resource "aws_iam_role" "functions" {
  name               = "${var.name}-functions"
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

resource "aws_iam_role_policy_attachment" "functions" {
  for_each = {
    logs = "arn:${data.aws_partition.current.partition}:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"
  }

  policy_arn = each.value
  role       = aws_iam_role.functions.name
}

resource "aws_iam_role_policy" "outbox" {
  name   = "outbox"
  policy = data.aws_iam_policy_document.outbox.json
  role   = aws_iam_role.functions.name
}

data "aws_iam_policy_document" "outbox" {
  statement {
    actions   = ["sqs:SendMessage"]
    resources = [aws_sqs_queue.outbox.arn]
  }
}

################################################################################
# The side effect: one message an order. Whoever sends the mails takes them from here
################################################################################

resource "aws_sqs_queue" "outbox" {
  name                    = "${var.name}-outbox"
  sqs_managed_sse_enabled = true
}
