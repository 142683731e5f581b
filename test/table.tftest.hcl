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

run "the_table_is_the_one_that_the_layer_expects" {
  command = apply

  variables {
    tags = { team = "orders" }
  }

  assert {
    condition     = aws_dynamodb_table.this[0].hash_key == "pk" && aws_dynamodb_table.this[0].range_key == null && one(aws_dynamodb_table.this[0].attribute) == { name = "pk", type = "S" }
    error_message = "Its key is the string pk alone."
  }

  assert {
    condition     = aws_dynamodb_table.this[0].ttl[0].attribute_name == "expiresAt" && aws_dynamodb_table.this[0].ttl[0].enabled
    error_message = "Records expire by expiresAt."
  }

  assert {
    condition     = aws_dynamodb_table.this[0].stream_view_type != "NEW_AND_OLD_IMAGES"
    error_message = "It has no stream unless it is replicated."
  }

  assert {
    condition     = aws_dynamodb_table.this[0].billing_mode == "PAY_PER_REQUEST"
    error_message = "It is paid for on demand."
  }

  assert {
    condition     = aws_dynamodb_table.this[0].deletion_protection_enabled && aws_dynamodb_table.this[0].point_in_time_recovery[0].enabled && aws_dynamodb_table.this[0].server_side_encryption[0].enabled
    error_message = "It is protected, can be restored, and is encrypted unless asked otherwise."
  }

  assert {
    condition     = aws_dynamodb_table.this[0].tags == tomap({ team = "orders" })
    error_message = "It has the tags."
  }

  assert {
    condition     = output.table_name == "shop" && output.table_arn == "arn:aws-us-gov:dynamodb:us-gov-west-1:123456789012:table/shop"
    error_message = "The outputs tell of the table."
  }

  assert {
    condition     = output.environment == tomap({ IDEMPOTENCY_KEEP_FOR_SECONDS = "86400", IDEMPOTENCY_TABLE = "shop" })
    error_message = "The environment is what the layer reads, and strings."
  }
}

run "every_safeguard_is_an_option" {
  command = plan

  variables {
    keep_for_seconds             = 3600
    kms_key_arn                  = "arn:aws-us-gov:kms:us-gov-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"
    table_deletion_protection    = false
    table_point_in_time_recovery = false
  }

  assert {
    condition     = !aws_dynamodb_table.this[0].deletion_protection_enabled && !aws_dynamodb_table.this[0].point_in_time_recovery[0].enabled
    error_message = "Protection and recovery are off when asked."
  }

  assert {
    condition     = aws_dynamodb_table.this[0].server_side_encryption[0].kms_key_arn == var.kms_key_arn
    error_message = "The key encrypts the table."
  }

  assert {
    condition     = output.environment["IDEMPOTENCY_KEEP_FOR_SECONDS"] == "3600"
    error_message = "Retention reaches the layer."
  }
}

run "t11_with_a_table_of_the_callers_none_is_created" {
  command = plan

  variables {
    create_table = false
    table_arn    = "arn:aws-us-gov:dynamodb:us-gov-west-1:123456789012:table/own"
    table_name   = "own"
  }

  assert {
    condition     = length(aws_dynamodb_table.this) == 0
    error_message = "No table is created."
  }

  assert {
    condition     = output.table_name == "own" && output.table_arn == var.table_arn && output.environment["IDEMPOTENCY_TABLE"] == "own"
    error_message = "The outputs tell of the caller's table."
  }

  assert {
    condition     = jsondecode(output.policy_json).Statement[0].Resource == [var.table_arn]
    error_message = "The policy is for the caller's table."
  }
}

