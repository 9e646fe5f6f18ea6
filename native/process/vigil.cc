#include "process/vigil.h"

#include <sys/epoll.h>

namespace bashward::process {
namespace {

// Watching starts only after this long: watching each command from its start would wake the reactor twice
// for its end.
constexpr uint64_t kStartNs = 1'000 * kNsPerMs;
constexpr uint64_t kRoundNs = 100 * kNsPerMs;
constexpr int kRounds = 100;

}  // namespace

Vigil::Vigil(EventLoop& loop, std::function<void()> resume, std::function<void()> give_up)
    : resume_(std::move(resume)),
      give_up_(std::move(give_up)),
      watch_(loop,
             [this](uint32_t) {
               watch_.Stop();
               rounds_ = 1;
               timer_.SetIn(kRoundNs);
             }),
      timer_(loop.timers(), [this] { OnTimer(); }) {}

void Vigil::Begin(int shell_pidfd) {
  End();
  shell_pidfd_ = shell_pidfd;
  timer_.SetIn(kStartNs);
}

void Vigil::End() {
  timer_.Clear();
  watch_.Stop();
  rounds_ = 0;
}

void Vigil::OnTimer() {
  if (rounds_ == 0 && shell_pidfd_ >= 0 && watch_.Set(shell_pidfd_, EPOLLIN) == 0) return;
  if (rounds_ > kRounds) return give_up_();
  resume_();
  if (rounds_ > 0) ++rounds_;
  timer_.SetIn(rounds_ > 0 ? kRoundNs : kStartNs);
}

}  // namespace bashward::process
