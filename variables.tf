variable "create" {
  description = "Whether anything is created at all. When false, the plan is empty whatever else is set."
  type        = bool
  default     = true
  nullable    = false
}

variable "name" {
  description = "Name of the table, the layer and the policy, and the first part of the queues' names. IAM policies are global: use another name in each region of an account."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-zA-Z0-9_-]{3,64}$", var.name))
    error_message = "name is \"${var.name}\", but it must be 3 to 64 letters, digits, hyphens and underscores, since tables, layers, policies and queues are named after it. Choose another, for instance \"orders\"."
  }
}

variable "tags" {
  description = "Tags of everything that takes tags."
  type        = map(string)
  default     = {}
  nullable    = false
}

################################################################################
# Table
################################################################################

variable "create_table" {
  description = "Whether the module creates the table. When false, give table_name and table_arn of a table with the string hash key `pk`, no range key, and TTL on `expiresAt`."
  type        = bool
  default     = true
  nullable    = false
}

variable "table_name" {
  description = "Name of your own table, for create_table = false. It need not be known when planning."
  type        = string
  default     = null

  validation {
    condition     = var.create_table || !var.create || var.table_name != null
    error_message = "create_table is false, but table_name is not set. Set table_name and table_arn of your own table, or leave create_table out to have one created."
  }

  validation {
    condition     = !var.create_table || !var.create || var.table_name == null
    error_message = "table_name is set, but create_table is true, so that another table would be created and used. Set create_table = false to use your own, or leave table_name out."
  }
}

variable "table_arn" {
  description = "ARN of your own table, for create_table = false. It need not be known when planning."
  type        = string
  default     = null

  validation {
    condition     = var.create_table || !var.create || var.table_arn != null
    error_message = "create_table is false, but table_arn is not set. Set table_name and table_arn of your own table, or leave create_table out to have one created."
  }

  validation {
    condition     = !var.create_table || !var.create || var.table_arn == null
    error_message = "table_arn is set, but create_table is true, so that another table would be created and used. Set create_table = false to use your own, or leave table_arn out."
  }

  validation {
    condition     = var.table_arn == null ? true : can(regex("^arn:[^:]+:dynamodb:[^:]+:[0-9]{12}:table/[a-zA-Z0-9_.-]+$", var.table_arn))
    error_message = "table_arn is \"${coalesce(var.table_arn, "null")}\", but it must be the ARN of a table, arn:<partition>:dynamodb:<region>:<account>:table/<name>. Use aws_dynamodb_table.<name>.arn."
  }

  validation {
    condition     = var.table_arn == null || var.table_name == null ? true : endswith(var.table_arn, "/${var.table_name}")
    error_message = "table_arn is \"${coalesce(var.table_arn, "null")}\" and table_name is \"${coalesce(var.table_name, "null")}\", but they must be of the same table, or functions may not use the one that they are told to. Take both from the same aws_dynamodb_table."
  }
}

variable "kms_key_arn" {
  description = "ARN of a customer managed KMS key that encrypts table and queues; functions may then decrypt with it. Without one, the table is encrypted by the AWS managed key and the queues by keys of SQS. It need not be known when planning."
  type        = string
  default     = null

  validation {
    condition     = var.kms_key_arn == null ? true : can(regex("^arn:[^:]+:kms:[^:]+:[0-9]{12}:key/[a-zA-Z0-9-]+$", var.kms_key_arn))
    error_message = "kms_key_arn is \"${coalesce(var.kms_key_arn, "null")}\", but it must be the ARN of a key, arn:<partition>:kms:<region>:<account>:key/<id>; policies cannot name an alias. Use aws_kms_key.<name>.arn."
  }
}

variable "table_deletion_protection" {
  description = "Whether the table refuses to be deleted. Without its records, events that come again run again."
  type        = bool
  default     = true
  nullable    = false
}

variable "table_point_in_time_recovery" {
  description = "Whether the table can be restored to any second of the last 35 days."
  type        = bool
  default     = true
  nullable    = false
}

variable "keep_for_seconds" {
  description = "Seconds for which a result is kept and replayed. Longer than any caller may retry: asynchronous events live up to 6 hours, messages of a queue for its retention."
  type        = number
  default     = 86400
  nullable    = false

  validation {
    condition     = var.keep_for_seconds >= 1 && floor(var.keep_for_seconds) == var.keep_for_seconds
    error_message = "keep_for_seconds is ${var.keep_for_seconds}, but it must be a whole number of seconds of at least 1. 86400, a day, suits most."
  }
}

################################################################################
# Layer
################################################################################

variable "create_layer" {
  description = "Whether the module publishes the layer. When false, layer_arn is null; functions may bundle the library instead."
  type        = bool
  default     = true
  nullable    = false
}

