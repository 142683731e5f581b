output "function_name" {
  description = "Name of the function, for events that are to be handed to it again."
  value       = aws_lambda_function.thumbnail.function_name
}

output "buckets" {
  description = "Names of the buckets: `pictures` takes them, `thumbnails` holds what is made of them, `given_up` the events that failed for good."
  value       = { for key, bucket in aws_s3_bucket.this : key => bucket.bucket }
}

output "log_group_name" {
  description = "Name of the function's log group."
  value       = aws_cloudwatch_log_group.thumbnail.name
}
