mock_provider "aws" {
  mock_resource "aws_lambda_layer_version" {
    defaults = { version = "3" }
  }
}

variables {
  create_table = false
  name         = "shop"
  table_arn    = "arn:aws:dynamodb:eu-west-1:123456789012:table/shop"
  table_name   = "shop"

  # Any file: under a mocked provider, nothing opens it.
  layer_zip = "versions.tf"
}

run "the_layer_is_published_for_both_instruction_sets" {
  command = apply

  assert {
    condition     = aws_lambda_layer_version.this[0].layer_name == "shop" && aws_lambda_layer_version.this[0].filename == "versions.tf"
    error_message = "The layer has the module's name and the zip's bytes."
  }

  assert {
    condition     = aws_lambda_layer_version.this[0].source_code_hash == filebase64sha256("versions.tf")
    error_message = "New bytes make a new version."
  }

  assert {
    condition     = aws_lambda_layer_version.this[0].compatible_runtimes == toset(["nodejs22.x"]) && aws_lambda_layer_version.this[0].compatible_architectures == toset(["arm64", "x86_64"])
    error_message = "It is listed for a runtime that every supported provider knows, and for both instruction sets."
  }

  assert {
    condition     = output.layer_arn == aws_lambda_layer_version.this[0].arn && output.layer_version == aws_lambda_layer_version.this[0].version
    error_message = "The outputs tell of the version."
  }
}

run "t5_versions_are_kept" {
  command = plan

  assert {
    condition     = aws_lambda_layer_version.this[0].skip_destroy
    error_message = "Functions that use an older version keep it."
  }
}

run "t3_a_missing_zip_is_refused" {
  command = plan

  variables {
    layer_zip = "no-such.zip"
  }

  expect_failures = [aws_lambda_layer_version.this]
}

run "t3_a_missing_zip_does_not_matter_without_the_layer" {
  command = plan

  variables {
    create_layer = false
    layer_zip    = "no-such.zip"
  }

  assert {
    condition     = length(aws_lambda_layer_version.this) == 0 && output.layer_arn == null && output.layer_version == null
    error_message = "No layer is published."
  }
}

run "the_zip_may_be_in_s3" {
  command = apply

  variables {
    layer_s3_object = { bucket = "artifacts", key = "layer.zip", object_version = "3" }
    layer_zip       = null
  }

  assert {
    condition     = length(aws_lambda_layer_version.this) == 0 && aws_lambda_layer_version.s3[0].s3_bucket == "artifacts" && aws_lambda_layer_version.s3[0].s3_key == "layer.zip" && aws_lambda_layer_version.s3[0].s3_object_version == "3"
    error_message = "The layer is made of the object."
  }

  assert {
    condition     = aws_lambda_layer_version.s3[0].layer_name == "shop" && aws_lambda_layer_version.s3[0].compatible_runtimes == toset(["nodejs22.x"]) && aws_lambda_layer_version.s3[0].compatible_architectures == toset(["arm64", "x86_64"])
    error_message = "It is listed as the one from a local zip."
  }

  assert {
    condition     = aws_lambda_layer_version.s3[0].skip_destroy && output.layer_arn == aws_lambda_layer_version.s3[0].arn && output.layer_version == aws_lambda_layer_version.s3[0].version
    error_message = "It is kept and told of as any other."
  }
}

run "others_may_use_the_layer_also_after_a_new_version" {
  command = apply

  variables {
    layer_permissions = {
      company = { organization_id = "o-a1b2c3d4e5" }
      partner = { account_id = "210987654321" }
    }
  }

  assert {
    condition     = { for key, grant in aws_lambda_layer_version_permission.this : key => join(" ", compact([grant.action, grant.principal, grant.organization_id])) } == { company = "lambda:GetLayerVersion * o-a1b2c3d4e5", partner = "lambda:GetLayerVersion 210987654321" }
    error_message = "An organisation is everybody with its id, an account is itself."
  }

  assert {
    condition     = { for key, grant in aws_lambda_layer_version_permission.this : grant.statement_id => grant.layer_name } == { for key in ["company", "partner"] : key => aws_lambda_layer_version.this[0].layer_arn }
    error_message = "Each grant of the layer has its own name."
  }

  assert {
    condition     = alltrue([for grant in aws_lambda_layer_version_permission.this : grant.skip_destroy && grant.version_number == 3])
    error_message = "Versions that were granted stay so."
  }
}
