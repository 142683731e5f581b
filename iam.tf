# Documents are made by jsonencode and not by a data source, which Terraform would read only while applying whenever
# the module depends on something that changes: every plan would then show a new policy.

################################################################################
# Records: of the whole table, or of a function's own keys
################################################################################

locals {
  # A replica has the table's ARN but for the region.
  table_arns = local.table_arn == null ? [] : concat(
    [local.table_arn],
    [for region in keys(var.table_replicas) : join(":", concat(slice(split(":", local.table_arn), 0, 3), [region], slice(split(":", local.table_arn), 4, 6)))],
  )

  record_statement = {
    Sid      = "Records"
    Effect   = "Allow"
    Action   = ["dynamodb:DeleteItem", "dynamodb:GetItem", "dynamodb:UpdateItem"]
    Resource = local.table_arns
  }

  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = concat([local.record_statement], local.table_key_statements)
  })

  # https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html; a request without keys
  # would meet ForAllValues, so there must be some.
  function_policies = {
    for key, prefix in local.key_prefixes : key => jsonencode({
      Version = "2012-10-17"
      Statement = concat(
        [merge(local.record_statement, {
          Condition = {
            "ForAllValues:StringLike" = { "dynamodb:LeadingKeys" = ["${prefix}*"] }
            Null                      = { "dynamodb:LeadingKeys" = "false" }
          }
        })],
        local.table_key_statements,
      )
    })
  }
}

resource "aws_iam_policy" "this" {
  count = var.create && length(var.functions) == 0 ? 1 : 0

  description = "Claim, complete and release records of ${var.name}"
  name        = var.name
  path        = var.policy_path
  policy      = local.policy
  tags        = var.tags
}

resource "aws_iam_policy" "function" {
  for_each = local.function_policies

  description = "Claim, complete and release records of ${var.name} whose keys begin with ${local.key_prefixes[each.key]}"
  name        = "${var.name}-${each.key}"
  path        = var.policy_path
  policy      = each.value
  tags        = var.tags
}

resource "aws_iam_role_policy_attachment" "this" {
  for_each = local.role_names

  policy_arn = length(var.functions) == 0 ? one(aws_iam_policy.this[*].arn) : aws_iam_policy.function[each.key].arn
  role       = each.value
}

################################################################################
# Consuming queues and streams, and sending on what is given up: one policy a role
################################################################################

locals {
  role_names = { for key, role_name in var.role_names : key => role_name if var.create }

  role_queues = {
    for role_key in keys(local.role_names) : role_key => [
      for key, queue in local.queues : key if queue.event_source_mapping && coalesce(queue.role_key, role_key) == role_key
    ]
  }
  role_streams = {
    for role_key in keys(local.role_names) : role_key => [
      for key, stream in local.streams : key if coalesce(stream.role_key, role_key) == role_key
    ]
  }
  role_destinations = {
    for role_key in keys(local.role_names) : role_key => [
      for settings in concat(values(local.async_functions), values(local.streams)) : settings.on_failure
      if settings.on_failure != null && coalesce(settings.role_key, role_key) == role_key
    ]
  }
  consumer_roles = toset([
    for role_key in keys(local.role_names) : role_key
    if length(local.role_queues[role_key]) + length(local.role_streams[role_key]) + length(local.role_destinations[role_key]) > 0
  ])

  # https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
  # https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AWSLambdaKinesisExecutionRole.html
  # https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AWSLambdaDynamoDBExecutionRole.html
  consumer_actions = {
    # The visibility is changed by the layer's sqsHandler, for a duplicate to come back when the lock ends.
    sqs      = ["sqs:ChangeMessageVisibility", "sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"]
    kinesis  = ["kinesis:DescribeStream", "kinesis:DescribeStreamSummary", "kinesis:GetRecords", "kinesis:GetShardIterator", "kinesis:ListShards"]
    dynamodb = ["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"]
  }

  # https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-retain-records.html
  destination_actions = {
    events = ["events:PutEvents"]
    lambda = ["lambda:InvokeFunction"]
    s3     = ["s3:ListBucket", "s3:PutObject"]
    sns    = ["sns:Publish"]
    sqs    = ["sqs:SendMessage"]
  }

  consumer_policies = {
    for role_key in local.consumer_roles : role_key => jsonencode({
      Version = "2012-10-17"
      Statement = concat(
        length(local.role_queues[role_key]) == 0 ? [] : [{
          Effect   = "Allow"
          Action   = local.consumer_actions.sqs
          Resource = [for key in local.role_queues[role_key] : aws_sqs_queue.this[key].arn]
        }],
        [for key in local.role_streams[role_key] : {
          Effect   = "Allow"
          Action   = local.consumer_actions[split(":", local.streams[key].event_source_arn)[2]]
          Resource = [local.streams[key].event_source_arn]
        }],
        [for destination in local.role_destinations[role_key] : {
          Effect   = "Allow"
          Action   = local.destination_actions[split(":", destination.arn)[2]]
          Resource = split(":", destination.arn)[2] == "s3" ? [destination.arn, "${destination.arn}/*"] : [destination.arn]
        }],
        local.consumer_key_statements[role_key],
      )
    })
  }
}

resource "aws_iam_policy" "consumer" {
  for_each = local.consumer_roles

  description = "Consume queues and streams of ${var.name} as ${each.key}"
  name        = "${var.name}-${each.key}-consumer"
  path        = var.policy_path
  policy      = local.consumer_policies[each.key]
  tags        = var.tags
}

resource "aws_iam_role_policy_attachment" "consumer" {
  for_each = local.consumer_roles

  policy_arn = aws_iam_policy.consumer[each.key].arn
  role       = local.role_names[each.key]
}
