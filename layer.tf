locals {
  create_layer = var.create && var.create_layer
  layer_zip    = coalesce(var.layer_zip, "${path.module}/dist/layer.zip")

  # Of the two below, the one there is.
  layer = one(concat(aws_lambda_layer_version.this, aws_lambda_layer_version.s3))
}

resource "aws_lambda_layer_version" "this" {
  count = local.create_layer && var.layer_s3_object == null ? 1 : 0

  compatible_architectures = var.compatible_architectures
  compatible_runtimes      = var.compatible_runtimes
  description              = "runOnce: the side effect of an event that arrives twice happens once"
  filename                 = local.layer_zip
  layer_name               = var.name
  license_info             = "MIT"

  # Functions that still use an older version keep it. Turning this on later would delete the version in use first.
  skip_destroy = true

  # Not read where there is no file: the precondition tells the reader more than the function's error would.
  source_code_hash = fileexists(local.layer_zip) ? filebase64sha256(local.layer_zip) : null

  lifecycle {
    # The path of the same file depends on where the module is used from; its hash says whether there is new code.
    ignore_changes = [filename]

    precondition {
      condition     = fileexists(local.layer_zip)
      error_message = "The layer's zip ${local.layer_zip} does not exist. Run `npm ci && npm run build` in the module's folder, use a release tag, which carries the zip, or set create_layer = false."
    }
  }
}

# Apart from the above, because there the path of the zip is ignored once it is known.
resource "aws_lambda_layer_version" "s3" {
  count = local.create_layer && var.layer_s3_object != null ? 1 : 0

  compatible_architectures = var.compatible_architectures
  compatible_runtimes      = var.compatible_runtimes
  description              = "runOnce: the side effect of an event that arrives twice happens once"
  layer_name               = var.name
  license_info             = "MIT"
  s3_bucket                = var.layer_s3_object.bucket
  s3_key                   = var.layer_s3_object.key
  s3_object_version        = var.layer_s3_object.object_version
  skip_destroy             = true
}

resource "aws_lambda_layer_version_permission" "this" {
  for_each = { for key, grant in var.layer_permissions : key => grant if local.create_layer }

  action          = "lambda:GetLayerVersion"
  layer_name      = local.layer.layer_arn
  organization_id = each.value.organization_id
  principal       = each.value.organization_id == null ? each.value.account_id : "*"
  statement_id    = each.key
  version_number  = local.layer.version

  # A new version of the layer is granted anew; the versions before it stay granted to those who use them.
  skip_destroy = true
}