variable "layer_zip" {
  description = "Path of the layer's zip. Default: dist/layer.zip of the module, which `npm run build` makes and release tags carry."
  type        = string
  default     = null
}

variable "compatible_runtimes" {
  description = "Runtimes that the layer is listed for. It runs on Node.js 22 and later; nodejs24.x needs hashicorp/aws 6 or later."
  type        = list(string)
  default     = ["nodejs22.x"]
  nullable    = false

  validation {
    condition     = length(var.compatible_runtimes) > 0 && alltrue([for runtime in var.compatible_runtimes : try(tonumber(regex("^nodejs([0-9]+)\\.x$", runtime)[0]) >= 22, false)])
    error_message = "compatible_runtimes is [${join(", ", var.compatible_runtimes)}], but the layer is for Node.js 22 and later. Use for instance [\"nodejs22.x\"]."
  }
}

variable "compatible_architectures" {
  description = "Instruction sets that the layer is listed for. It is JavaScript only and runs on both."
  type        = list(string)
  default     = ["arm64", "x86_64"]
  nullable    = false

  validation {
    condition     = length(var.compatible_architectures) > 0 && length(setsubtract(var.compatible_architectures, ["arm64", "x86_64"])) == 0
    error_message = "compatible_architectures is [${join(", ", var.compatible_architectures)}], but Lambda knows arm64 and x86_64 only. Use one of them or both."
  }
}

################################################################################
# Permissions
################################################################################

variable "role_names" {
  description = "Roles of the functions, which the policies are attached to: names by keys of your choice. The keys must be known when planning; the names need not be."
  type        = map(string)
  default     = {}
  nullable    = false

  validation {
    condition     = alltrue([for name in values(var.role_names) : can(regex("^[a-zA-Z0-9_+=,.@-]{1,64}$", name))])
    error_message = "role_names must hold names of roles, not ARNs or paths. Not so: ${join(", ", [for key, name in var.role_names : "${key} = ${name == null ? "null" : "\"${name}\""}" if !can(regex("^[a-zA-Z0-9_+=,.@-]{1,64}$", name))])}. Use aws_iam_role.<name>.name."
  }
}

################################################################################
# Queues
################################################################################

