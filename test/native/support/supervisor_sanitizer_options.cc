// Options of the sanitized supervisor, which starts with an empty environment and whose stderr is the
// command's. A file beside it may name another place for the reports.

extern "C" __attribute__((visibility("default"))) const char* __asan_default_options() {
  // It has no heap: the shipped one is linked without malloc(3). What could leak is the sanitizer's own.
  return "detect_leaks=0:log_path=" BASHWARD_SANITIZER_LOG ":include_if_exists=%d/sanitizer-options";
}

extern "C" __attribute__((visibility("default"))) const char* __ubsan_default_options() {
  return "print_stacktrace=1:log_path=" BASHWARD_SANITIZER_LOG ":include_if_exists=%d/sanitizer-options";
}
