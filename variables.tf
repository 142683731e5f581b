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

variable "table_kms_key_arn" {
  description = "ARN of the customer managed KMS key of the table, where it is another than kms_key_arn, as your own table's may be. It need not be known when planning."
  type        = string
  default     = null

  validation {
    condition     = var.table_kms_key_arn == null ? true : can(regex("^arn:[^:]+:kms:[^:]+:[0-9]{12}:key/[a-zA-Z0-9-]+$", var.table_kms_key_arn))
    error_message = "table_kms_key_arn is \"${coalesce(var.table_kms_key_arn, "null")}\", but it must be the ARN of a key, arn:<partition>:kms:<region>:<account>:key/<id>; policies cannot name an alias. Use aws_kms_key.<name>.arn."
  }
}

variable "table_class" {
  description = "Storage class of the table. STANDARD_INFREQUENT_ACCESS stores cheaper and writes dearer: it pays only where results are large and kept for long."
  type        = string
  default     = "STANDARD"
  nullable    = false

  validation {
    condition     = contains(["STANDARD", "STANDARD_INFREQUENT_ACCESS"], var.table_class)
    error_message = "table_class is \"${var.table_class}\", but DynamoDB knows STANDARD and STANDARD_INFREQUENT_ACCESS only. Leave it out for STANDARD."
  }
}

variable "table_deletion_protection" {
  description = "Whether the table refuses to be deleted. Without its records, events that come again run again."
  type        = bool
  default     = true
  nullable    = false
}

variable "table_maximum_throughput" {
  description = "Most request units a second that the on-demand table takes before it throttles: a bound on costs. A call that is throttled for longer than its function has time does not run its work. Without it, only the account's quota bounds the table."
  type = object({
    read  = optional(number)
    write = optional(number)
  })
  default = null

  validation {
    condition     = var.table_maximum_throughput == null ? true : alltrue([for units in values(var.table_maximum_throughput) : units == null ? true : units >= 1 && floor(units) == units])
    error_message = "table_maximum_throughput is ${jsonencode(var.table_maximum_throughput)}, but read and write must be whole numbers of request units a second of at least 1. Leave one out for no bound."
  }
}

variable "table_point_in_time_recovery" {
  description = "Whether the table can be restored to any second of the last table_recovery_period_days days."
  type        = bool
  default     = true
  nullable    = false
}

variable "table_recovery_period_days" {
  description = "Days back to which the table can be restored, where table_point_in_time_recovery is on. Default: as DynamoDB, which is 35."
  type        = number
  default     = null

  # https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_PointInTimeRecoverySpecification.html
  validation {
    condition     = var.table_recovery_period_days == null ? true : var.table_recovery_period_days >= 1 && var.table_recovery_period_days <= 35 && floor(var.table_recovery_period_days) == var.table_recovery_period_days
    error_message = "table_recovery_period_days is ${coalesce(var.table_recovery_period_days, 0)}, but DynamoDB keeps backups for a whole number of days from 1 to 35. Leave it out for 35."
  }
}

variable "table_replicas" {
  description = <<-EOT
    Replicas of the table, by region: a global table. Replication takes about a second, so an operation is run once where all its deliveries are handled in the same region; replicas are for moving to another region, not for handling one event in two.

    - `kms_key_arn`: customer managed key of that region; needed exactly where the table has one.
    - `point_in_time_recovery`: whether the replica can be restored; by default as the table.
  EOT
  type = map(object({
    kms_key_arn            = optional(string)
    point_in_time_recovery = optional(bool)
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for region in keys(var.table_replicas) : can(regex("^[a-z]{2,}(-[a-z]+)+-[0-9]+$", region))])
    error_message = "table_replicas must be by region. Not so: ${join(", ", [for region in keys(var.table_replicas) : "\"${region}\"" if !can(regex("^[a-z]{2,}(-[a-z]+)+-[0-9]+$", region))])}. Use for instance \"eu-west-1\"."
  }

  validation {
    condition     = var.create_table || !var.create || length(var.table_replicas) == 0
    error_message = "table_replicas is set for ${join(", ", keys(var.table_replicas))}, but create_table is false: the module replicates only a table that it creates. Replicate your own table where you create it, or leave table_replicas out."
  }

  # https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/globaltables-security.html
  validation {
    condition     = alltrue([for replica in values(var.table_replicas) : (replica.kms_key_arn == null) == (var.kms_key_arn == null && var.table_kms_key_arn == null)])
    error_message = "All replicas of a table need the same kind of key as the table itself, ${var.kms_key_arn == null && var.table_kms_key_arn == null ? "which has no customer managed one. Leave kms_key_arn of these out, or set" : "which has a customer managed one. Set kms_key_arn of these, or leave out"} kms_key_arn of the module: ${join(", ", [for region, replica in var.table_replicas : region if(replica.kms_key_arn == null) != (var.kms_key_arn == null && var.table_kms_key_arn == null)])}."
  }
}

