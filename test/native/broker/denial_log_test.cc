#include "broker/denial_log.h"

#include <gtest/gtest.h>
#include <sys/eventfd.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "sys/unique_fd.h"

namespace bashward::broker {
namespace {

using protocol::Operation;

void Add(DenialLog* log, Operation operation, const std::string& target) {
  log->Add(operation, target.data(), target.size());
}

std::string Target(const Denial& denial) {
  return {denial.target, denial.size};
}

TEST(DenialLogTest, KeepsTheSameOperationOnTheSameTargetOnce) {
  const auto log = std::make_unique<DenialLog>();
  Add(log.get(), Operation::kChangeMode, "/a");
  Add(log.get(), Operation::kChangeTimes, "/a");
  Add(log.get(), Operation::kChangeMode, "/ab");
  Add(log.get(), Operation::kChangeMode, "/a");
  ASSERT_EQ(log->count(), 3U);
  EXPECT_EQ((*log)[1].operation, Operation::kChangeTimes);
  EXPECT_EQ(Target((*log)[2]), "/ab");
}

TEST(DenialLogTest, CountsWhatFindsNoRoom) {
  const auto log = std::make_unique<DenialLog>();
  for (uint32_t i = 0; i < protocol::kMaxDenials + 5; ++i) {
    Add(log.get(), Operation::kChangeMode, std::to_string(i));
  }
  Add(log.get(), Operation::kChangeMode, "3");
  EXPECT_EQ(log->count(), protocol::kMaxDenials);
  EXPECT_EQ(log->dropped(), 5U);
}

TEST(DenialLogTest, CutsOffWhatIsTooLong) {
  const auto log = std::make_unique<DenialLog>();
  Add(log.get(), Operation::kTruncate, std::string(5000, 'x'));
  EXPECT_EQ(Target((*log)[0]), std::string(kMaxTarget, 'x'));
}

TEST(DenialLogTest, WakesWhoeverWaitsForAnotherEntry) {
  const auto log = std::make_unique<DenialLog>();
  const sys::UniqueFd woken(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  ASSERT_TRUE(woken.valid());
  eventfd_t count = 0;
  Add(log.get(), Operation::kChangeMode, "/a");
  log->WakeBy(woken.get());
  Add(log.get(), Operation::kChangeMode, "/a");
  EXPECT_EQ(eventfd_read(woken.get(), &count), -1);
  Add(log.get(), Operation::kChangeMode, "/b");
  EXPECT_EQ(eventfd_read(woken.get(), &count), 0);
}

TEST(DenialLogTest, ShowsAnotherThreadWholeEntriesOnly) {
  const auto log = std::make_unique<DenialLog>();
  std::atomic<bool> writing{true};
  std::thread writer([&] {
    for (uint32_t i = 0; i < protocol::kMaxDenials; ++i) {
      Add(log.get(), Operation::kChangeOwner, std::string(i + 1, static_cast<char>('a' + i % 26)));
    }
    writing = false;
  });
  uint32_t seen = 0;
  while (writing || seen < log->count()) {
    for (const uint32_t count = log->count(); seen < count; ++seen) {
      EXPECT_EQ(Target((*log)[seen]), std::string(seen + 1, static_cast<char>('a' + seen % 26)));
    }
  }
  writer.join();
  EXPECT_EQ(seen, protocol::kMaxDenials);
}

}  // namespace
}  // namespace bashward::broker
