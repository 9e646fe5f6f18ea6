// The whole output of a command in a file.
#include <errno.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "support/host.h"
#include "support/temporary_directory.h"
#include "support/wait.h"

namespace bashward::test {
namespace {

using process::Completion;

class SavedOutputTest : public CommandTest {
 protected:
  SavedOutputTest() { call_.head_limit = 100; }

  TemporaryDirectory directory_;
  Call call_{"seq 1000000"};
};

TEST_F(SavedOutputTest, HoldsEveryByteOfALongOutput) {
  call_.save_path = directory_.File("output");
  const Completion completion = host_.Run(call_);
  EXPECT_TRUE(Exited(completion, 0));
  EXPECT_TRUE(completion.saved.created);
  EXPECT_EQ(completion.saved.error, 0);
  EXPECT_EQ(completion.saved.bytes, 6'888'896U);
  const std::string saved = ReadFile(call_.save_path);
  EXPECT_EQ(saved.size(), 6'888'896U);
  std::string expected;
  for (int i = 1; i <= 1'000'000; ++i) expected += std::to_string(i) + "\n";
  EXPECT_TRUE(saved == expected);
}

TEST_F(SavedOutputTest, IsNotCreatedForAShortOutput) {
  call_.command = "echo short";
  call_.save_path = directory_.File("output");
  const Completion completion = host_.Run(call_);
  EXPECT_FALSE(completion.saved.created);
  EXPECT_FALSE(std::filesystem::exists(call_.save_path));
}

TEST_F(SavedOutputTest, EndsAtItsLimitWhileTheCommandGoesOn) {
  call_.command = "head -c 50000000 /dev/zero";
  call_.save_path = directory_.File("output");
  call_.save_limit = 1000;
  const Completion completion = host_.Run(call_);
  ASSERT_EQ(completion.streams.size(), 1U);
  EXPECT_EQ(completion.streams[0].total, 50'000'000U);
  EXPECT_EQ(completion.saved.bytes, 1000U);
  EXPECT_EQ(std::filesystem::file_size(call_.save_path), 1000U);
}

TEST_F(SavedOutputTest, ThatCannotBeCreatedDoesNotFailTheCommand) {
  call_.save_path = directory_.File("missing/output");
  const Completion completion = host_.Run(call_);
  EXPECT_TRUE(Exited(completion, 0));
  EXPECT_FALSE(completion.saved.created);
  EXPECT_EQ(completion.saved.error, ENOENT);
}

TEST_F(SavedOutputTest, OfACommandThatIsCancelledHoldsWhatWasRead) {
  call_.command = "seq 100000; echo; echo ready; sleep 300";
  call_.head_limit = 10;
  call_.tail_limit = 100;
  call_.save_path = directory_.File("output");
  const uint64_t id = host_.Submit(call_);
  WaitUntil([&] { return ReadFile(call_.save_path).find("ready\n") != std::string::npos; });
  host_.reactor().Cancel(id);
  const Completion completion = host_.Wait(id);
  EXPECT_TRUE(HasOutcome(completion, process::Outcome::kCancelled));
  EXPECT_EQ(completion.saved.bytes, completion.streams[0].total);
  EXPECT_EQ(ReadFile(call_.save_path).size(), completion.streams[0].total);
}

TEST_F(SavedOutputTest, OfAnAbandonedListenerIsForgotten) {
  call_.command = "yes";
  call_.save_path = directory_.File("output");
  const auto listener = std::make_shared<Recorder>();
  host_.reactor().Submit(ToSpec(call_), listener);
  EXPECT_TRUE(WaitUntil([&] { return std::filesystem::exists(call_.save_path); }));
  host_.reactor().Abandon(listener);
  host_.ExpectNothingLeft();
  EXPECT_EQ(listener->calls(), 0);
}

}  // namespace
}  // namespace bashward::test
