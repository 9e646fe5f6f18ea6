#include "support/filter_program.h"

#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cstring>

#include "support/bpf_interpreter.h"
#include "support/forked.h"
#include "support/seccomp.h"

namespace bashward::test {
namespace {

// Shared with the forked process that is asked for its program.
struct Given {
  int calls;
  unsigned short size;
  sock_filter code[BPF_MAXINSNS];
};
Given* given = nullptr;

long KeepProgram(const uint64_t* arguments) {
  const auto* program = reinterpret_cast<const sock_fprog*>(arguments[2]);
  ++given->calls;
  given->size = std::min<unsigned short>(program->len, BPF_MAXINSNS);
  memcpy(given->code, program->filter, given->size * sizeof *given->code);
  return 0;
}

}  // namespace

#if defined(__x86_64__)
const uint32_t kOwnArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
const uint32_t kOwnArchitecture = AUDIT_ARCH_AARCH64;
#endif

FilterProgram FilterProgram::GivenBy(const std::function<void()>& install) {
  FilterProgram program;
  void* shared = mmap(nullptr, sizeof(Given), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) {
    ADD_FAILURE() << "no memory to share";
    return program;
  }
  given = static_cast<Given*>(shared);
  InForkedProcess([&install] {
    AnswerSystemCall(SYS_seccomp, KeepProgram);
    install();
  });
  EXPECT_EQ(given->calls, 1);
  program.code_.assign(given->code, given->code + given->size);
  munmap(shared, sizeof(Given));
  return program;
}

FilterProgram FilterProgram::Of(sandbox::LandlockGaps gaps) {
  return Of(sandbox::FilterPolicy{gaps, false});
}

FilterProgram FilterProgram::Of(const sandbox::FilterPolicy& policy) {
  return GivenBy([&policy] {
    int listener = -1;
    EXPECT_TRUE(sandbox::InstallSeccompFilter(policy, &listener));
  });
}

int FilterProgram::Judge(uint32_t number, std::initializer_list<uint64_t> arguments,
                         uint32_t architecture) const {
  seccomp_data call{};
  call.nr = static_cast<int>(number);
  call.arch = architecture;
  std::copy(arguments.begin(), arguments.end(), call.args);
  const std::optional<uint32_t> action = RunBpf(code_, call);
  if (action == SECCOMP_RET_ALLOW) return kAllowed;
  if (action && (*action & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_ERRNO) {
    const auto error = static_cast<int>(*action & SECCOMP_RET_DATA);
    return error == 0 ? kPretended : error;
  }
  constexpr uint32_t kUserNotification = 0x7fc0'0000;  // SECCOMP_RET_USER_NOTIF
  if (action == kUserNotification) return kAsksBroker;
  return kOther;
}

const FilterProgram& CompleteFilter() {
  static const FilterProgram program = FilterProgram::Of(sandbox::LandlockGaps{false, false});
  return program;
}

const FilterProgram& FilterForSignals() {
  static const FilterProgram program = FilterProgram::Of(sandbox::LandlockGaps{false, true});
  return program;
}

const FilterProgram& FilterForTruncationToo() {
  static const FilterProgram program = FilterProgram::Of(sandbox::LandlockGaps{true, true});
  return program;
}

const FilterProgram& MakingFilter() {
  static const FilterProgram program = FilterProgram::Of(sandbox::FilterPolicy{{false, false}, false, true});
  return program;
}

const FilterProgram& MakingFilterForTruncationToo() {
  static const FilterProgram program = FilterProgram::Of(sandbox::FilterPolicy{{true, true}, false, true});
  return program;
}

const FilterProgram& BrokeredFilter() {
  static const FilterProgram program = FilterProgram::Of(sandbox::FilterPolicy{{false, false}, true});
  return program;
}

const FilterProgram& BrokeredFilterForTruncationToo() {
  static const FilterProgram program = FilterProgram::Of(sandbox::FilterPolicy{{true, true}, true});
  return program;
}

}  // namespace bashward::test
