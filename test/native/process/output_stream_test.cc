#include "process/output_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <unistd.h>

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/descriptors.h"
#include "support/loop.h"

namespace bashward::process {
namespace {

using test::RunUntil;

// One stream, with the write end of its pipe in the test's hand.
class OutputStreamTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(loop_.Open(), 0);
    null_.reset(open("/dev/null", O_RDWR | O_CLOEXEC));
    resources_.null_fd = null_.get();
  }

  void Open(OutputStream::Limits limits, bool live = false) {
    OutputStream::LiveCallback on_live;
    if (live) {
      on_live = [this](util::LiveWindow::Piece piece) { pieces_.push_back(std::move(piece)); };
    }
    stream_ =
        std::make_unique<OutputStream>(loop_, resources_, limits, std::move(on_live), [this] { ++ends_; });
    fcntl(pipe_.read_end.get(), F_SETFL, O_RDONLY | O_NONBLOCK);
    ASSERT_EQ(stream_->Open(std::move(pipe_.read_end)), 0);
  }

  void RunToTheEnd() {
    RunUntil(loop_, [this] { return ends_ != 0; });
    EXPECT_EQ(ends_, 1);
    EXPECT_TRUE(stream_->ended());
  }

  uint64_t Shown() const {
    uint64_t shown = 0;
    for (const auto& piece : pieces_) shown += piece.bytes.size() + piece.dropped;
    return shown;
  }

  EventLoop loop_;
  sys::UniqueFd null_;
  OutputResources resources_;
  test::Pipe pipe_;
  int ends_ = 0;
  std::vector<util::LiveWindow::Piece> pieces_;
  std::unique_ptr<OutputStream> stream_;
};

TEST_F(OutputStreamTest, CapturesWhatIsWritten) {
  Open({100, 0});
  test::WriteAll(pipe_.write_end.get(), "hello");
  pipe_.write_end.reset();
  RunToTheEnd();
  EXPECT_EQ(stream_->captured().TakeHead(), "hello");
}

TEST_F(OutputStreamTest, EndsAtOnceWhenNobodyCanWrite) {
  Open({100, 0});
  pipe_.write_end.reset();
  RunToTheEnd();
  EXPECT_EQ(stream_->captured().total(), 0U);
}

TEST_F(OutputStreamTest, TakesWhatIsThereAndThenNothingWhenItYields) {
  Open({100, 0});
  test::WriteAll(pipe_.write_end.get(), "before");
  stream_->Yield();
  test::WriteAll(pipe_.write_end.get(), "after");
  test::RunWhatIsReady(loop_);
  stream_->ReadAvailable();
  EXPECT_EQ(stream_->captured().TakeHead(), "before");
}

TEST_F(OutputStreamTest, ReadsOnWhenItResumes) {
  Open({100, 0});
  stream_->Yield();
  test::WriteAll(pipe_.write_end.get(), "after");
  pipe_.write_end.reset();
  EXPECT_EQ(stream_->Resume(), 0);
  RunToTheEnd();
  EXPECT_EQ(stream_->captured().TakeHead(), "after");
}

TEST_F(OutputStreamTest, CapturesManySmallWritesWholeAndInOrder) {
  Open({1024 * 1024, 0});
  std::string expected;
  for (int i = 0; i < 5000; ++i) expected += std::to_string(i) + "\n";
  std::thread writer([&] {
    for (int i = 0; i < 5000; ++i) test::WriteAll(pipe_.write_end.get(), std::to_string(i) + "\n");
    pipe_.write_end.reset();
  });
  RunToTheEnd();
  writer.join();
  EXPECT_EQ(stream_->captured().TakeHead(), expected);
}

