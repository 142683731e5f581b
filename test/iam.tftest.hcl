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
    condition     = aws_iam_policy.this[0].tags == tomap({ team = "orders" }) && aws_iam_policy.this[0].name == "shop" && aws_iam_policy.this[0].path == "/"
    error_message = "It has the module's name and the tags."
  }

  assert {
    condition     = length(aws_iam_policy.function) + length(aws_iam_policy.consumer) == 0 && length(output.functions) == 0
    error_message = "Nothing is consumed, and no function has keys of its own."
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
      Effect    = "Allow"
      Action    = ["kms:Decrypt"]
      Resource  = ["arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"]
      Condition = { StringEquals = { "kms:ViaService" = ["dynamodb.eu-west-1.amazonaws.com"] } }
    }
    error_message = "Functions may decrypt with exactly the key, through DynamoDB."
  }
}

run "a_function_uses_its_own_keys_only" {
  command = apply

  variables {
    functions   = { orders = {}, refunds = { key_prefix = "back#" } }
    policy_path = "/shop/"
    queues      = { orders = { function_name = "orders", function_timeout = 30 } }
    role_names  = { orders = "orders-role" }
    tags        = { team = "orders" }
  }

  assert {
    condition     = length(aws_iam_policy.this) == 0 && output.policy_arn == null && output.policy_json == null && length(output.environment) == 0
    error_message = "There is no policy, and no environment, for keys of everybody's."
  }

  assert {
    condition = jsondecode(output.functions["refunds"].policy_json).Statement == [{
      Sid      = "Records"
      Effect   = "Allow"
      Action   = ["dynamodb:DeleteItem", "dynamodb:GetItem", "dynamodb:UpdateItem"]
      Resource = ["arn:aws:dynamodb:eu-west-1:123456789012:table/shop"]
      Condition = {
        "ForAllValues:StringLike" = { "dynamodb:LeadingKeys" = ["back#*"] }
        Null                      = { "dynamodb:LeadingKeys" = "false" }
      }
    }]
    error_message = "Requests must name keys, and all of them must begin with the prefix."
  }

  assert {
    condition     = output.functions["orders"].environment["IDEMPOTENCY_KEY_PREFIX"] == "orders#" && output.functions["refunds"].environment["IDEMPOTENCY_KEY_PREFIX"] == "back#"
    error_message = "A function's environment has the prefix that its policy asks for."
  }

  assert {
    condition     = { for key, attachment in aws_iam_role_policy_attachment.this : key => attachment.role } == { orders = "orders-role" }
    error_message = "A role that is named gets the policy of its function."
  }

  assert {
    condition     = { for key, policy in aws_iam_policy.function : key => policy.name } == { orders = "shop-orders", refunds = "shop-refunds" } && { for key, policy in aws_iam_policy.consumer : key => policy.name } == { orders = "shop-orders-consumer" }
    error_message = "Policies are named after their functions and roles."
  }

  assert {
    condition     = alltrue([for policy in concat(values(aws_iam_policy.function), values(aws_iam_policy.consumer)) : policy.path == "/shop/" && policy.tags == tomap({ team = "orders" })])
    error_message = "Policies are where they were asked to be, and have the tags."
  }

  assert {
    condition     = { for key, attachment in aws_iam_role_policy_attachment.consumer : key => attachment.role } == { orders = "orders-role" }
    error_message = "The role may consume, too."
  }
}

run "replicas_and_their_keys_are_in_the_policy" {
  command = apply

  variables {
    table_kms_key_arn = "arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"
    table_replicas    = { eu-central-1 = { kms_key_arn = "arn:aws:kms:eu-central-1:123456789012:key/5678abcd-12ab-34cd-56ef-1234567890ab" } }
  }

  assert {
    condition     = jsondecode(output.policy_json).Statement[0].Resource == ["arn:aws:dynamodb:eu-west-1:123456789012:table/shop", "arn:aws:dynamodb:eu-central-1:123456789012:table/shop"]
    error_message = "The replica is the table of the same name in the other region."
  }

  assert {
    condition     = [for statement in jsondecode(output.policy_json).Statement : [statement.Resource, statement.Condition.StringEquals["kms:ViaService"]] if can(statement.Condition)] == [[["arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"], ["dynamodb.eu-west-1.amazonaws.com"]], [["arn:aws:kms:eu-central-1:123456789012:key/5678abcd-12ab-34cd-56ef-1234567890ab"], ["dynamodb.eu-central-1.amazonaws.com"]]]
    error_message = "Each key through DynamoDB of its own region."
  }
}