variable "table_resource_policy" {
  description = "Resource policy of the table, for functions of other accounts: `{ json = jsonencode(…) }`. The document need not be known when planning, and may name the output table_arn."
  type        = object({ json = string })
  default     = null

  validation {
    condition     = var.table_resource_policy == null ? true : can(jsondecode(var.table_resource_policy.json))
    error_message = "table_resource_policy.json is not JSON. Use jsonencode({ Version = \"2012-10-17\", Statement = [ … ] })."
  }

  validation {
    condition     = var.create_table || !var.create || var.table_resource_policy == null
    error_message = "table_resource_policy is set, but create_table is false: the module leaves your own table as it is. Use aws_dynamodb_resource_policy where you create it."
  }
}

variable "keep_for_seconds" {
  description = "Seconds for which a result is kept and replayed. No less than events may come again after: max_receive_count * visibility timeout of a queue, maximum_event_age of asynchronous events, maximum_record_age of a stream."
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

variable "layer_s3_object" {
  description = "The layer's zip in S3, in place of a local one. A new object_version, not a new content, publishes a new version of the layer."
  type = object({
    bucket         = string
    key            = string
    object_version = optional(string)
  })
  default = null

  validation {
    condition     = var.layer_s3_object == null || var.layer_zip == null
    error_message = "layer_s3_object and layer_zip are both set, but the layer has one zip. Leave one of them out."
  }
}

variable "layer_permissions" {
  description = "Who else may use the layer, by keys of your choice: an account (`account_id`) or an organisation (`organization_id`). Versions that are already published keep what they were granted, so that functions which use them go on; so removing an entry revokes it for later versions only."
  type = map(object({
    account_id      = optional(string)
    organization_id = optional(string)
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for key in keys(var.layer_permissions) : can(regex("^[a-zA-Z0-9_-]{1,100}$", key))])
    error_message = "The keys of layer_permissions are statement ids of at most 100 letters, digits, hyphens and underscores. Not so: ${join(", ", [for key in keys(var.layer_permissions) : "\"${key}\"" if !can(regex("^[a-zA-Z0-9_-]{1,100}$", key))])}. Choose plainer keys."
  }

  validation {
    condition     = alltrue([for grant in values(var.layer_permissions) : (grant.account_id == null) != (grant.organization_id == null)])
    error_message = "An entry of layer_permissions must be either an account_id or an organization_id. Not so: ${join(", ", [for key, grant in var.layer_permissions : key if(grant.account_id == null) == (grant.organization_id == null)])}. Make two entries for both."
  }

  validation {
    condition     = alltrue([for grant in values(var.layer_permissions) : grant.account_id == null ? true : can(regex("^[0-9]{12}$", grant.account_id))])
    error_message = "account_id in layer_permissions must be 12 digits. Not so: ${join(", ", [for key, grant in var.layer_permissions : "${key} (\"${grant.account_id}\")" if grant.account_id == null ? false : !can(regex("^[0-9]{12}$", grant.account_id))])}. For everyone of an organisation use organization_id."
  }

  validation {
    condition     = alltrue([for grant in values(var.layer_permissions) : grant.organization_id == null ? true : can(regex("^o-[a-z0-9]{10,32}$", grant.organization_id))])
    error_message = "organization_id in layer_permissions must look like o-a1b2c3d4e5. Not so: ${join(", ", [for key, grant in var.layer_permissions : "${key} (\"${grant.organization_id}\")" if grant.organization_id == null ? false : !can(regex("^o-[a-z0-9]{10,32}$", grant.organization_id))])}. Use aws_organizations_organization.<name>.id."
  }
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

  validation {
    condition     = alltrue([for key in keys(var.role_names) : can(regex("^[a-zA-Z0-9_-]+$", key)) && length("${var.name}-${key}-consumer") <= 128])
    error_message = "The keys of role_names are parts of names of policies, of at most 128 letters, digits, hyphens and underscores. Not so: ${join(", ", [for key in keys(var.role_names) : "\"${var.name}-${key}-consumer\"" if !can(regex("^[a-zA-Z0-9_-]+$", key)) || length("${var.name}-${key}-consumer") > 128])}. Choose shorter or plainer keys."
  }

  validation {
    condition     = length(var.functions) == 0 || length(setsubtract(keys(var.role_names), keys(var.functions))) == 0
    error_message = "functions keeps the records of each function from the others, but role_names has roles that belong to none of them: ${join(", ", setsubtract(keys(var.role_names), keys(var.functions)))}. Use the same keys in both."
  }
}

