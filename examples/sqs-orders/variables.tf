variable "name" {
  description = "Prefix of the names of everything that the example creates."
  type        = string
  default     = "sqs-orders"
  nullable    = false
}

variable "function_timeouts" {
  description = "Seconds that each function may take for one invocation. The queues' visibility timeouts follow from them."
  type = object({
    retail    = optional(number, 30)
    wholesale = optional(number, 30)
  })
  default  = {}
  nullable = false
}

variable "keep_table" {
  description = "Whether the table is protected from deletion, as it should be for real orders. Off, so that `terraform destroy` leaves nothing of the example."
  type        = bool
  default     = false
  nullable    = false
}

variable "rehearse_accidents" {
  description = "Whether an order may ask for an accident: `slow`, `crash` or `hang`. For demonstrations and tests only."
  type        = bool
  default     = false
  nullable    = false
}
