variable "name" {
  description = "Prefix of the names of everything that the example creates."
  type        = string
  default     = "http-payments"
  nullable    = false
}

variable "charge_seconds" {
  description = "Seconds that the made-up card network takes for a charge, in which the client can ask again."
  type        = number
  default     = 1
  nullable    = false

  validation {
    condition     = var.charge_seconds >= 0 && var.charge_seconds <= 10
    error_message = "charge_seconds is ${var.charge_seconds}, but it must be from 0 to 10, so that the function answers within its timeout of 15 seconds. Leave it out for 1."
  }
}

variable "keep_table" {
  description = "Whether the tables are protected from deletion, as they should be for real payments. Off, so that `terraform destroy` leaves nothing of the example."
  type        = bool
  default     = false
  nullable    = false
}