variable "functions" {
  description = <<-EOT
    Functions that may use only keys of their own, so that none can read another's results: by the key that the function's role has in `role_names`. Each gets a policy and an environment of its own, in the output `functions`; there is then no policy for the whole table.

    - `key_prefix`: what all keys of the function begin with in the table. Default: the function's key and `#`. Added by the layer, not by the caller of `runOnce`.
  EOT
  type = map(object({
    key_prefix = optional(string)
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for key in keys(var.functions) : can(regex("^[a-zA-Z0-9_-]+$", key)) && length("${var.name}-${key}") <= 128])
    error_message = "The keys of functions are parts of names of policies, of at most 128 letters, digits, hyphens and underscores. Not so: ${join(", ", [for key in keys(var.functions) : "\"${var.name}-${key}\"" if !can(regex("^[a-zA-Z0-9_-]+$", key)) || length("${var.name}-${key}") > 128])}. Choose shorter or plainer keys."
  }

  # In a policy these would stand for more than themselves: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html
  validation {
    condition     = alltrue([for function in values(var.functions) : function.key_prefix == null ? true : can(regex("^[^*?$]{1,256}$", function.key_prefix))])
    error_message = "key_prefix of a function must be 1 to 256 characters without *, ? and $, which mean something else in a policy. Not so: ${join(", ", [for key, function in var.functions : "${key} (\"${function.key_prefix}\")" if function.key_prefix == null ? false : !can(regex("^[^*?$]{1,256}$", function.key_prefix))])}. Leave it out for the function's key and #."
  }

  validation {
    condition     = alltrue(flatten([for key, function in var.functions : [for other_key, other in var.functions : key == other_key || !startswith(coalesce(other.key_prefix, "${other_key}#"), coalesce(function.key_prefix, "${key}#"))]]))
    error_message = "No key_prefix may begin with another's, or one function could read the other's results. Not so: ${join(", ", flatten([for key, function in var.functions : [for other_key, other in var.functions : format("%s (%q begins with %q of %s)", other_key, coalesce(other.key_prefix, "${other_key}#"), coalesce(function.key_prefix, "${key}#"), key) if key != other_key && startswith(coalesce(other.key_prefix, "${other_key}#"), coalesce(function.key_prefix, "${key}#"))]]))}. End each with a separator, for instance \"orders#\"."
  }
}

