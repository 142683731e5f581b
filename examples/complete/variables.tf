variable "name" {
  description = "Prefix of the names of everything that the example creates."
  type        = string
  default     = "shop"
  nullable    = false
}

variable "keep_table" {
  description = "Whether the table is protected from deletion, as it should be for real payments. Off, so that `terraform destroy` leaves nothing of the example."
  type        = bool
  default     = false
  nullable    = false
}

variable "permissions_boundary_arn" {
  description = "ARN of the policy that bounds the functions' roles, where the account asks for one."
  type        = string
  default     = null
}