run "class_bounds_recovery_and_replicas_are_as_asked" {
  command = plan

  variables {
    kms_key_arn                = "arn:aws-us-gov:kms:us-gov-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"
    table_class                = "STANDARD_INFREQUENT_ACCESS"
    table_kms_key_arn          = "arn:aws-us-gov:kms:us-gov-west-1:123456789012:key/5678abcd-12ab-34cd-56ef-1234567890ab"
    table_maximum_throughput   = { write = 1000 }
    table_recovery_period_days = 7

    table_replicas = {
      us-gov-east-1 = { kms_key_arn = "arn:aws-us-gov:kms:us-gov-east-1:123456789012:key/9abcabcd-12ab-34cd-56ef-1234567890ab", point_in_time_recovery = false }
    }
  }

  assert {
    condition     = aws_dynamodb_table.this[0].table_class == "STANDARD_INFREQUENT_ACCESS"
    error_message = "The storage class is the one asked for."
  }

  assert {
    condition     = one(aws_dynamodb_table.this[0].on_demand_throughput).max_write_request_units == 1000 && one(aws_dynamodb_table.this[0].on_demand_throughput).max_read_request_units == -1
    error_message = "Writes are bounded, reads are not."
  }

  assert {
    condition     = one(aws_dynamodb_table.this[0].point_in_time_recovery).recovery_period_in_days == 7
    error_message = "Backups reach back as far as asked."
  }

  assert {
    condition     = one(aws_dynamodb_table.this[0].server_side_encryption).kms_key_arn == var.table_kms_key_arn
    error_message = "The table's own key goes before the one of all."
  }

  assert {
    condition = alltrue([for replica in [one(aws_dynamodb_table.this[0].replica)] :
      replica.region_name == "us-gov-east-1" && replica.kms_key_arn == "arn:aws-us-gov:kms:us-gov-east-1:123456789012:key/9abcabcd-12ab-34cd-56ef-1234567890ab" && !replica.point_in_time_recovery && replica.propagate_tags
    ])
    error_message = "The replica has its own key, and what it was told."
  }

  assert {
    condition     = aws_dynamodb_table.this[0].stream_enabled && aws_dynamodb_table.this[0].stream_view_type == "NEW_AND_OLD_IMAGES"
    error_message = "Replication reads a stream."
  }
}

run "nothing_is_there_that_was_not_asked_for" {
  command = plan

  assert {
    condition     = aws_dynamodb_table.this[0].table_class == "STANDARD" && aws_dynamodb_table.this[0].name == "shop"
    error_message = "It is of the standard class."
  }

  assert {
    condition     = length(aws_dynamodb_table.this[0].on_demand_throughput) + length(aws_dynamodb_table.this[0].replica) + length(aws_dynamodb_resource_policy.this) == 0 && aws_dynamodb_table.this[0].stream_enabled == null
    error_message = "No bound, no replica, no stream, no resource policy."
  }
}

run "recovery_that_is_off_has_no_period" {
  command = apply

  variables {
    table_point_in_time_recovery = false
    table_recovery_period_days   = 7
    table_replicas               = { us-gov-east-1 = { point_in_time_recovery = true }, us-gov-west-1 = {} }
  }

  assert {
    condition     = !one(aws_dynamodb_table.this[0].point_in_time_recovery).enabled && { for replica in aws_dynamodb_table.this[0].replica : replica.region_name => replica.point_in_time_recovery } == { us-gov-east-1 = true, us-gov-west-1 = false }
    error_message = "A replica is as the table, unless it says otherwise."
  }

  assert {
    condition     = one(aws_dynamodb_table.this[0].point_in_time_recovery).recovery_period_in_days != 7
    error_message = "DynamoDB takes a period only where recovery is on."
  }
}

run "a_bound_may_be_of_reads_only" {
  command = plan

  variables {
    table_maximum_throughput = { read = 500 }
  }

  assert {
    condition     = one(aws_dynamodb_table.this[0].on_demand_throughput).max_write_request_units == -1 && one(aws_dynamodb_table.this[0].on_demand_throughput).max_read_request_units == 500
    error_message = "Reads are bounded, writes are not."
  }
}

run "a_replica_is_as_safe_as_the_table" {
  command = plan

  variables {
    table_replicas = { us-gov-east-1 = {} }
  }

  assert {
    condition     = one(aws_dynamodb_table.this[0].replica).point_in_time_recovery
    error_message = "It can be restored where the table can."
  }
}

run "a_resource_policy_is_made_only_when_asked" {
  command = apply

  variables {
    table_resource_policy = { json = "{\"Version\":\"2012-10-17\",\"Statement\":[]}" }
  }

  assert {
    condition     = length(aws_dynamodb_resource_policy.this) == 1 && aws_dynamodb_resource_policy.this[0].policy == var.table_resource_policy.json && aws_dynamodb_resource_policy.this[0].resource_arn == output.table_arn
    error_message = "The document is the table's."
  }
}