variable "policy_path" {
  description = "Path of the policies."
  type        = string
  default     = "/"
  nullable    = false

  # https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreatePolicy.html
  validation {
    condition     = can(regex("^/([!-~]+/)?$", var.policy_path)) && length(var.policy_path) <= 512
    error_message = "policy_path is \"${var.policy_path}\", but it must begin and end with a slash and have at most 512 characters. Use for instance \"/idempotency/\"."
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
    - `fifo`: whether messages of a group keep their order; the names end in `.fifo`.
    - `content_based_deduplication`: for FIFO queues whose producers send no deduplication id.
    - `high_throughput`: for FIFO queues: order and deduplication within a message group only, thousands of messages a second.
    - `batch_size`: most messages in one invocation. More than 10 need a batching_window, and a queue that is not FIFO.
    - `batching_window`: seconds to wait for a batch to fill.
    - `visibility_timeout`: seconds, where more is wanted than what follows from function_timeout; a shorter one changes nothing.
    - `max_receive_count`: deliveries of a message before it moves to the dead-letter queue.
    - `maximum_concurrency`: most concurrent invocations from this queue.
    - `filter_patterns`: JSON patterns; messages that match none are deleted unseen.
    - `metrics`: whether the mapping publishes its own metrics in CloudWatch, which are charged for.
    - `redrive_allow`: whether only this queue may use its dead-letter queue.
    - `senders`: AWS services that may send to the queue, each with the ARN it sends for, by keys of your choice: `{ topic = { service = "sns.amazonaws.com", source_arn = aws_sns_topic.orders.arn } }`.
    - `tls_only`: whether requests without TLS are refused. Without it and senders there is no queue policy, and you may attach one of your own.
  EOT
  type = map(object({
    function_timeout            = number
    function_name               = optional(string)
    event_source_mapping        = optional(bool)
    role_key                    = optional(string)
    fifo                        = optional(bool, false)
    content_based_deduplication = optional(bool, false)
    high_throughput             = optional(bool, false)
    batch_size                  = optional(number, 10)
    batching_window             = optional(number, 0)
    visibility_timeout          = optional(number)
    max_receive_count           = optional(number, 5)
    maximum_concurrency         = optional(number)
    filter_patterns             = optional(list(string), [])
    metrics                     = optional(bool, false)
    redrive_allow               = optional(bool, true)
    tls_only                    = optional(bool, true)
    senders = optional(map(object({
      service    = string
      source_arn = string
    })), {})
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for key, queue in var.queues : can(regex("^[a-zA-Z0-9_-]+$", key)) && length("${var.name}-${key}-dlq${queue.fifo ? ".fifo" : ""}") <= 80])
    error_message = "The keys of queues are parts of names of at most 80 letters, digits, hyphens and underscores. Not so: ${join(", ", [for key, queue in var.queues : "\"${var.name}-${key}-dlq${queue.fifo ? ".fifo" : ""}\"" if !can(regex("^[a-zA-Z0-9_-]+$", key)) || length("${var.name}-${key}-dlq${queue.fifo ? ".fifo" : ""}") > 80])}. Choose shorter or plainer keys."
  }

  validation {
    condition     = alltrue([for key, queue in var.queues : !endswith(key, "-dlq") || try(var.queues[trimsuffix(key, "-dlq")].fifo != queue.fifo, true)])
    error_message = "A queue may not have the name of another's dead-letter queue. Not so: ${join(", ", [for key, queue in var.queues : "\"${var.name}-${key}${queue.fifo ? ".fifo" : ""}\"" if endswith(key, "-dlq") && try(var.queues[trimsuffix(key, "-dlq")].fifo == queue.fifo, false)])}. Choose another key."
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

  # https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
  validation {
    condition     = alltrue([for queue in values(var.queues) : !queue.fifo || (queue.batch_size <= 10 && queue.batching_window == 0)])
    error_message = "A FIFO queue takes a batch_size of at most 10 and no batching_window. Not so: ${join(", ", [for key, queue in var.queues : "${key} (batch_size ${queue.batch_size}, batching_window ${queue.batching_window})" if queue.fifo && (queue.batch_size > 10 || queue.batching_window != 0)])}. Leave both out."
  }

  validation {
    condition     = alltrue([for queue in values(var.queues) : queue.fifo || !(queue.content_based_deduplication || queue.high_throughput)])
    error_message = "content_based_deduplication and high_throughput are for FIFO queues only. Not so: ${join(", ", [for key, queue in var.queues : key if !queue.fifo && (queue.content_based_deduplication || queue.high_throughput)])}. Set fifo = true, or leave them out."
  }

  # https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html
  validation {
    condition     = alltrue([for queue in values(var.queues) : length(queue.filter_patterns) <= 5 && alltrue([for pattern in queue.filter_patterns : can(keys(jsondecode(pattern)))])])
    error_message = "filter_patterns of a queue must be at most 5 JSON objects. Not so: ${join(", ", [for key, queue in var.queues : "${key} (${jsonencode(queue.filter_patterns)})" if length(queue.filter_patterns) > 5 || !alltrue([for pattern in queue.filter_patterns : can(keys(jsondecode(pattern)))])])}. Use jsonencode({ body = { … } }); Lambda takes more than 5 only on request, and drops what matches none."
  }

  validation {
    condition     = alltrue(flatten([for queue in values(var.queues) : [for sender in values(queue.senders) : can(regex("^[a-z0-9.-]+\\.amazonaws\\.com$", sender.service)) && can(regex("^arn:[^:]+:[^:]+:", sender.source_arn))]]))
    error_message = "A sender of a queue must have the service that sends and the ARN it sends for. Not so: ${join(", ", flatten([for key, queue in var.queues : [for sender_key, sender in queue.senders : "${key}/${sender_key} (service \"${sender.service}\", source_arn \"${sender.source_arn}\")" if !(can(regex("^[a-z0-9.-]+\\.amazonaws\\.com$", sender.service)) && can(regex("^arn:[^:]+:[^:]+:", sender.source_arn)))]]))}. Use for instance { service = \"sns.amazonaws.com\", source_arn = aws_sns_topic.<name>.arn }."
  }

  validation {
    condition     = alltrue([for queue in values(var.queues) : var.keep_for_seconds >= queue.max_receive_count * max(6 * queue.function_timeout + queue.batching_window, coalesce(queue.visibility_timeout, 0))])
    error_message = "keep_for_seconds is ${var.keep_for_seconds}, but a message may come again later than that, and would run again: ${join(", ", [for key, queue in var.queues : "${key} (${queue.max_receive_count} deliveries * visibility timeout ${max(6 * queue.function_timeout + queue.batching_window, coalesce(queue.visibility_timeout, 0))} = ${queue.max_receive_count * max(6 * queue.function_timeout + queue.batching_window, coalesce(queue.visibility_timeout, 0))})" if var.keep_for_seconds < queue.max_receive_count * max(6 * queue.function_timeout + queue.batching_window, coalesce(queue.visibility_timeout, 0))])}. Raise keep_for_seconds, or lower max_receive_count."
  }
}

