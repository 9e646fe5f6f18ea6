// Options of the sanitized supervisor: it is started with an empty environment, and its stderr is the
// command's. A file beside it may name another place for the reports.

extern "C" __attribute__((visibility("default"))) const char* __asan_default_options() {
  // It ends by _exit and frees nothing on purpose: leaks are not looked for.
  return "detect_leaks=0:log_path=" BASHWARD_SANITIZER_LOG ":include_if_exists=%d/sanitizer-options";
}

extern "C" __attribute__((visibility("default"))) const char* __ubsan_default_options() {
  return "print_stacktrace=1:log_path=" BASHWARD_SANITIZER_LOG ":include_if_exists=%d/sanitizer-options";
}
