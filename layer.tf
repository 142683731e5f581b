resource "aws_lambda_layer_version" "this" {
  count = var.create && var.create_layer ? 1 : 0

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
      error_message = "The layer's zip ${local.layer_zip} does not exist. Run `npm run build` in the module's folder, use a release tag, which carries the zip, or set create_layer = false."
    }
  }
}