variable "existing_queues" {
  description = <<-EOT
    Queues of your own, by keys of your choice. Nothing is created for them: a plan warns where their settings do not fit the function, and the output `queue_settings` has those that do.

    - `function_timeout`: seconds, the timeout of the function that consumes the queue.
    - `visibility_timeout`: seconds, as the queue has it: aws_sqs_queue.<name>.visibility_timeout_seconds.
    - `batching_window`: seconds, as its event source mapping has it.
  EOT
  type = map(object({
    function_timeout   = number
    visibility_timeout = number
    batching_window    = optional(number, 0)
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for queue in values(var.existing_queues) : queue.function_timeout >= 1 && queue.function_timeout <= 900 && floor(queue.function_timeout) == queue.function_timeout])
    error_message = "function_timeout of an existing queue must be a whole number from 1 to 900. Not so: ${join(", ", [for key, queue in var.existing_queues : "${key} (${queue.function_timeout})" if queue.function_timeout < 1 || queue.function_timeout > 900 || floor(queue.function_timeout) != queue.function_timeout])}. Use the timeout of the function: aws_lambda_function.<name>.timeout."
  }

  validation {
    condition     = alltrue([for queue in values(var.existing_queues) : queue.batching_window >= 0 && queue.batching_window <= 300 && floor(queue.batching_window) == queue.batching_window])
    error_message = "batching_window of an existing queue must be a whole number from 0 to 300. Not so: ${join(", ", [for key, queue in var.existing_queues : "${key} (${queue.batching_window})" if queue.batching_window < 0 || queue.batching_window > 300 || floor(queue.batching_window) != queue.batching_window])}. Use maximum_batching_window_in_seconds of its aws_lambda_event_source_mapping."
  }

  validation {
    condition     = alltrue([for queue in values(var.existing_queues) : queue.visibility_timeout >= queue.function_timeout && queue.visibility_timeout <= 43200])
    error_message = "visibility_timeout of an existing queue must be no less than its function_timeout, below which Lambda refuses the queue, and at most 43200. Not so: ${join(", ", [for key, queue in var.existing_queues : "${key} (visibility_timeout ${queue.visibility_timeout}, function_timeout ${queue.function_timeout}: set ${6 * queue.function_timeout + queue.batching_window})" if queue.visibility_timeout < queue.function_timeout || queue.visibility_timeout > 43200])}. Set visibility_timeout_seconds of the aws_sqs_queue."
  }
}

################################################################################
# Asynchronous invocations and streams
################################################################################

variable "async_functions" {
  description = <<-EOT
    Functions that are invoked asynchronously, as by S3, SNS and EventBridge, by keys of your choice: how often and how long Lambda tries an event again.

    - `function_name`: name or ARN of the function.
    - `qualifier`: version or alias, where it is not $LATEST.
    - `role_key`: key in `role_names` of the function's role, which gets the right to send to on_failure. Without it, all of them do.
    - `maximum_retry_attempts`: tries after the first.
    - `maximum_event_age`: seconds after which an event is given up.
    - `on_failure`: where events go that are given up: `arn` of a queue, topic, function, event bus or bucket, and `kms_key_arn` if a customer managed key encrypts it. Without it they are lost.
  EOT
  type = map(object({
    function_name          = string
    qualifier              = optional(string)
    role_key               = optional(string)
    maximum_retry_attempts = optional(number, 2)
    maximum_event_age      = optional(number, 21600)
    on_failure = optional(object({
      arn         = string
      kms_key_arn = optional(string)
    }))
  }))
  default  = {}
  nullable = false

  # https://docs.aws.amazon.com/lambda/latest/api/API_PutFunctionEventInvokeConfig.html, as the next
  validation {
    condition     = alltrue([for settings in values(var.async_functions) : settings.maximum_retry_attempts >= 0 && settings.maximum_retry_attempts <= 2 && floor(settings.maximum_retry_attempts) == settings.maximum_retry_attempts])
    error_message = "maximum_retry_attempts of an asynchronous function must be a whole number from 0 to 2. Not so: ${join(", ", [for key, settings in var.async_functions : "${key} (${settings.maximum_retry_attempts})" if settings.maximum_retry_attempts < 0 || settings.maximum_retry_attempts > 2 || floor(settings.maximum_retry_attempts) != settings.maximum_retry_attempts])}. Leave it out for 2."
  }

  validation {
    condition     = alltrue([for settings in values(var.async_functions) : settings.maximum_event_age >= 60 && settings.maximum_event_age <= 21600 && floor(settings.maximum_event_age) == settings.maximum_event_age])
    error_message = "maximum_event_age of an asynchronous function must be a whole number from 60 to 21600. Not so: ${join(", ", [for key, settings in var.async_functions : "${key} (${settings.maximum_event_age})" if settings.maximum_event_age < 60 || settings.maximum_event_age > 21600 || floor(settings.maximum_event_age) != settings.maximum_event_age])}. It is in seconds; leave it out for 21600."
  }

  validation {
    condition     = alltrue([for settings in values(var.async_functions) : settings.role_key == null ? true : contains(keys(var.role_names), settings.role_key)])
    error_message = "role_key of an asynchronous function must be a key of role_names, which are [${join(", ", keys(var.role_names))}]. Not so: ${join(", ", [for key, settings in var.async_functions : "${key} (\"${settings.role_key}\")" if settings.role_key == null ? false : !contains(keys(var.role_names), settings.role_key)])}. Add the role to role_names, or correct the key."
  }

  validation {
    condition     = alltrue([for settings in values(var.async_functions) : settings.on_failure == null ? true : can(regex("^arn:[^:]+:(sqs|sns|lambda|events|s3):", settings.on_failure.arn)) && !endswith(settings.on_failure.arn, ".fifo")])
    error_message = "on_failure of an asynchronous function must be the ARN of a queue, topic, function, event bus or bucket, and not FIFO, which Lambda cannot send to. Not so: ${join(", ", [for key, settings in var.async_functions : "${key} (\"${settings.on_failure.arn}\")" if settings.on_failure == null ? false : !can(regex("^arn:[^:]+:(sqs|sns|lambda|events|s3):", settings.on_failure.arn)) || endswith(settings.on_failure.arn, ".fifo")])}. Use for instance on_failure = { arn = aws_sqs_queue.<name>.arn }."
  }

  validation {
    condition     = alltrue([for settings in values(var.async_functions) : alltrue([for arn in [(settings.on_failure == null ? null : settings.on_failure.kms_key_arn)] : arn == null ? true : can(regex("^arn:[^:]+:kms:[^:]+:[0-9]{12}:key/[a-zA-Z0-9-]+$", arn))])])
    error_message = "kms_key_arn of an asynchronous function must be the ARN of a key, arn:<partition>:kms:<region>:<account>:key/<id>; policies cannot name an alias. Not so: ${join(", ", flatten([for key, settings in var.async_functions : [for arn in [(settings.on_failure == null ? null : settings.on_failure.kms_key_arn)] : "${key} (\"${arn}\")" if arn == null ? false : !can(regex("^arn:[^:]+:kms:[^:]+:[0-9]{12}:key/[a-zA-Z0-9-]+$", arn))]]))}. Use aws_kms_key.<name>.arn."
  }

  validation {
    condition     = alltrue([for settings in values(var.async_functions) : var.keep_for_seconds >= settings.maximum_event_age])
    error_message = "keep_for_seconds is ${var.keep_for_seconds}, but an asynchronous event may come again later than that, and would run again: ${join(", ", [for key, settings in var.async_functions : "${key} (maximum_event_age ${settings.maximum_event_age})" if var.keep_for_seconds < settings.maximum_event_age])}. Raise keep_for_seconds, or lower maximum_event_age."
  }
}

