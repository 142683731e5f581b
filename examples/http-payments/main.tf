locals {
  zip       = "${path.module}/dist/pay.zip"
  route_arn = "${aws_apigatewayv2_api.this.execution_arn}/*/POST/payments"
}

################################################################################
# The module: table, permissions, layer
################################################################################

module "idempotency" {
  source = "../.."

  name                      = var.name
  table_deletion_protection = var.keep_table

  role_names = {
    pay = aws_iam_role.pay.name
  }
}

################################################################################
# The API: one route, for whom IAM lets in. Who that is comes with each event, and no caller is answered with another's
################################################################################

resource "aws_apigatewayv2_api" "this" {
  name          = var.name
  description   = "Takes payments: POST /payments"
  protocol_type = "HTTP"
}

resource "aws_apigatewayv2_route" "pay" {
  api_id             = aws_apigatewayv2_api.this.id
  authorization_type = "AWS_IAM"
  route_key          = "POST /payments"
  target             = "integrations/${aws_apigatewayv2_integration.pay.id}"
}

resource "aws_apigatewayv2_integration" "pay" {
  api_id                 = aws_apigatewayv2_api.this.id
  integration_type       = "AWS_PROXY"
  integration_uri        = aws_lambda_function.pay.invoke_arn
  payload_format_version = "2.0"

  # Longer than the function's, cold start included, or clients would be told 503 of charges that are made.
  timeout_milliseconds = 29000
}

resource "aws_apigatewayv2_stage" "this" {
  api_id      = aws_apigatewayv2_api.this.id
  name        = "$default"
  auto_deploy = true

  # No headers, among which is the key, and no bodies.
  access_log_settings {
    destination_arn = aws_cloudwatch_log_group.requests.arn
    format = jsonencode({
      integrationLatency = "$context.integrationLatency"
      requestId          = "$context.requestId"
      requestTime        = "$context.requestTime"
      routeKey           = "$context.routeKey"
      status             = "$context.status"
    })
  }

  default_route_settings {
    throttling_burst_limit = 20
    throttling_rate_limit  = 10
  }
}

resource "aws_lambda_permission" "pay" {
  action        = "lambda:InvokeFunction"
  function_name = aws_lambda_function.pay.function_name
  principal     = "apigateway.amazonaws.com"
  source_arn    = local.route_arn
}

################################################################################
# The function
################################################################################

resource "aws_lambda_function" "pay" {
  #checkov:skip=CKV_AWS_50:The example is small on purpose; examples/complete traces
  #checkov:skip=CKV_AWS_115:How many run at the same time is bounded by the stage's throttling
  #checkov:skip=CKV_AWS_116:Whoever calls waits for the answer; dead-letter queues are for asynchronous events
  #checkov:skip=CKV_AWS_117:It reaches only AWS's own endpoints, and needs no network of the account's
  #checkov:skip=CKV_AWS_173:The variables are names and settings, no secrets; examples/complete has a key for them
  #checkov:skip=CKV_AWS_272:Code signing is for the pipeline that builds the zip, which is not part of the example

  filename         = local.zip
  function_name    = "${var.name}-pay"
  handler          = "pay.handler"
  layers           = [module.idempotency.layer_arn]
  memory_size      = 256
  role             = aws_iam_role.pay.arn
  runtime          = "nodejs22.x"
  source_code_hash = fileexists(local.zip) ? filebase64sha256(local.zip) : null
  timeout          = 15

  environment {
    variables = merge(module.idempotency.environment, {
      CHARGE_SECONDS = tostring(var.charge_seconds)
      LEDGER_TABLE   = aws_dynamodb_table.ledger.name
    })
  }

  # Not before it may write its logs and its ledger.
  depends_on = [aws_iam_role_policy.pay]

  lifecycle {
    precondition {
      condition     = fileexists(local.zip)
      error_message = "${local.zip} is missing. Build it, at the root of the repository: npm run build:examples"
    }
  }
}

resource "aws_cloudwatch_log_group" "pay" {
  #checkov:skip=CKV_AWS_158:The log holds no payloads; examples/complete has a key for the logs
  #checkov:skip=CKV_AWS_338:Made-up payments need no year of logs; examples/complete keeps them for one

  name              = "/aws/lambda/${var.name}-pay"
  retention_in_days = 14
}

resource "aws_cloudwatch_log_group" "requests" {
  #checkov:skip=CKV_AWS_158:The log holds no payloads; examples/complete has a key for the logs
  #checkov:skip=CKV_AWS_338:Made-up payments need no year of logs; examples/complete keeps them for one

  name              = "/aws/apigateway/${var.name}"
  retention_in_days = 14
}

################################################################################
# The function's role; the module attaches its own policy to it
################################################################################

resource "aws_iam_role" "pay" {
  name               = "${var.name}-pay"
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

resource "aws_iam_role_policy" "pay" {
  name   = "own"
  policy = data.aws_iam_policy_document.pay.json
  role   = aws_iam_role.pay.name
}

data "aws_iam_policy_document" "pay" {
  statement {
    sid       = "Logs"
    actions   = ["logs:CreateLogStream", "logs:PutLogEvents"]
    resources = ["${aws_cloudwatch_log_group.pay.arn}:*"]
  }

  statement {
    sid       = "Ledger"
    actions   = ["dynamodb:PutItem"]
    resources = [aws_dynamodb_table.ledger.arn]
  }
}

################################################################################
# The side effect: one item a charge
################################################################################

resource "aws_dynamodb_table" "ledger" {
  #checkov:skip=CKV_AWS_119:The charges are made up; examples/complete has a key of its own

  billing_mode                = "PAY_PER_REQUEST"
  deletion_protection_enabled = var.keep_table
  hash_key                    = "id"
  name                        = "${var.name}-ledger"

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
