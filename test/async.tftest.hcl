mock_provider "aws" {
  mock_resource "aws_dynamodb_table" {
    defaults = { arn = "arn:aws-us-gov:dynamodb:us-gov-west-1:123456789012:table/shop" }
  }
  mock_resource "aws_iam_policy" {
    defaults = { arn = "arn:aws-us-gov:iam::123456789012:policy/shop" }
  }
}

variables {
  create_layer = false
  name         = "shop"
}

run "a_function_is_retried_for_no_longer_than_said" {
  command = plan

  variables {
    role_names = { mail = "mail-role", other = "other-role" }
    async_functions = {
      mail = {
        function_name          = "mail"
        maximum_event_age      = 3600
        maximum_retry_attempts = 1
        on_failure             = { arn = "arn:aws-us-gov:sns:us-gov-west-1:123456789012:failed", kms_key_arn = "arn:aws-us-gov:kms:us-gov-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab" }
        qualifier              = "live"
        role_key               = "mail"
      }
      plain = { function_name = "plain" }
    }
  }

  assert {
    condition     = aws_lambda_function_event_invoke_config.this["mail"].maximum_event_age_in_seconds == 3600 && aws_lambda_function_event_invoke_config.this["mail"].maximum_retry_attempts == 1 && aws_lambda_function_event_invoke_config.this["mail"].qualifier == "live"
    error_message = "Retries, age and alias are as given."
  }

  assert {
    condition     = { for key, settings in aws_lambda_function_event_invoke_config.this : key => settings.function_name } == { mail = "mail", plain = "plain" } && aws_lambda_function_event_invoke_config.this["plain"].qualifier == null
    error_message = "They are of the function, and of its latest version unless another is named."
  }

  assert {
    condition     = one(one(aws_lambda_function_event_invoke_config.this["mail"].destination_config).on_failure).destination == "arn:aws-us-gov:sns:us-gov-west-1:123456789012:failed"
    error_message = "What is given up goes to the topic."
  }

  assert {
    condition     = aws_lambda_function_event_invoke_config.this["plain"].maximum_event_age_in_seconds == 21600 && aws_lambda_function_event_invoke_config.this["plain"].maximum_retry_attempts == 2 && length(aws_lambda_function_event_invoke_config.this["plain"].destination_config) == 0
    error_message = "Lambda's own limits, said aloud."
  }

  assert {
    condition = { for key, policy in aws_iam_policy.consumer : key => jsondecode(policy.policy).Statement } == {
      mail = [
        {
          Effect   = "Allow"
          Action   = ["sns:Publish"]
          Resource = ["arn:aws-us-gov:sns:us-gov-west-1:123456789012:failed"]
        },
        {
          Effect    = "Allow"
          Action    = ["kms:Decrypt", "kms:GenerateDataKey"]
          Resource  = ["arn:aws-us-gov:kms:us-gov-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"]
          Condition = { StringEquals = { "kms:ViaService" = ["sns.us-gov-west-1.amazonaws.com"] } }
        },
      ]
    }
    error_message = "Only the role of the function may send to its destination, and encrypt for it."
  }
}

run "each_kind_of_destination_has_its_own_right" {
  command = plan

  variables {
    role_names = { all = "role" }
    async_functions = {
      bucket   = { function_name = "a", on_failure = { arn = "arn:aws-us-gov:s3:::failed" } }
      bus      = { function_name = "b", on_failure = { arn = "arn:aws-us-gov:events:us-gov-west-1:123456789012:event-bus/failed" } }
      function = { function_name = "c", on_failure = { arn = "arn:aws-us-gov:lambda:us-gov-west-1:123456789012:function:failed" } }
      queue    = { function_name = "d", on_failure = { arn = "arn:aws-us-gov:sqs:us-gov-west-1:123456789012:failed" } }
    }
  }

  assert {
    condition = { for statement in jsondecode(aws_iam_policy.consumer["all"].policy).Statement : join(" ", statement.Action) => statement.Resource } == {
      "events:PutEvents"           = ["arn:aws-us-gov:events:us-gov-west-1:123456789012:event-bus/failed"]
      "lambda:InvokeFunction"      = ["arn:aws-us-gov:lambda:us-gov-west-1:123456789012:function:failed"]
      "s3:ListBucket s3:PutObject" = ["arn:aws-us-gov:s3:::failed", "arn:aws-us-gov:s3:::failed/*"]
      "sqs:SendMessage"            = ["arn:aws-us-gov:sqs:us-gov-west-1:123456789012:failed"]
    }
    error_message = "Exactly what Lambda does on the function's behalf."
  }
}

run "a_destination_without_a_role_is_for_all_of_them" {
  command = plan

  variables {
    role_names      = { mail = "mail-role", other = "other-role" }
    async_functions = { mail = { function_name = "mail", on_failure = { arn = "arn:aws-us-gov:s3:::failed", kms_key_arn = "arn:aws-us-gov:kms:us-gov-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab" } } }
  }

  assert {
    condition     = { for key, policy in aws_iam_policy.consumer : key => [for statement in jsondecode(policy.policy).Statement : join(" ", statement.Action)] } == { for key in ["mail", "other"] : key => ["s3:ListBucket s3:PutObject", "kms:Decrypt kms:GenerateDataKey"] }
    error_message = "Any of the roles may be the function's."
  }

  assert {
    condition     = jsondecode(aws_iam_policy.consumer["mail"].policy).Statement[1].Condition.StringEquals["kms:ViaService"] == ["s3.us-gov-west-1.amazonaws.com"]
    error_message = "The region is the key's, since a bucket's ARN has none."
  }
}