variable "streams" {
  description = <<-EOT
    Streams of Kinesis and DynamoDB that are mapped to functions, with an end to how often and how long Lambda tries a batch again, by keys of your choice. The function's role gets the right to read the stream.

    - `event_source_arn`: ARN of the stream.
    - `function_name`: name or ARN of the function, of its version or alias.
    - `role_key`: key in `role_names` of the function's role. Without it, all of them may read the stream.
    - `kms_key_arn`: customer managed key that encrypts the stream, or the table whose stream it is.
    - `starting_position`: TRIM_HORIZON, or LATEST, which may miss records that arrive while the mapping is made.
    - `batch_size`: most records in one invocation.
    - `batching_window`: seconds to wait for a batch to fill.
    - `parallelization_factor`: batches of one shard that are handled at the same time; records of a partition key keep their order.
    - `maximum_retry_attempts`: tries after the first. Lambda's own default has no end, and one record that always fails holds up its shard until it expires.
    - `maximum_record_age`: seconds after which a record is given up.
    - `bisect_batch`: whether a batch that fails without a partial batch response, as by a timeout, is tried again in halves.
    - `on_failure`: where the whereabouts of records go that are given up: `arn` of a queue, topic or bucket, and `kms_key_arn` if a customer managed key encrypts it. Without it they would be lost.
    - `filter_patterns`: JSON patterns; records that match none are skipped.
    - `metrics`: whether the mapping publishes its own metrics in CloudWatch, which are charged for.
  EOT
  type = map(object({
    event_source_arn       = string
    function_name          = string
    role_key               = optional(string)
    kms_key_arn            = optional(string)
    starting_position      = optional(string, "TRIM_HORIZON")
    batch_size             = optional(number, 100)
    batching_window        = optional(number, 0)
    parallelization_factor = optional(number, 1)
    maximum_retry_attempts = optional(number, 10)
    maximum_record_age     = optional(number, 86400)
    bisect_batch           = optional(bool, true)
    on_failure = optional(object({
      arn         = string
      kms_key_arn = optional(string)
    }))
    filter_patterns = optional(list(string), [])
    metrics         = optional(bool, false)
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for stream in values(var.streams) : can(regex("^arn:[^:]+:(kinesis:[^:]+:[0-9]{12}:stream/[^/]+$|dynamodb:[^:]+:[0-9]{12}:table/[^/]+/stream/[^/]+$)", stream.event_source_arn))])
    error_message = "event_source_arn of a stream must be the ARN of a stream of Kinesis or DynamoDB. Not so: ${join(", ", [for key, stream in var.streams : "${key} (\"${stream.event_source_arn}\")" if !can(regex("^arn:[^:]+:(kinesis:[^:]+:[0-9]{12}:stream/[^/]+$|dynamodb:[^:]+:[0-9]{12}:table/[^/]+/stream/[^/]+$)", stream.event_source_arn))])}. Use aws_kinesis_stream.<name>.arn or aws_dynamodb_table.<name>.stream_arn."
  }

  validation {
    condition     = alltrue([for stream in values(var.streams) : stream.role_key == null ? true : contains(keys(var.role_names), stream.role_key)])
    error_message = "role_key of a stream must be a key of role_names, which are [${join(", ", keys(var.role_names))}]. Not so: ${join(", ", [for key, stream in var.streams : "${key} (\"${stream.role_key}\")" if stream.role_key == null ? false : !contains(keys(var.role_names), stream.role_key)])}. Add the role to role_names, or correct the key."
  }

  validation {
    condition     = alltrue([for stream in values(var.streams) : contains(["TRIM_HORIZON", "LATEST"], stream.starting_position)])
    error_message = "starting_position of a stream must be TRIM_HORIZON or LATEST. Not so: ${join(", ", [for key, stream in var.streams : "${key} (\"${stream.starting_position}\")" if !contains(["TRIM_HORIZON", "LATEST"], stream.starting_position)])}. Leave it out for TRIM_HORIZON, which misses nothing."
  }

  # https://docs.aws.amazon.com/lambda/latest/api/API_CreateEventSourceMapping.html, as the next four
  validation {
    condition     = alltrue([for stream in values(var.streams) : stream.batch_size >= 1 && stream.batch_size <= 10000 && floor(stream.batch_size) == stream.batch_size])
    error_message = "batch_size of a stream must be a whole number from 1 to 10000. Not so: ${join(", ", [for key, stream in var.streams : "${key} (${stream.batch_size})" if stream.batch_size < 1 || stream.batch_size > 10000 || floor(stream.batch_size) != stream.batch_size])}. Leave it out for 100."
  }

  validation {
    condition     = alltrue([for stream in values(var.streams) : stream.batching_window >= 0 && stream.batching_window <= 300 && floor(stream.batching_window) == stream.batching_window])
    error_message = "batching_window of a stream must be a whole number from 0 to 300. Not so: ${join(", ", [for key, stream in var.streams : "${key} (${stream.batching_window})" if stream.batching_window < 0 || stream.batching_window > 300 || floor(stream.batching_window) != stream.batching_window])}. It is in seconds; leave it out for 0."
  }

  validation {
    condition     = alltrue([for stream in values(var.streams) : stream.parallelization_factor >= 1 && stream.parallelization_factor <= 10 && floor(stream.parallelization_factor) == stream.parallelization_factor])
    error_message = "parallelization_factor of a stream must be a whole number from 1 to 10. Not so: ${join(", ", [for key, stream in var.streams : "${key} (${stream.parallelization_factor})" if stream.parallelization_factor < 1 || stream.parallelization_factor > 10 || floor(stream.parallelization_factor) != stream.parallelization_factor])}. Leave it out for 1."
  }

  validation {
    condition     = alltrue([for stream in values(var.streams) : stream.maximum_retry_attempts >= 0 && stream.maximum_retry_attempts <= 10000 && floor(stream.maximum_retry_attempts) == stream.maximum_retry_attempts])
    error_message = "maximum_retry_attempts of a stream must be a whole number from 0 to 10000. Not so: ${join(", ", [for key, stream in var.streams : "${key} (${stream.maximum_retry_attempts})" if stream.maximum_retry_attempts < 0 || stream.maximum_retry_attempts > 10000 || floor(stream.maximum_retry_attempts) != stream.maximum_retry_attempts])}. Leave it out for 10."
  }

  validation {
    condition     = alltrue([for stream in values(var.streams) : stream.maximum_record_age >= 60 && stream.maximum_record_age <= 604800 && floor(stream.maximum_record_age) == stream.maximum_record_age])
    error_message = "maximum_record_age of a stream must be a whole number from 60 to 604800. Not so: ${join(", ", [for key, stream in var.streams : "${key} (${stream.maximum_record_age})" if stream.maximum_record_age < 60 || stream.maximum_record_age > 604800 || floor(stream.maximum_record_age) != stream.maximum_record_age])}. It is in seconds; leave it out for 86400."
  }

  validation {
    condition     = alltrue([for stream in values(var.streams) : stream.on_failure != null])
    error_message = "A stream needs on_failure, or records that are given up are lost. Not so: ${join(", ", [for key, stream in var.streams : key if stream.on_failure == null])}. Set on_failure = { arn = aws_sqs_queue.<name>.arn }."
  }

  validation {
    condition     = alltrue([for stream in values(var.streams) : stream.on_failure == null ? true : can(regex("^arn:[^:]+:(sqs|sns|s3):", stream.on_failure.arn)) && !endswith(stream.on_failure.arn, ".fifo")])
    error_message = "on_failure of a stream must be the ARN of a queue, topic or bucket, and not FIFO, which Lambda cannot send to. Not so: ${join(", ", [for key, stream in var.streams : "${key} (\"${stream.on_failure.arn}\")" if stream.on_failure == null ? false : !can(regex("^arn:[^:]+:(sqs|sns|s3):", stream.on_failure.arn)) || endswith(stream.on_failure.arn, ".fifo")])}. Use for instance on_failure = { arn = aws_sqs_queue.<name>.arn }."
  }

  validation {
    condition     = alltrue([for stream in values(var.streams) : alltrue([for arn in [(stream.on_failure == null ? null : stream.on_failure.kms_key_arn), stream.kms_key_arn] : arn == null ? true : can(regex("^arn:[^:]+:kms:[^:]+:[0-9]{12}:key/[a-zA-Z0-9-]+$", arn))])])
    error_message = "kms_key_arn of a stream must be the ARN of a key, arn:<partition>:kms:<region>:<account>:key/<id>; policies cannot name an alias. Not so: ${join(", ", flatten([for key, stream in var.streams : [for arn in [(stream.on_failure == null ? null : stream.on_failure.kms_key_arn), stream.kms_key_arn] : "${key} (\"${arn}\")" if arn == null ? false : !can(regex("^arn:[^:]+:kms:[^:]+:[0-9]{12}:key/[a-zA-Z0-9-]+$", arn))]]))}. Use aws_kms_key.<name>.arn."
  }

  validation {
    condition     = alltrue([for stream in values(var.streams) : length(stream.filter_patterns) <= 5 && alltrue([for pattern in stream.filter_patterns : can(keys(jsondecode(pattern)))])])
    error_message = "filter_patterns of a stream must be at most 5 JSON objects. Not so: ${join(", ", [for key, stream in var.streams : "${key} (${jsonencode(stream.filter_patterns)})" if length(stream.filter_patterns) > 5 || !alltrue([for pattern in stream.filter_patterns : can(keys(jsondecode(pattern)))])])}. Use jsonencode({ data = { … } }); Lambda takes more than 5 only on request, and drops what matches none."
  }

  validation {
    condition     = alltrue([for stream in values(var.streams) : var.keep_for_seconds >= stream.maximum_record_age])
    error_message = "keep_for_seconds is ${var.keep_for_seconds}, but a record of a stream may come again later than that, and would run again: ${join(", ", [for key, stream in var.streams : "${key} (maximum_record_age ${stream.maximum_record_age})" if var.keep_for_seconds < stream.maximum_record_age])}. Raise keep_for_seconds, or lower maximum_record_age."
  }
}

