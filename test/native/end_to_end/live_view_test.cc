// The live view of a command that runs.
#include <gtest/gtest.h>

#include <string>

#include "support/host.h"

namespace bashward::test {
namespace {

using process::Completion;

class LiveViewTest : public CommandTest {
 protected:
  static Call Live(const std::string& command) {
    Call call(command);
    call.live = true;
    return call;
  }
};

TEST_F(LiveViewTest, ShowsOutputWhileTheCommandRuns) {
  const uint64_t id = host_.Submit(Live("echo early; sleep 300"));
  host_.recorder().WaitForLiveText(id, "early\n");
  host_.reactor().Cancel(id);
  host_.Wait(id);
}

TEST_F(LiveViewTest, ShowsAllOfALittleOutputBeforeTheResult) {
  const uint64_t id = host_.Submit(Live("echo one; echo two"));
  host_.Wait(id);
  std::string shown;
  for (const LivePiece& piece : host_.recorder().Pieces(id)) shown += piece.bytes;
  EXPECT_EQ(shown, "one\ntwo\n");
}

TEST_F(LiveViewTest, NamesTheStream) {
  Call call = Live("echo out; echo err >&2");
  call.separate_streams = true;
  const uint64_t id = host_.Submit(call);
  host_.Wait(id);
  for (const LivePiece& piece : host_.recorder().Pieces(id)) {
    EXPECT_EQ(piece.bytes, piece.stream == 0 ? "out\n" : "err\n");
  }
  EXPECT_EQ(host_.recorder().Pieces(id).size(), 2U);
}

TEST_F(LiveViewTest, AccountsForEveryByteOfAFlood) {
  Call call = Live("head -c 100000000 /dev/zero; seq 10000");
  call.head_limit = 4096;
  call.tail_limit = 4096;
  const uint64_t id = host_.Submit(call);
  const Completion completion = host_.Wait(id);
  uint64_t shown = 0;
  for (const LivePiece& piece : host_.recorder().Pieces(id)) {
    EXPECT_LE(piece.bytes.size(), 64U * 1024);
    shown += piece.bytes.size() + piece.dropped;
  }
  ASSERT_EQ(completion.streams.size(), 1U);
  EXPECT_EQ(completion.streams[0].total, 100'048'894U);
  EXPECT_EQ(shown, completion.streams[0].total);
}

TEST_F(LiveViewTest, ShowsNothingToWhoDoesNotListen) {
  const uint64_t id = host_.Submit(Call("echo hi"));
  host_.Wait(id);
  EXPECT_TRUE(host_.recorder().Pieces(id).empty());
}

}  // namespace
}  // namespace bashward::test
