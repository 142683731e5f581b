resource "aws_lambda_function_event_invoke_config" "this" {
  for_each = local.async_functions

  function_name                = each.value.function_name
  maximum_event_age_in_seconds = each.value.maximum_event_age
  maximum_retry_attempts       = each.value.maximum_retry_attempts
  qualifier                    = each.value.qualifier

  dynamic "destination_config" {
    for_each = each.value.on_failure == null ? [] : [each.value.on_failure]

    content {
      on_failure {
        destination = destination_config.value.arn
      }
    }
  }

  # Lambda refuses a destination that the function's role may not send to.
  depends_on = [aws_iam_role_policy_attachment.consumer]
}