################################################################################
# Metrics, alarms and dashboard
################################################################################

variable "metrics" {
  description = "Has the layer write metrics (CloudWatch Embedded Metric Format): runs, replays, takeovers, lost locks, results that could not be stored. They are charged for as custom metrics. Off by default; `{}` turns them on."
  type = object({
    namespace = optional(string, "Idempotency")
  })
  default = null

  # https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_MetricDatum.html
  validation {
    condition     = var.metrics == null ? true : can(regex("^[a-zA-Z0-9._/#-]{1,255}$", var.metrics.namespace)) && !startswith(var.metrics.namespace, "AWS/")
    error_message = "namespace of metrics is \"${try(var.metrics.namespace, "null")}\", but it must be 1 to 255 letters, digits, and . - _ / #, and not begin with AWS/. Leave it out for Idempotency."
  }
}

variable "alarms" {
  description = "Makes alarms: dead-letter queues that are not empty, messages older than two visibility timeouts, a table that throttles and, where metrics are on, takeovers, lost locks and results that could not be stored. `topic_arns` are SNS topics that are told when an alarm begins and ends. Off by default; `{}` makes alarms that tell nobody."
  type = object({
    topic_arns = optional(list(string), [])
  })
  default = null

  validation {
    condition     = var.alarms == null ? true : alltrue([for arn in var.alarms.topic_arns : can(regex("^arn:[^:]+:sns:[^:]+:[0-9]{12}:[^:]+$", arn))])
    error_message = "topic_arns of alarms must be ARNs of SNS topics. Not so: ${var.alarms == null ? "" : join(", ", [for arn in var.alarms.topic_arns : "\"${arn}\"" if !can(regex("^arn:[^:]+:sns:[^:]+:[0-9]{12}:[^:]+$", arn))])}. Use aws_sns_topic.<name>.arn."
  }
}

variable "dashboard" {
  description = "Whether to make a CloudWatch dashboard: deliveries, runs and replays, what is wrong, queues and table. What the layer does is on it where metrics are on."
  type        = bool
  default     = false
  nullable    = false
}
