locals {
  zip = "${path.module}/dist/thumbnail.zip"
}

data "aws_caller_identity" "current" {}

################################################################################
# The module: table, permissions, retries of the function's events, layer
################################################################################

module "idempotency" {
  source = "../.."

  name                      = var.name
  table_deletion_protection = var.keep_data

  role_names = {
    thumbnail = aws_iam_role.thumbnail.name
  }

  async_functions = {
    thumbnail = {
      function_name = aws_lambda_function.thumbnail.function_name
      on_failure    = { arn = aws_s3_bucket.this["given_up"].arn }
    }
  }
}

################################################################################
# The notification
################################################################################

resource "aws_s3_bucket_notification" "pictures" {
  bucket = aws_s3_bucket.this["pictures"].id

  lambda_function {
    events              = ["s3:ObjectCreated:*"]
    filter_suffix       = ".ppm"
    lambda_function_arn = aws_lambda_function.thumbnail.arn
  }

  # S3 refuses a function that it may not invoke; and the first picture finds all that its thumbnail needs.
  depends_on = [
    aws_lambda_permission.pictures,
    aws_s3_bucket_versioning.this,
    module.idempotency,
  ]
}

resource "aws_lambda_permission" "pictures" {
  action         = "lambda:InvokeFunction"
  function_name  = aws_lambda_function.thumbnail.function_name
  principal      = "s3.amazonaws.com"
  source_account = data.aws_caller_identity.current.account_id
  source_arn     = aws_s3_bucket.this["pictures"].arn
}

################################################################################
# The function
################################################################################

resource "aws_lambda_function" "thumbnail" {
  #checkov:skip=CKV_AWS_50:The example is small on purpose; examples/complete traces
  #checkov:skip=CKV_AWS_115:Made-up pictures need no bound on how many run at the same time
  #checkov:skip=CKV_AWS_116:What is given up goes to the destination that the module sets
  #checkov:skip=CKV_AWS_117:It reaches only AWS's own endpoints, and needs no network of the account's
  #checkov:skip=CKV_AWS_173:The variables are names and settings, no secrets; examples/complete has a key for them
  #checkov:skip=CKV_AWS_272:Code signing is for the pipeline that builds the zip, which is not part of the example

  filename         = local.zip
  function_name    = "${var.name}-thumbnail"
  handler          = "thumbnail.handler"
  layers           = [module.idempotency.layer_arn]
  memory_size      = 512
  role             = aws_iam_role.thumbnail.arn
  runtime          = "nodejs22.x"
  source_code_hash = fileexists(local.zip) ? filebase64sha256(local.zip) : null
  timeout          = 30

  environment {
    variables = merge(module.idempotency.environment, {
      THUMBNAILS_BUCKET = aws_s3_bucket.this["thumbnails"].bucket
    })
  }

  # Not before it may write its logs and its thumbnails.
  depends_on = [aws_iam_role_policy.thumbnail]

  lifecycle {
    precondition {
      condition     = fileexists(local.zip)
      error_message = "${local.zip} is missing. Build it, at the root of the repository: npm run build:examples"
    }
  }
}

resource "aws_cloudwatch_log_group" "thumbnail" {
  #checkov:skip=CKV_AWS_158:The log holds no payloads; examples/complete has a key for the logs
  #checkov:skip=CKV_AWS_338:Made-up pictures need no year of logs; examples/complete keeps them for one

  name              = "/aws/lambda/${var.name}-thumbnail"
  retention_in_days = 14
}

################################################################################
# The function's role; the module attaches its own policies to it
################################################################################

resource "aws_iam_role" "thumbnail" {
  name               = "${var.name}-thumbnail"
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

resource "aws_iam_role_policy" "thumbnail" {
  name   = "own"
  policy = data.aws_iam_policy_document.thumbnail.json
  role   = aws_iam_role.thumbnail.name
}

data "aws_iam_policy_document" "thumbnail" {
  statement {
    sid       = "Logs"
    actions   = ["logs:CreateLogStream", "logs:PutLogEvents"]
    resources = ["${aws_cloudwatch_log_group.thumbnail.arn}:*"]
  }

  statement {
    sid       = "Pictures"
    actions   = ["s3:GetObjectVersion"]
    resources = ["${aws_s3_bucket.this["pictures"].arn}/*"]
  }

  statement {
    sid       = "Thumbnails"
    actions   = ["s3:PutObject"]
    resources = ["${aws_s3_bucket.this["thumbnails"].arn}/*"]
  }
}
