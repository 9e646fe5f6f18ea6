#include "supervisor/terminal/stillness.h"

namespace bashward::supervisor {
namespace {

using protocol::Verdict;

constexpr uint64_t kNever = ~uint64_t{0};

// After output, and while it does not pause.
constexpr uint64_t kAfterOutputMs = 5;
constexpr uint64_t kDuringOutputMs = 50;
// Between two looks that say the same: that part of the time for which they have, so that an answer is late
// by that part at most. Never less than so many times what a look costs.
constexpr uint64_t kPauseShare = 8;
constexpr uint64_t kFirstPauseMs = 10;
constexpr uint64_t kLastPauseMs = 160;
constexpr uint64_t kCostShare = 20;

constexpr uint64_t kCertainMs = 20;
constexpr uint64_t kHiddenPasswordMs = 60;
constexpr uint64_t kWatchingMs = 150;
// A program that draws all the time takes keys, too.
constexpr uint64_t kWatchingAtMostMs = 1000;
constexpr uint64_t kLikelyMs = 400;

bool IsSame(const Judgement& one, const Judgement& other) {
  return one.verdict == other.verdict && one.pid == other.pid && one.thread == other.thread &&
         one.call == other.call && one.hidden == other.hidden;
}

uint64_t Later(uint64_t one, uint64_t other) {
  return one > other ? one : other;
}

}  // namespace

bool WaitsForInput(const Judgement& judgement, bool likely) {
  switch (judgement.verdict) {
    case Verdict::kLine:
    case Verdict::kKeys:
    case Verdict::kPassword:
    case Verdict::kWatching:
    case Verdict::kStopped:
      return judgement.unread == 0;
    case Verdict::kRelay:
    case Verdict::kHidden:
      return likely && judgement.unread == 0;
    default:
      return false;
  }
}

void Stillness::OnOutput(uint64_t now) {
  output_at_ = now;
  if (unseen_since_ == 0) unseen_since_ = now;
  const uint64_t latest = unseen_since_ + kDuringOutputMs;
  next_look_ = now + kAfterOutputMs < latest ? now + kAfterOutputMs : latest;
}

void Stillness::OnInput(uint64_t now, bool asked) {
  outdated_ = asked;
  known_ = false;
  next_look_ = Later(now, output_at_ + kAfterOutputMs);
}

void Stillness::OnJudgement(uint64_t asked_at, uint64_t now, const Judgement& judgement, bool likely) {
  unseen_since_ = 0;
  if (outdated_) {
    outdated_ = false;
    next_look_ = now;
    return;
  }
  if (!known_ || !IsSame(judgement, last_) || likely != likely_) {
    since_ = asked_at;
  }
  known_ = true;
  last_ = judgement;
  likely_ = likely;
  waits_ = WaitsForInput(judgement, likely);
  const uint64_t same_since = Later(since_, output_at_);
  uint64_t pause = now > same_since ? (now - same_since) / kPauseShare : 0;
  if (pause < kFirstPauseMs) pause = kFirstPauseMs;
  if (pause > kLastPauseMs) pause = kLastPauseMs;
  // Not later than it could count.
  const uint64_t settled = SettledAt();
  if (settled > now && settled - now < pause) pause = settled - now;
  const uint64_t least = judgement.took_us * kCostShare / 1000;
  next_look_ = now + Later(pause, least);
  // This one was asked for before somebody wanted one.
  if (wanted_at_ > asked_at && wanted_at_ < next_look_) next_look_ = wanted_at_;
  if (wanted_at_ <= asked_at) wanted_at_ = 0;
  last_look_ = now;
}

// Where what is printed may be the answer to what was typed before, it has to be quiet as well.
uint64_t Stillness::SettledAt() const {
  if (!known_ || !waits_) return kNever;
  switch (last_.verdict) {
    case Verdict::kWatching: {
      const uint64_t quiet = Later(since_, output_at_) + kWatchingMs;
      return quiet < since_ + kWatchingAtMostMs ? quiet : since_ + kWatchingAtMostMs;
    }
    case Verdict::kRelay:
    case Verdict::kHidden:
      return Later(since_, output_at_) + kLikelyMs;
    case Verdict::kPassword:
      return since_ + (last_.hidden ? kHiddenPasswordMs : kCertainMs);
    default:
      return since_ + kCertainMs;
  }
}

bool Stillness::IsSettled(uint64_t now) const {
  // The last look must have been made at that time, or later.
  return last_look_ >= SettledAt() && now >= last_look_;
}

}  // namespace bashward::supervisor
