locals {
  # Thumbnails in a bucket of their own, or each would be a new picture.
  buckets = toset(["pictures", "thumbnails", "given_up"])
}

resource "aws_s3_bucket" "this" {
  for_each = local.buckets

  #checkov:skip=CKV_AWS_18:Made-up pictures need no log of who reads them
  #checkov:skip=CKV_AWS_144:Made-up pictures need no copy in another region
  #checkov:skip=CKV_AWS_145:The pictures are made up; examples/complete has a key of its own
  #checkov:skip=CKV2_AWS_61:The example is destroyed before anything in it grows old
  #checkov:skip=CKV2_AWS_62:Only new pictures are to be known of

  bucket        = "${var.name}-${replace(each.key, "_", "-")}-${data.aws_caller_identity.current.account_id}"
  force_destroy = !var.keep_data
}

# The key of an event is the version that it is about. In the bucket of thumbnails, versions are how often one was made.
resource "aws_s3_bucket_versioning" "this" {
  for_each = local.buckets

  bucket = aws_s3_bucket.this[each.key].id

  versioning_configuration {
    status = "Enabled"
  }
}

resource "aws_s3_bucket_public_access_block" "this" {
  for_each = local.buckets

  block_public_acls       = true
  block_public_policy     = true
  bucket                  = aws_s3_bucket.this[each.key].id
  ignore_public_acls      = true
  restrict_public_buckets = true
}

resource "aws_s3_bucket_policy" "this" {
  for_each = local.buckets

  bucket = aws_s3_bucket.this[each.key].id
  policy = data.aws_iam_policy_document.bucket[each.key].json

  # One of the two at a time, or S3 refuses the other.
  depends_on = [aws_s3_bucket_public_access_block.this]
}

data "aws_iam_policy_document" "bucket" {
  for_each = local.buckets

  statement {
    sid       = "TlsOnly"
    effect    = "Deny"
    actions   = ["s3:*"]
    resources = [aws_s3_bucket.this[each.key].arn, "${aws_s3_bucket.this[each.key].arn}/*"]

    principals {
      type        = "AWS"
      identifiers = ["*"]
    }

    condition {
      test     = "Bool"
      variable = "aws:SecureTransport"
      values   = ["false"]
    }
  }
}
