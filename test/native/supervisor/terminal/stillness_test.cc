#include "supervisor/terminal/stillness.h"

#include <gtest/gtest.h>

namespace bashward::supervisor {
namespace {

using protocol::Verdict;

constexpr uint64_t kBegin = 1'000'000;

Judgement Of(Verdict verdict, pid_t pid = 10) {
  Judgement judgement{};
  judgement.verdict = verdict;
  judgement.pid = pid;
  judgement.took_us = 100;
  return judgement;
}

// Looks whenever it wants to, and finds the same; when it is settled, or the end.
uint64_t SettlesAt(Stillness* stillness, uint64_t from, uint64_t end, const Judgement& judgement,
                   bool likely = false) {
  uint64_t now = from;
  while (now < end) {
    if (stillness->next_look() > now) now = stillness->next_look();
    stillness->OnJudgement(now, now, judgement, likely);
    if (stillness->IsSettled(now)) return now;
  }
  return end;
}

uint64_t AfterOutput(const Judgement& judgement, bool likely = false) {
  Stillness stillness(kBegin);
  stillness.OnOutput(kBegin);
  return SettlesAt(&stillness, kBegin, kBegin + 10'000, judgement, likely) - kBegin;
}

TEST(Stillness, BelievesWhatIsCertainSoon) {
  EXPECT_EQ(AfterOutput(Of(Verdict::kLine)), 25U);
  EXPECT_EQ(AfterOutput(Of(Verdict::kKeys)), 25U);
  EXPECT_EQ(AfterOutput(Of(Verdict::kPassword)), 25U);
  EXPECT_EQ(AfterOutput(Of(Verdict::kStopped)), 25U);
}

TEST(Stillness, BelievesTheRestLater) {
  Judgement hidden = Of(Verdict::kPassword);
  hidden.hidden = true;
  EXPECT_EQ(AfterOutput(hidden), 65U);
  EXPECT_EQ(AfterOutput(Of(Verdict::kWatching)), 155U);
  EXPECT_EQ(AfterOutput(Of(Verdict::kRelay), true), 405U);
}

TEST(Stillness, NeverBelievesWhatIsNoWait) {
  EXPECT_EQ(AfterOutput(Of(Verdict::kRelay)), 10'000U);
  EXPECT_EQ(AfterOutput(Of(Verdict::kSleep), true), 10'000U);
  Judgement unread = Of(Verdict::kLine);
  unread.unread = 1;
  EXPECT_EQ(AfterOutput(unread), 10'000U);
}

TEST(Stillness, BeginsAnewWithAnotherReader) {
  Stillness stillness(kBegin);
  stillness.OnJudgement(kBegin, kBegin, Of(Verdict::kLine, 10), false);
  stillness.OnJudgement(kBegin + 19, kBegin + 19, Of(Verdict::kLine, 11), false);
  stillness.OnJudgement(kBegin + 30, kBegin + 30, Of(Verdict::kLine, 11), false);
  EXPECT_FALSE(stillness.IsSettled(kBegin + 30));
  stillness.OnJudgement(kBegin + 39, kBegin + 39, Of(Verdict::kLine, 11), false);
  EXPECT_TRUE(stillness.IsSettled(kBegin + 39));
}

TEST(Stillness, ForgetsWhatItSawBeforeInput) {
  Stillness stillness(kBegin);
  SettlesAt(&stillness, kBegin, kBegin + 100, Of(Verdict::kLine));
  ASSERT_TRUE(stillness.IsSettled(kBegin + 100));
  // While a look goes on, whose answer is of the time before.
  stillness.OnInput(kBegin + 100, true);
  EXPECT_FALSE(stillness.IsSettled(kBegin + 100));
  stillness.OnJudgement(kBegin + 99, kBegin + 101, Of(Verdict::kLine), false);
  EXPECT_FALSE(stillness.IsSettled(kBegin + 200));
  EXPECT_EQ(SettlesAt(&stillness, kBegin + 101, kBegin + 500, Of(Verdict::kLine)), kBegin + 121);
}

TEST(Stillness, LooksNowAndThenWhileOutputGoesOn) {
  Stillness stillness(kBegin);
  uint64_t looks = 0;
  for (uint64_t now = kBegin; now < kBegin + 1000; ++now) {
    stillness.OnOutput(now);
    if (now < stillness.next_look()) continue;
    stillness.OnJudgement(now, now, Of(Verdict::kBusy), false);
    ++looks;
  }
  EXPECT_GE(looks, 15U);
  EXPECT_LE(looks, 25U);
}

TEST(Stillness, LetsWhatDrawsAllTheTimeTakeKeys) {
  Stillness stillness(kBegin);
  uint64_t now = kBegin;
  for (; now < kBegin + 5000 && !stillness.IsSettled(now); ++now) {
    stillness.OnOutput(now);
    if (now >= stillness.next_look()) stillness.OnJudgement(now, now, Of(Verdict::kWatching), false);
  }
  EXPECT_GE(now, kBegin + 1000);
  EXPECT_LE(now, kBegin + 1200);
}

TEST(Stillness, PausesForManyTimesWhatALookCosts) {
  Stillness stillness(kBegin);
  Judgement costly = Of(Verdict::kBusy);
  costly.took_us = 20'000;
  stillness.OnJudgement(kBegin, kBegin, costly, false);
  EXPECT_GE(stillness.next_look(), kBegin + 400);
}

TEST(Stillness, IsLateByAnEighthOfTheTimeAtMost) {
  Stillness stillness(kBegin);
  uint64_t now = kBegin;
  while (now < kBegin + 1000) {
    stillness.OnJudgement(now, now, Of(Verdict::kBusy), false);
    const uint64_t late = (now - kBegin) / 8;
    EXPECT_LE(stillness.next_look() - now, late > 10 ? late : 10U);
    now = stillness.next_look();
  }
}

TEST(Stillness, LooksAtOnceForWhoAsksDuringALook) {
  Stillness stillness(kBegin);
  stillness.LookAt(kBegin + 5);
  // Asked for before, and answered since.
  stillness.OnJudgement(kBegin + 2, kBegin + 7, Of(Verdict::kSleep), false);
  EXPECT_EQ(stillness.next_look(), kBegin + 5);
  stillness.OnJudgement(kBegin + 7, kBegin + 8, Of(Verdict::kSleep), false);
  EXPECT_GE(stillness.next_look(), kBegin + 18);
}

TEST(Stillness, LooksLessOftenAsNothingChanges) {
  Stillness stillness(kBegin);
  uint64_t now = kBegin;
  for (int i = 0; i < 40; ++i) {
    stillness.OnJudgement(now, now, Of(Verdict::kSleep), false);
    EXPECT_LE(stillness.next_look() - now, 160U);
    now = stillness.next_look();
  }
  stillness.OnJudgement(now, now, Of(Verdict::kSleep), false);
  EXPECT_EQ(stillness.next_look() - now, 160U);
}

}  // namespace
}  // namespace bashward::supervisor
