#include "process/output_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

namespace bashward::process {
namespace {

// A default pipe holds 64 KiB; a larger read would only touch more memory.
constexpr size_t kReadSize = 64 * 1024;
constexpr int kLargePipeSize = 1024 * 1024;
// After so many bytes a stream waits for its next turn, so that one flood does not starve the other commands.
constexpr uint64_t kTurnBudget = 8 * 1024 * 1024;
// Below this much, copying is cheaper than splicing.
constexpr size_t kMinDiscard = 32 * 1024;
// A writer of small pieces would wake the reactor for each of them. So from the second small read on, the
// stream is read only now and then, and the rarer the less comes; the end of the command does not wait for
// it.
constexpr uint64_t kShortestPauseNs = 500'000;
constexpr uint64_t kLongestPauseNs = 2'000'000;
// A flood that is read as it comes keeps both sides waiting for the pipe's lock, a page at a time. After this
// long, and the kernel's 50 us of slack, a large pipe is half full.
constexpr uint64_t kShortestFloodPauseNs = 30'000;
constexpr size_t kLiveLimit = 64 * 1024;
constexpr uint64_t kLiveIntervalNs = 50 * kNsPerMs;

// One-shot: after an event the stream decides when it wants the next.
constexpr uint32_t kInterest = EPOLLIN | EPOLLONESHOT;

}  // namespace

OutputStream::OutputStream(EventLoop& loop, OutputResources& resources, Limits limits, LiveCallback on_live,
                           std::function<void()> on_end)
    : resources_(resources),
      on_live_(std::move(on_live)),
      on_end_(std::move(on_end)),
      watch_(loop, [this](uint32_t) { OnReady(); }),
      pause_timer_(loop.timers(), [this] { OnReady(); }),
      live_timer_(loop.timers(), [this] { FlushLive(); }),
      captured_(limits.head, limits.tail),
      live_(kLiveLimit) {}

OutputStream::~OutputStream() {
  if (large_) --resources_.large_pipes;
}

int OutputStream::Open(sys::UniqueFd pipe) {
  if (!resources_.buffer) resources_.buffer = std::make_unique<char[]>(kReadSize);
  pipe_ = std::move(pipe);
  return watch_.Set(pipe_.get(), kInterest);
}

void OutputStream::Close() {
  if (ended()) return;
  pause_timer_.Clear();
  watch_.Stop();
  pipe_.reset();
  if (large_) --resources_.large_pipes;
  large_ = false;
  live_timer_.Clear();
  while (on_live_ && !live_.empty()) on_live_(live_.Take());
}

void OutputStream::SaveTo(SavedOutput* saved) {
  saved_ = saved;
  saved_->set_on_relief([this] {
    if (!ended() && !yielded_) OnReady();
  });
}

void OutputStream::Yield() {
  ReadAvailable();
  if (ended()) return;
  yielded_ = true;
  pause_timer_.Clear();
  watch_.Stop();
}

int OutputStream::Resume() {
  if (!yielded_) return 0;
  yielded_ = false;
  return watch_.Set(pipe_.get(), kInterest);
}

void OutputStream::OnReady() {
  // Not armed again: the relief calls back.
  if (saved_ != nullptr && saved_->congested()) return;
  const uint64_t before = captured_.total();
  switch (Drain(kTurnBudget)) {
    case Progress::kEnd:
      Close();
      on_end_();
      return;
    case Progress::kMore:
      watch_.Set(pipe_.get(), kInterest);
      return;
    case Progress::kDrained:
      AwaitMore(captured_.total() - before);
  }
}

void OutputStream::AwaitMore(uint64_t got) {
  const uint64_t room = large_ ? kLargePipeSize : kReadSize;
  const uint64_t shortest = large_ ? kShortestFloodPauseNs : kShortestPauseNs;
  if (got == 0) {
    pause_ns_ = 0;
  } else if (got < room / 8) {
    // Half a pause counts as none: what follows the first line is not delayed either.
    pause_ns_ = std::clamp(2 * pause_ns_, large_ ? shortest : shortest / 2, kLongestPauseNs);
  } else if (got > room / 2) {
    pause_ns_ /= 2;
  }
  if (pause_ns_ < shortest) {
    watch_.Set(pipe_.get(), kInterest);
  } else {
    pause_timer_.SetIn(pause_ns_);
  }
}

OutputStream::Progress OutputStream::Drain(uint64_t budget) {
  const uint64_t end = captured_.total() + budget;
  while (captured_.total() < end) {
    const int64_t count = ReadSome();
    if (count == 0) return Progress::kEnd;
    // It was all there was. What has come since, the watch notices.
    if (count < static_cast<int64_t>(kReadSize)) return Progress::kDrained;
  }
  return Progress::kMore;
}

int64_t OutputStream::ReadOnce() {
  for (;;) {
    const ssize_t count = read(pipe_.get(), resources_.buffer.get(), kReadSize);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return -1;
    if (count <= 0) return 0;  // no other error of a pipe goes away by reading again
    Keep(resources_.buffer.get(), static_cast<size_t>(count));
    return count;
  }
}

void OutputStream::Keep(const char* data, size_t size) {
  if (saved_ != nullptr) {
    // The first byte that the head has no room for begins the file; what came before is in the head.
    if (!saving_ && captured_.head_room() < size) {
      saving_ = true;
      saved_->Append(captured_.head().data(), captured_.head().size());
    }
    if (saving_) saved_->Append(data, size);
  }
  captured_.Append(data, size);
  if (on_live_) {
    live_.Append(data, size);
    ScheduleLive();
  }
}

int64_t OutputStream::ReadSome() {
  const bool wanted = !captured_.head_full() || saved_ != nullptr || (on_live_ && !live_.full());
  return wanted ? ReadOnce() : Discard();
}

// Moves what is neither kept nor shown to /dev/null inside the kernel, then reads the rest. All of the tail
// is left to read: a tail left in the pipe could keep a large write from ever fitting, and no event would
// follow.
int64_t OutputStream::Discard() {
  int available = 0;
  if (ioctl(pipe_.get(), FIONREAD, &available) != 0) return ReadOnce();
  const size_t surplus = static_cast<size_t>(std::max(available, 0));
  if (!large_ && surplus >= kMinDiscard) Enlarge();
  if (surplus < captured_.tail_limit() + kMinDiscard) return ReadOnce();
  const ssize_t moved = splice(pipe_.get(), nullptr, resources_.null_fd, nullptr,
                               surplus - captured_.tail_limit(), SPLICE_F_NONBLOCK);
  if (moved <= 0) return ReadOnce();
  captured_.Skip(static_cast<uint64_t>(moved));
  if (on_live_) {
    live_.Skip(static_cast<uint64_t>(moved));
    ScheduleLive();
  }
  return ReadOnce();
}

void OutputStream::Enlarge() {
  if (resources_.large_pipes >= OutputResources::kMaxLargePipes) return;
  // Refused beyond the user's budget; the flood is then only slower.
  if (fcntl(pipe_.get(), F_SETPIPE_SZ, kLargePipeSize) < 0) return;
  large_ = true;
  ++resources_.large_pipes;
}

void OutputStream::ReadAvailable() {
  if (ended() || yielded_) return;
  int available = 0;
  ioctl(pipe_.get(), FIONREAD, &available);
  const uint64_t target = captured_.total() + static_cast<uint64_t>(std::max(available, 0));
  int64_t count = 1;
  while (count > 0 && captured_.total() < target) count = ReadSome();
  // One more read tells whether this was all.
  if (count > 0) count = ReadOnce();
  if (count == 0) {
    Close();
    on_end_();
  }
}

void OutputStream::ScheduleLive() {
  if (!live_timer_.pending()) live_timer_.SetIn(kLiveIntervalNs);
}

void OutputStream::FlushLive() {
  on_live_(live_.Take());
}

}  // namespace bashward::process
