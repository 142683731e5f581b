resource "aws_lambda_event_source_mapping" "stream" {
  for_each = local.streams

  batch_size                         = each.value.batch_size
  bisect_batch_on_function_error     = each.value.bisect_batch
  event_source_arn                   = each.value.event_source_arn
  function_name                      = each.value.function_name
  function_response_types            = local.function_response_types
  maximum_batching_window_in_seconds = each.value.batching_window
  maximum_record_age_in_seconds      = each.value.maximum_record_age
  maximum_retry_attempts             = each.value.maximum_retry_attempts
  parallelization_factor             = each.value.parallelization_factor
  starting_position                  = each.value.starting_position
  tags                               = var.tags

  destination_config {
    on_failure {
      destination_arn = each.value.on_failure.arn
    }
  }

  dynamic "filter_criteria" {
    for_each = length(each.value.filter_patterns) == 0 ? [] : [each.value.filter_patterns]

    content {
      dynamic "filter" {
        for_each = filter_criteria.value

        content {
          pattern = filter.value
        }
      }
    }
  }

  dynamic "metrics_config" {
    for_each = each.value.metrics ? [local.mapping_metrics] : []

    content {
      metrics = metrics_config.value
    }
  }

  # Lambda refuses the mapping as long as the function's role may not read the stream, and a function that may not use
  # the table yet would fail its first batch.
  depends_on = [
    aws_iam_role_policy_attachment.consumer,
    aws_iam_role_policy_attachment.this,
  ]
}
