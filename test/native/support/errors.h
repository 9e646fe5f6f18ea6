// Expecting a system call to fail with a certain error.
#ifndef BASHWARD_TEST_SUPPORT_ERRORS_H_
#define BASHWARD_TEST_SUPPORT_ERRORS_H_

#include <errno.h>
#include <gtest/gtest.h>

namespace bashward::test {

// `result` is what the system call has returned, evaluated just before.
inline void ExpectFailure(int expected, long result, int error, const char* call, const char* file,
                          int line) {
  if (result == -1 && error == expected) return;
  ADD_FAILURE_AT(file, line) << call << ": expected -1 with errno " << expected << ", got " << result
                             << " with errno " << error;
}

}  // namespace bashward::test

#define EXPECT_FAILS_WITH(expected_errno, call)                                                     \
  do {                                                                                              \
    errno = 0;                                                                                      \
    const long call_result = static_cast<long>(call);                                               \
    ::bashward::test::ExpectFailure(expected_errno, call_result, errno, #call, __FILE__, __LINE__); \
  } while (false)

#endif  // BASHWARD_TEST_SUPPORT_ERRORS_H_
