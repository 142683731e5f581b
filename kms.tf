# DynamoDB and SQS use a key on behalf of whoever uses the table or the queue. Functions may use it in that way only, not
# by themselves.
# https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html
# https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-key-management.html
# https://docs.aws.amazon.com/kms/latest/developerguide/conditions-kms.html#conditions-kms-via-service

locals {
  table_kms_key_arns = local.table_kms_key_arn == null ? [] : concat(
    [local.table_kms_key_arn],
    [for replica in values(var.table_replicas) : replica.kms_key_arn if replica.kms_key_arn != null],
  )

  table_key_statements = [for arn in local.table_kms_key_arns : {
    Effect    = "Allow"
    Action    = ["kms:Decrypt"]
    Resource  = [arn]
    Condition = { StringEquals = { "kms:ViaService" = formatlist("dynamodb.${split(":", arn)[3]}.%s", lookup(local.partition_suffixes, split(":", arn)[1], ["amazonaws.com"])) } }
  }]

  queue_key_statements = [for arn in var.kms_key_arn == null ? [] : [var.kms_key_arn] : {
    Effect    = "Allow"
    Action    = ["kms:Decrypt"]
    Resource  = [arn]
    Condition = { StringEquals = { "kms:ViaService" = formatlist("sqs.${split(":", arn)[3]}.%s", lookup(local.partition_suffixes, split(":", arn)[1], ["amazonaws.com"])) } }
  }]

  # Who sends to an encrypted queue, topic or bucket makes a data key.
  destination_key_statements = {
    for role_key, destinations in local.role_destinations : role_key => [for destination in destinations : {
      Effect    = "Allow"
      Action    = ["kms:Decrypt", "kms:GenerateDataKey"]
      Resource  = [destination.kms_key_arn]
      Condition = { StringEquals = { "kms:ViaService" = formatlist("${split(":", destination.arn)[2]}.${split(":", destination.kms_key_arn)[3]}.%s", lookup(local.partition_suffixes, split(":", destination.kms_key_arn)[1], ["amazonaws.com"])) } }
    } if destination.kms_key_arn != null]
  }

  # In China services are known by either name.
  partition_suffixes = { aws-cn = ["amazonaws.com", "amazonaws.com.cn"] }
}
