# Documents are made by jsonencode and not by a data source, which Terraform would read only while applying whenever
# the module depends on something that changes: every plan would then show a new policy.

locals {
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = concat(
      [{
        Sid      = "Records"
        Effect   = "Allow"
        Action   = ["dynamodb:DeleteItem", "dynamodb:GetItem", "dynamodb:UpdateItem"]
        Resource = [local.table_arn]
      }],
      local.key_statements,
    )
  })

  # DynamoDB and SQS decrypt the data key on behalf of whoever uses the table or receives from the queue.
  # https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html
  # https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-key-management.html
  key_statements = var.kms_key_arn == null ? [] : [{
    Sid      = "Key"
    Effect   = "Allow"
    Action   = ["kms:Decrypt"]
    Resource = [var.kms_key_arn]
  }]
}

resource "aws_iam_policy" "this" {
  count = var.create ? 1 : 0

  description = "Claim, complete and release records of ${var.name}"
  name        = var.name
  policy      = local.policy
  tags        = var.tags
}

resource "aws_iam_role_policy_attachment" "this" {
  for_each = { for key, role_name in var.role_names : key => role_name if var.create }

  policy_arn = one(aws_iam_policy.this[*].arn)
  role       = each.value
}
