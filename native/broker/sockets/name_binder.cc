#include "broker/sockets/name_binder.h"

#include <errno.h>
#include <linux/futex.h>

#include "broker/kernel.h"

namespace bashward::broker {
namespace {

// landlock(7); the headers that this is built with may not have it.
constexpr long kCreateRuleset = 444;
constexpr long kAddRule = 445;
constexpr long kRestrictSelf = 446;
constexpr uint64_t kMakeSocket = uint64_t{1} << 9;
constexpr int kPathBeneath = 1;

struct [[gnu::packed]] PathBeneath {
  uint64_t allowed;
  int32_t directory;
};

}  // namespace

int NameBinder::Bind(const Request& request, const sandbox::WritableRoots& roots) {
  if (state_ == kNotStarted) {
    roots_ = &roots;
    const int error = sys::StartThreadOfItsOwn(Run, this, stack_);
    if (error != 0) return error;
  }
  request_ = &request;
  Set(kAsked);
  WaitFor(kAnswered);
  return static_cast<int>(result_);
}

int NameBinder::Run(void* binder) {
  auto* const self = static_cast<NameBinder*>(binder);
  const long confined = Confine(*self->roots_);
  for (;;) {
    self->WaitFor(kAsked);
    self->result_ = confined != 0 ? -EACCES : Carry(*self->request_);
    self->Set(kAnswered);
  }
}

long NameBinder::Confine(const sandbox::WritableRoots& roots) {
  const uint64_t handled = kMakeSocket;
  const kernel::Descriptor ruleset(kernel::Call(kCreateRuleset, &handled, sizeof handled, 0));
  if (!ruleset.valid()) return ruleset.error();
  for (size_t i = 0; i < roots.size(); ++i) {
    const PathBeneath rule{kMakeSocket, roots[i].fd.get()};
    const long error = kernel::Call(kAddRule, ruleset.get(), kPathBeneath, &rule, 0);
    if (error != 0) return error;
  }
  return kernel::Call(kRestrictSelf, ruleset.get(), 0);
}

long NameBinder::Carry(const Request& request) {
  const long entered = kernel::Call(SYS_fchdir, request.directory);
  if (entered != 0) return entered;
  kernel::Call(SYS_umask, request.mask);
  const long error = kernel::Call(SYS_bind, request.socket, request.address, request.size);
  // Or it would keep a mount busy.
  kernel::Call(SYS_chdir, "/");
  return error;
}

void NameBinder::WaitFor(uint32_t wanted) {
  for (;;) {
    const uint32_t state = __atomic_load_n(&state_, __ATOMIC_ACQUIRE);
    if (state == wanted) return;
    kernel::Call(SYS_futex, &state_, FUTEX_WAIT_PRIVATE, state, nullptr);
  }
}

void NameBinder::Set(uint32_t state) {
  __atomic_store_n(&state_, state, __ATOMIC_RELEASE);
  kernel::Call(SYS_futex, &state_, FUTEX_WAKE_PRIVATE, 1);
}

}  // namespace bashward::broker
