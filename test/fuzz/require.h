// What has to hold for every input: where it does not, the fuzzer stops, and keeps the input.
#ifndef BASHWARD_TEST_FUZZ_REQUIRE_H_
#define BASHWARD_TEST_FUZZ_REQUIRE_H_

#include <cstdio>
#include <cstdlib>

namespace bashward {

inline void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

}  // namespace bashward

#endif  // BASHWARD_TEST_FUZZ_REQUIRE_H_
