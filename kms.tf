# DynamoDB, SQS and the like use a key on behalf of whoever uses the table or the queue. Functions may use it in that way
# only, not by themselves.
# https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html
# https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-key-management.html
# https://docs.aws.amazon.com/streams/latest/dev/permissions-user-key-KMS.html
# https://docs.aws.amazon.com/kms/latest/developerguide/conditions-kms.html#conditions-kms-via-service

locals {
  table_key_uses = local.table_kms_key_arn == null ? [] : concat(
    [{ arn = local.table_kms_key_arn, service = "dynamodb", actions = ["kms:Decrypt"] }],
    [for replica in values(var.table_replicas) : { arn = replica.kms_key_arn, service = "dynamodb", actions = ["kms:Decrypt"] } if replica.kms_key_arn != null],
  )

  consumer_key_uses = {
    for role_key in keys(local.role_names) : role_key => concat(
      var.kms_key_arn == null || length(local.role_queues[role_key]) == 0 ? [] : [{ arn = var.kms_key_arn, service = "sqs", actions = ["kms:Decrypt"] }],
      [for key in local.role_streams[role_key] : {
        arn     = local.streams[key].kms_key_arn
        service = split(":", local.streams[key].event_source_arn)[2]
        actions = ["kms:Decrypt"]
      } if local.streams[key].kms_key_arn != null],
      # Who sends to an encrypted queue, topic or bucket makes a data key.
      [for destination in local.role_destinations[role_key] : {
        arn     = destination.kms_key_arn
        service = split(":", destination.arn)[2]
        actions = ["kms:Decrypt", "kms:GenerateDataKey"]
      } if destination.kms_key_arn != null],
    )
  }

  # Apart, since functions have the table in their environment, and what they consume comes after them.
  table_key_statements = [for use in local.table_key_uses : {
    Effect    = "Allow"
    Action    = use.actions
    Resource  = [use.arn]
    Condition = { StringEquals = { "kms:ViaService" = formatlist("${use.service}.${split(":", use.arn)[3]}.%s", lookup(local.partition_suffixes, split(":", use.arn)[1], ["amazonaws.com"])) } }
  }]

  consumer_key_statements = { for role_key, uses in local.consumer_key_uses : role_key => [for use in uses : {
    Effect    = "Allow"
    Action    = use.actions
    Resource  = [use.arn]
    Condition = { StringEquals = { "kms:ViaService" = formatlist("${use.service}.${split(":", use.arn)[3]}.%s", lookup(local.partition_suffixes, split(":", use.arn)[1], ["amazonaws.com"])) } }
  }] }

  # In China services are known by either name.
  partition_suffixes = { aws-cn = ["amazonaws.com", "amazonaws.com.cn"] }
}
