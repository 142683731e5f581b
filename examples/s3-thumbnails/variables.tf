variable "name" {
  description = "Prefix of the names of everything that the example creates. Names of buckets are taken worldwide: the account's number follows."
  type        = string
  default     = "thumbnails"
  nullable    = false
}

variable "keep_data" {
  description = "Whether table and buckets are protected from deletion, as they should be for real pictures. Off, so that `terraform destroy` leaves nothing of the example."
  type        = bool
  default     = false
  nullable    = false
}
