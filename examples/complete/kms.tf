data "aws_caller_identity" "current" {}

data "aws_partition" "current" {}

data "aws_region" "current" {}

resource "aws_kms_key" "this" {
  description             = "What the functions of ${var.name} hand on and remember"
  deletion_window_in_days = 7
  enable_key_rotation     = true
  policy                  = data.aws_iam_policy_document.key.json
}

data "aws_iam_policy_document" "key" {
  #checkov:skip=CKV_AWS_109:In a key's policy the resource is the key itself, and the account's own policies decide who may administer it
  #checkov:skip=CKV_AWS_111:In a key's policy the resource is the key itself
  #checkov:skip=CKV_AWS_356:In a key's policy the resource is the key itself

  # https://docs.aws.amazon.com/kms/latest/developerguide/key-policy-default.html
  statement {
    sid       = "LetPoliciesOfTheAccountDecide"
    actions   = ["kms:*"]
    resources = ["*"]

    principals {
      type        = "AWS"
      identifiers = ["arn:${data.aws_partition.current.partition}:iam::${data.aws_caller_identity.current.account_id}:root"]
    }
  }

  # https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/encrypt-log-data-kms.html
  statement {
    sid       = "LetLogsBeEncrypted"
    actions   = ["kms:Decrypt*", "kms:Describe*", "kms:Encrypt*", "kms:GenerateDataKey*", "kms:ReEncrypt*"]
    resources = ["*"]

    principals {
      type        = "Service"
      identifiers = ["logs.${data.aws_region.current.id}.amazonaws.com"]
    }

    condition {
      test     = "ArnLike"
      variable = "kms:EncryptionContext:aws:logs:arn"
      values   = ["arn:${data.aws_partition.current.partition}:logs:${data.aws_region.current.id}:${data.aws_caller_identity.current.account_id}:log-group:/aws/lambda/${var.name}-*"]
    }
  }

  # https://docs.aws.amazon.com/sns/latest/dg/sns-key-management.html
  statement {
    sid       = "LetAlarmsBeSent"
    actions   = ["kms:Decrypt", "kms:GenerateDataKey*"]
    resources = ["*"]

    principals {
      type        = "Service"
      identifiers = ["cloudwatch.amazonaws.com"]
    }

    condition {
      test     = "StringEquals"
      variable = "aws:SourceAccount"
      values   = [data.aws_caller_identity.current.account_id]
    }
  }
}
