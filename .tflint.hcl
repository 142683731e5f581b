config {
  # Calls of the module in examples and fixtures are checked with what they pass.
  call_module_type = "local"
}

plugin "terraform" {
  enabled = true
  preset  = "all"
}
