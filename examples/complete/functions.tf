resource "aws_lambda_function" "this" {
  for_each = local.functions

  #checkov:skip=CKV_AWS_115:How many run at the same time is bounded by the sources: maximum_concurrency and parallelization_factor
  #checkov:skip=CKV_AWS_116:What is given up goes to the sources' dead-letter queues and destinations, which the module sets
  #checkov:skip=CKV_AWS_117:They reach only AWS's own endpoints, and need no network of the account's
  #checkov:skip=CKV_AWS_272:Code signing is for the pipeline that builds the zips, which is not part of the example

  description      = each.value.description
  filename         = "${path.module}/dist/${each.key}.zip"
  function_name    = "${var.name}-${each.key}"
  handler          = "${each.key}.handler"
  kms_key_arn      = aws_kms_key.this.arn
  layers           = [module.idempotency.layer_arn]
  memory_size      = 256
  role             = aws_iam_role.function[each.key].arn
  runtime          = "nodejs22.x"
  source_code_hash = fileexists("${path.module}/dist/${each.key}.zip") ? filebase64sha256("${path.module}/dist/${each.key}.zip") : null
  timeout          = each.value.timeout

  environment {
    variables = merge(module.idempotency.functions[each.key].environment, {
      OUTBOX_URL = aws_sqs_queue.outbox.url
    })
  }

  logging_config {
    log_format = "JSON"
    log_group  = aws_cloudwatch_log_group.function[each.key].name
  }

  tracing_config {
    mode = "Active"
  }

  # Not before it may write its logs and its effects.
  depends_on = [aws_iam_role_policy.function]

  lifecycle {
    precondition {
      condition     = fileexists("${path.module}/dist/${each.key}.zip")
      error_message = "${path.module}/dist/${each.key}.zip is missing. Build it, at the root of the repository: npm run build:examples"
    }
  }
}

resource "aws_cloudwatch_log_group" "function" {
  for_each = local.functions

  name              = "/aws/lambda/${var.name}-${each.key}"
  kms_key_id        = aws_kms_key.this.arn
  retention_in_days = 365
}

################################################################################
# A role each; the module attaches its policies to them
################################################################################

resource "aws_iam_role" "function" {
  for_each = local.functions

  name                 = "${var.name}-${each.key}"
  assume_role_policy   = data.aws_iam_policy_document.assume.json
  path                 = "/${var.name}/"
  permissions_boundary = var.permissions_boundary_arn
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

resource "aws_iam_role_policy" "function" {
  for_each = local.functions

  name   = "own"
  policy = data.aws_iam_policy_document.function[each.key].json
  role   = aws_iam_role.function[each.key].name
}

data "aws_iam_policy_document" "function" {
  for_each = local.functions

  statement {
    sid       = "Logs"
    actions   = ["logs:CreateLogStream", "logs:PutLogEvents"]
    resources = ["${aws_cloudwatch_log_group.function[each.key].arn}:*"]
  }

  statement {
    #checkov:skip=CKV_AWS_111:These actions know no resource
    #checkov:skip=CKV_AWS_356:These actions know no resource
    sid       = "Traces"
    actions   = ["xray:PutTelemetryRecords", "xray:PutTraceSegments"]
    resources = ["*"]
  }

  statement {
    sid       = "Effects"
    actions   = ["sqs:SendMessage"]
    resources = [aws_sqs_queue.outbox.arn]
  }

  statement {
    sid       = "EncryptedEffects"
    actions   = ["kms:Decrypt", "kms:GenerateDataKey"]
    resources = [aws_kms_key.this.arn]

    condition {
      test     = "StringEquals"
      variable = "kms:ViaService"
      values   = ["sqs.${data.aws_region.current.id}.${data.aws_partition.current.dns_suffix}"]
    }
  }
}