TEST_F(OutputStreamTest, TakesEveryPieceOfAWriterThatWaitsUntilItIsRead) {
  Open({1000, 10});
  size_t written = 0;
  for (const size_t size : {1, 1, 1, 1, 10'000, 60'000, 60'000, 60'000, 1, 1, 60'000, 1, 20'000, 20'000, 1}) {
    test::WriteAll(pipe_.write_end.get(), std::string(size, 'x'));
    written += size;
    RunUntil(loop_, [&] { return stream_->captured().total() == written; });
  }
}

TEST_F(OutputStreamTest, ReadsNothingAfterItHasYieldedInAPause) {
  Open({100, 0});
  for (uint64_t line = 1; line <= 5; ++line) {
    test::WriteAll(pipe_.write_end.get(), "x");
    RunUntil(loop_, [&] { return stream_->captured().total() == line; });
  }
  stream_->Yield();
  test::WriteAll(pipe_.write_end.get(), "after");
  bool later = false;
  Timer pause_is_over(loop_.timers(), [&] { later = true; });
  pause_is_over.SetIn(20 * kNsPerMs);
  RunUntil(loop_, [&] { return later; });
  EXPECT_EQ(stream_->captured().TakeHead(), "xxxxx");
}

TEST_F(OutputStreamTest, KeepsHeadAndTailOfAFloodAndCountsTheRest) {
  Open({4096, 4096});
  const std::string middle(20 * 1024 * 1024, 'm');
  std::thread writer([&] {
    test::WriteAll(pipe_.write_end.get(), std::string(4096, 'h'));
    test::WriteAll(pipe_.write_end.get(), middle);
    test::WriteAll(pipe_.write_end.get(), std::string(4096, 't'));
    pipe_.write_end.reset();
  });
  RunToTheEnd();
  writer.join();
  EXPECT_EQ(stream_->captured().total(), middle.size() + 8192);
  EXPECT_EQ(stream_->captured().TakeHead(), std::string(4096, 'h'));
  EXPECT_EQ(stream_->captured().TakeTail(), std::string(4096, 't'));
}

TEST_F(OutputStreamTest, KeepsATailLargerThanThePipe) {
  constexpr size_t kTail = 3 * 1024 * 1024;
  Open({10, kTail});
  std::string numbers;
  for (int i = 0; numbers.size() < 8 * 1024 * 1024; ++i) numbers += std::to_string(i) + "\n";
  std::thread writer([&] {
    test::WriteAll(pipe_.write_end.get(), numbers);
    pipe_.write_end.reset();
  });
  RunToTheEnd();
  writer.join();
  EXPECT_EQ(stream_->captured().total(), numbers.size());
  EXPECT_TRUE(stream_->captured().TakeTail() == numbers.substr(numbers.size() - kTail));
}

// Writes of at most PIPE_BUF bytes are atomic: such a writer waits for that much room.
TEST_F(OutputStreamTest, LeavesRoomForEveryWriteWhenTheTailFillsThePipe) {
  Open({0, 60 * 1024});
  const std::string page(4096, 'p');
  std::thread writer([&] {
    for (int i = 0; i < 2000; ++i) test::WriteAll(pipe_.write_end.get(), page);
    pipe_.write_end.reset();
  });
  RunToTheEnd();
  writer.join();
  EXPECT_EQ(stream_->captured().total(), 2000 * page.size());
}

TEST_F(OutputStreamTest, GivesLargePipesToSixteenFloodsAtMost) {
  resources_.large_pipes = OutputResources::kMaxLargePipes;
  Open({0, 0});
  const int size = fcntl(pipe_.write_end.get(), F_GETPIPE_SZ);
  std::thread writer([&] {
    test::WriteAll(pipe_.write_end.get(), std::string(10 * 1024 * 1024, 'x'));
    EXPECT_EQ(fcntl(pipe_.write_end.get(), F_GETPIPE_SZ), size);
    pipe_.write_end.reset();
  });
  RunToTheEnd();
  writer.join();
  EXPECT_EQ(stream_->captured().total(), 10U * 1024 * 1024);
  stream_.reset();
  EXPECT_EQ(resources_.large_pipes, OutputResources::kMaxLargePipes);
}

TEST_F(OutputStreamTest, GivesNoLargePipeToAWriterOfLines) {
  Open({10, 10});
  for (int line = 0; line < 1000; ++line) {
    test::WriteAll(pipe_.write_end.get(), "a line of text\n");
    stream_->ReadAvailable();
  }
  EXPECT_EQ(resources_.large_pipes, 0);
}

TEST_F(OutputStreamTest, GivesItsLargePipeBack) {
  Open({0, 0});
  std::thread writer([&] {
    test::WriteAll(pipe_.write_end.get(), std::string(10 * 1024 * 1024, 'x'));
    pipe_.write_end.reset();
  });
  RunToTheEnd();
  writer.join();
  stream_.reset();
  EXPECT_EQ(resources_.large_pipes, 0);
}

TEST_F(OutputStreamTest, ReadsWhatIsThereWithoutWaitingForMore) {
  Open({100, 0});
  test::WriteAll(pipe_.write_end.get(), "there");
  stream_->ReadAvailable();
  EXPECT_EQ(stream_->captured().total(), 5U);
  EXPECT_FALSE(stream_->ended());
  EXPECT_EQ(ends_, 0);
  stream_->Close();
}

TEST_F(OutputStreamTest, NoticesTheEndWhileReadingWhatIsThere) {
  Open({100, 0});
  test::WriteAll(pipe_.write_end.get(), "last");
  pipe_.write_end.reset();
  stream_->ReadAvailable();
  EXPECT_EQ(stream_->captured().TakeHead(), "last");
  EXPECT_TRUE(stream_->ended());
  EXPECT_EQ(ends_, 1);
}

TEST_F(OutputStreamTest, ReadsAFullPipeEvenWhenTheHeadIsFull) {
  Open({10, 20});
  const std::string full(64 * 1024, 'f');
  test::WriteAll(pipe_.write_end.get(), full);
  stream_->ReadAvailable();
  EXPECT_EQ(stream_->captured().total(), full.size());
  EXPECT_EQ(stream_->captured().TakeTail(), std::string(20, 'f'));
  stream_->Close();
}

// A survivor that never stops writing may not keep the command's result waiting.
TEST_F(OutputStreamTest, ReturnsFromReadingWhatIsThereThoughAWriterGoesOn) {
  Open({10, 20});
  signal(SIGPIPE, SIG_IGN);
  std::thread writer([&] {
    // The reader closes its end: EPIPE ends the writer.
    const std::string piece(4096, 'w');
    while (write(pipe_.write_end.get(), piece.data(), piece.size()) > 0) {
    }
    EXPECT_EQ(errno, EPIPE);
  });
  stream_->ReadAvailable();
  stream_->Close();
  writer.join();
}

TEST_F(OutputStreamTest, ShowsNothingAfterItIsClosed) {
  Open({100, 0}, true);
  test::WriteAll(pipe_.write_end.get(), "shown");
  stream_->ReadAvailable();
  stream_->Close();
  ASSERT_EQ(pieces_.size(), 1U);
  EXPECT_EQ(pieces_[0].bytes, "shown");
  test::RunWhatIsReady(loop_);
  stream_->Close();
  EXPECT_EQ(pieces_.size(), 1U);
}

TEST_F(OutputStreamTest, ShowsALiveViewWithoutWaitingForTheEnd) {
  Open({100, 0}, true);
  test::WriteAll(pipe_.write_end.get(), "first");
  RunUntil(loop_, [&] { return !pieces_.empty(); });
  EXPECT_EQ(pieces_[0].bytes, "first");
  EXPECT_FALSE(stream_->ended());
  stream_->Close();
}

TEST_F(OutputStreamTest, AccountsForEveryByteOfAFloodInTheLiveView) {
  Open({4096, 4096}, true);
  constexpr size_t kSize = 30 * 1024 * 1024;
  std::thread writer([&] {
    test::WriteAll(pipe_.write_end.get(), std::string(kSize, 'x'));
    pipe_.write_end.reset();
  });
  RunToTheEnd();
  writer.join();
  EXPECT_EQ(Shown(), kSize);
  EXPECT_EQ(stream_->captured().total(), kSize);
}

}  // namespace
}  // namespace bashward::process