variable "queues" {
  description = <<-EOT
    Queues for Lambda functions, each with a dead-letter queue, by the last part of their names.

    - `function_timeout`: seconds, the timeout of the function that consumes the queue. The visibility timeout is six times as long, and the batching window.
    - `function_name`: name or ARN of that function, of its version or alias. Where it is named, the queue is mapped to it, with partial batch responses, and its role gets the right to consume the queue. The output `queues` then depends on the function, which cannot refer to it.
    - `event_source_mapping`: set it to true where function_name is not known when planning, as is the ARN of a new alias.
    - `role_key`: key in `role_names` of that function's role. Without it, all of them may consume the queue. A role that is not in `role_names` must have the right already.
    - `batch_size`: most messages in one invocation. More than 10 need a batching_window.
    - `batching_window`: seconds to wait for a batch to fill.
    - `visibility_timeout`: seconds, where more is wanted than what follows from function_timeout; a shorter one changes nothing.
    - `max_receive_count`: deliveries of a message before it moves to the dead-letter queue.
    - `maximum_concurrency`: most concurrent invocations from this queue.
  EOT
  type = map(object({
    function_timeout     = number
    function_name        = optional(string)
    event_source_mapping = optional(bool)
    role_key             = optional(string)
    batch_size           = optional(number, 10)
    batching_window      = optional(number, 0)
    visibility_timeout   = optional(number)
    max_receive_count    = optional(number, 5)
    maximum_concurrency  = optional(number)
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for key in keys(var.queues) : can(regex("^[a-zA-Z0-9_-]+$", key)) && length("${var.name}-${key}-dlq") <= 80])
    error_message = "The keys of queues are parts of names of at most 80 letters, digits, hyphens and underscores. Not so: ${join(", ", [for key in keys(var.queues) : "\"${var.name}-${key}-dlq\"" if !can(regex("^[a-zA-Z0-9_-]+$", key)) || length("${var.name}-${key}-dlq") > 80])}. Choose shorter or plainer keys."
  }

  # https://docs.aws.amazon.com/lambda/latest/dg/configuration-timeout.html
  validation {
    condition     = alltrue([for queue in values(var.queues) : queue.function_timeout >= 1 && queue.function_timeout <= 900 && floor(queue.function_timeout) == queue.function_timeout])
    error_message = "function_timeout of a queue must be a whole number of seconds from 1 to 900. Not so: ${join(", ", [for key, queue in var.queues : "${key} (${queue.function_timeout})" if queue.function_timeout < 1 || queue.function_timeout > 900 || floor(queue.function_timeout) != queue.function_timeout])}. Use the timeout of the function: aws_lambda_function.<name>.timeout."
  }

  # https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
  validation {
    condition     = alltrue([for queue in values(var.queues) : queue.visibility_timeout == null ? true : queue.visibility_timeout >= queue.function_timeout && queue.visibility_timeout <= 43200 && floor(queue.visibility_timeout) == queue.visibility_timeout])
    error_message = "visibility_timeout of a queue must be a whole number of seconds, no less than its function_timeout, below which Lambda refuses the queue, and at most 43200. Not so: ${join(", ", [for key, queue in var.queues : "${key} (visibility_timeout ${queue.visibility_timeout}, function_timeout ${queue.function_timeout})" if queue.visibility_timeout == null ? false : queue.visibility_timeout < queue.function_timeout || queue.visibility_timeout > 43200 || floor(queue.visibility_timeout) != queue.visibility_timeout])}. Leave visibility_timeout out: 6 * function_timeout + batching_window is used then."
  }

  # https://docs.aws.amazon.com/lambda/latest/api/API_CreateEventSourceMapping.html, as the next three
  validation {
    condition     = alltrue([for queue in values(var.queues) : queue.batch_size >= 1 && queue.batch_size <= 10000 && floor(queue.batch_size) == queue.batch_size])
    error_message = "batch_size of a queue must be a whole number from 1 to 10000. Not so: ${join(", ", [for key, queue in var.queues : "${key} (${queue.batch_size})" if queue.batch_size < 1 || queue.batch_size > 10000 || floor(queue.batch_size) != queue.batch_size])}. Leave it out for 10."
  }

  validation {
    condition     = alltrue([for queue in values(var.queues) : queue.batching_window >= 0 && queue.batching_window <= 300 && floor(queue.batching_window) == queue.batching_window])
    error_message = "batching_window of a queue must be a whole number of seconds from 0 to 300. Not so: ${join(", ", [for key, queue in var.queues : "${key} (${queue.batching_window})" if queue.batching_window < 0 || queue.batching_window > 300 || floor(queue.batching_window) != queue.batching_window])}. Leave it out for 0."
  }

  validation {
    condition     = alltrue([for queue in values(var.queues) : queue.batch_size <= 10 || queue.batching_window >= 1])
    error_message = "batch_size of a queue may be more than 10 only with a batching_window of at least 1 second. Not so: ${join(", ", [for key, queue in var.queues : "${key} (batch_size ${queue.batch_size}, batching_window ${queue.batching_window})" if queue.batch_size > 10 && queue.batching_window < 1])}. Set batching_window, or batch_size to 10 or less."
  }

  validation {
    condition     = alltrue([for queue in values(var.queues) : queue.maximum_concurrency == null ? true : queue.maximum_concurrency >= 2 && queue.maximum_concurrency <= 1000 && floor(queue.maximum_concurrency) == queue.maximum_concurrency])
    error_message = "maximum_concurrency of a queue must be a whole number from 2 to 1000. Not so: ${join(", ", [for key, queue in var.queues : "${key} (${queue.maximum_concurrency})" if queue.maximum_concurrency == null ? false : queue.maximum_concurrency < 2 || queue.maximum_concurrency > 1000 || floor(queue.maximum_concurrency) != queue.maximum_concurrency])}. Leave it out for no limit."
  }

  # Below 5, throttling alone can move good messages: https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
  validation {
    condition     = alltrue([for queue in values(var.queues) : queue.max_receive_count >= 5 && queue.max_receive_count <= 1000 && floor(queue.max_receive_count) == queue.max_receive_count])
    error_message = "max_receive_count of a queue must be a whole number from 5 to 1000: below 5, throttled deliveries alone move good messages to the dead-letter queue. Not so: ${join(", ", [for key, queue in var.queues : "${key} (${queue.max_receive_count})" if queue.max_receive_count < 5 || queue.max_receive_count > 1000 || floor(queue.max_receive_count) != queue.max_receive_count])}. Leave it out for 5."
  }

  validation {
    condition     = alltrue([for queue in values(var.queues) : queue.role_key == null ? true : contains(keys(var.role_names), queue.role_key)])
    error_message = "role_key of a queue must be a key of role_names, which are [${join(", ", keys(var.role_names))}]. Not so: ${join(", ", [for key, queue in var.queues : "${key} (\"${queue.role_key}\")" if queue.role_key == null ? false : !contains(keys(var.role_names), queue.role_key)])}. Add the role to role_names, or correct the key."
  }

  validation {
    condition     = alltrue([for queue in values(var.queues) : queue.event_source_mapping == true ? queue.function_name != null : true])
    error_message = "event_source_mapping of a queue is true, but no function is named: ${join(", ", [for key, queue in var.queues : key if queue.event_source_mapping == true && queue.function_name == null])}. Set function_name, or leave event_source_mapping out."
  }
}
