resource "aws_dynamodb_table" "this" {
  count = var.create && var.create_table ? 1 : 0

  billing_mode                = "PAY_PER_REQUEST"
  deletion_protection_enabled = var.table_deletion_protection
  hash_key                    = "pk"
  name                        = var.name
  tags                        = var.tags

  attribute {
    name = "pk"
    type = "S"
  }

  point_in_time_recovery {
    enabled = var.table_point_in_time_recovery
  }

  # Without a key of the caller's, by the account's aws/dynamodb key.
  server_side_encryption {
    enabled     = true
    kms_key_arn = var.kms_key_arn
  }

  ttl {
    attribute_name = "expiresAt"
    enabled        = true
  }
}
