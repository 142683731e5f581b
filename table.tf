resource "aws_dynamodb_table" "this" {
  count = var.create && var.create_table ? 1 : 0

  billing_mode                = "PAY_PER_REQUEST"
  deletion_protection_enabled = var.table_deletion_protection
  hash_key                    = "pk"
  name                        = var.name
  table_class                 = var.table_class
  tags                        = var.tags

  # Replication reads the table's stream: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/V2globaltables_HowItWorks.html
  stream_enabled   = length(var.table_replicas) > 0 ? true : null
  stream_view_type = length(var.table_replicas) > 0 ? "NEW_AND_OLD_IMAGES" : null

  attribute {
    name = "pk"
    type = "S"
  }

  dynamic "on_demand_throughput" {
    for_each = var.table_maximum_throughput == null ? [] : [var.table_maximum_throughput]

    # -1 is DynamoDB's word for no bound.
    content {
      max_read_request_units  = coalesce(on_demand_throughput.value.read, -1)
      max_write_request_units = coalesce(on_demand_throughput.value.write, -1)
    }
  }

  point_in_time_recovery {
    enabled                 = var.table_point_in_time_recovery
    recovery_period_in_days = var.table_point_in_time_recovery ? var.table_recovery_period_days : null
  }

  dynamic "replica" {
    for_each = var.table_replicas

    content {
      kms_key_arn            = replica.value.kms_key_arn
      point_in_time_recovery = coalesce(replica.value.point_in_time_recovery, var.table_point_in_time_recovery)
      propagate_tags         = true
      region_name            = replica.key
    }
  }

  # Without a key of the caller's, by the account's aws/dynamodb key.
  server_side_encryption {
    enabled     = true
    kms_key_arn = local.table_kms_key_arn
  }

  ttl {
    attribute_name = "expiresAt"
    enabled        = true
  }
}

resource "aws_dynamodb_resource_policy" "this" {
  count = var.create && var.create_table && var.table_resource_policy != null ? 1 : 0

  policy       = var.table_resource_policy.json
  resource_arn = one(aws_dynamodb_table.this[*].arn)
}
