variable "name" {
  description = "Prefix of the names of everything that the example creates."
  type        = string
  default     = "sdk-caller"
  nullable    = false
}

variable "transfer_seconds" {
  description = "Seconds that the made-up bank takes for a transfer: more than the caller waits before it asks again."
  type        = number
  default     = 6
  nullable    = false

  validation {
    condition     = var.transfer_seconds >= 0 && var.transfer_seconds <= 20
    error_message = "transfer_seconds is ${var.transfer_seconds}, but it must be from 0 to 20, so that the function answers within its timeout of 30 seconds. Leave it out for 6."
  }
}

variable "keep_table" {
  description = "Whether the tables are protected from deletion, as they should be for real transfers. Off, so that `terraform destroy` leaves nothing of the example."
  type        = bool
  default     = false
  nullable    = false
}
