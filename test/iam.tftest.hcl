mock_provider "aws" {
  mock_resource "aws_dynamodb_table" {
    defaults = { arn = "arn:aws:dynamodb:eu-west-1:123456789012:table/shop" }
  }
  mock_resource "aws_iam_policy" {
    defaults = { arn = "arn:aws:iam::123456789012:policy/shop" }
  }
}

variables {
  create_layer = false
  name         = "shop"
}

run "the_policy_is_exactly_what_the_layer_does" {
  command = apply

  variables {
    role_names = { orders = "orders-role", refunds = "refunds-role" }
    tags       = { team = "orders" }
  }

  assert {
    condition = jsondecode(output.policy_json) == {
      Version = "2012-10-17"
      Statement = [{
        Sid      = "Records"
        Effect   = "Allow"
        Action   = ["dynamodb:DeleteItem", "dynamodb:GetItem", "dynamodb:UpdateItem"]
        Resource = ["arn:aws:dynamodb:eu-west-1:123456789012:table/shop"]
      }]
    }
    error_message = "The three actions, on the table, and nothing else."
  }

  assert {
    condition     = output.policy_arn == "arn:aws:iam::123456789012:policy/shop" && aws_iam_policy.this[0].policy == output.policy_json
    error_message = "The managed policy and the document are the same."
  }

  assert {
    condition     = { for key, attachment in aws_iam_role_policy_attachment.this : key => "${attachment.role} ${attachment.policy_arn}" } == { orders = "orders-role arn:aws:iam::123456789012:policy/shop", refunds = "refunds-role arn:aws:iam::123456789012:policy/shop" }
    error_message = "Each role gets the policy."
  }

  assert {
    condition     = aws_iam_policy.this[0].tags == tomap({ team = "orders" })
    error_message = "It has the tags."
  }
}

run "t8_a_key_is_in_the_policy" {
  command = apply

  variables {
    kms_key_arn = "arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"
  }

  assert {
    condition     = length(jsondecode(output.policy_json).Statement) == 2
    error_message = "One statement for the table and one for the key."
  }

  assert {
    condition = jsondecode(output.policy_json).Statement[1] == {
      Sid      = "Key"
      Effect   = "Allow"
      Action   = ["kms:Decrypt"]
      Resource = ["arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"]
    }
    error_message = "Functions may decrypt with exactly the key."
  }
}
