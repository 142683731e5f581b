variable "name" {
  description = "Prefix of the names of everything that the example creates."
  type        = string
  default     = "order-mail"
  nullable    = false
}

variable "keep_tables" {
  description = "Whether the tables are protected from deletion, as they should be for real orders. Off, so that `terraform destroy` leaves nothing of the example."
  type        = bool
  default     = false
  nullable    = false
}
