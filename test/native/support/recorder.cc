#include "support/recorder.h"

#include <gtest/gtest.h>

#include <utility>

#include "support/wait.h"

namespace bashward::test {

void Recorder::OnOutput(uint64_t id, int stream, util::LiveWindow::Piece piece) {
  const std::lock_guard<std::mutex> lock(mutex_);
  EXPECT_EQ(completions_.count(id), 0U) << "output after the result";
  pieces_[id].push_back({stream, std::move(piece.bytes), piece.dropped});
  ++calls_;
  changed_.notify_all();
}

void Recorder::OnCompletion(uint64_t id, process::Completion completion) {
  const std::lock_guard<std::mutex> lock(mutex_);
  EXPECT_TRUE(completions_.emplace(id, std::move(completion)).second) << "a second result";
  ++calls_;
  changed_.notify_all();
}

process::Completion Recorder::Wait(uint64_t id) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (!changed_.wait_for(lock, kPatience, [&] { return completions_.count(id) != 0; })) {
    ADD_FAILURE() << "no result for command " << id;
    return {};
  }
  return completions_[id];
}

void Recorder::WaitForLiveText(uint64_t id, const std::string& text) {
  std::unique_lock<std::mutex> lock(mutex_);
  EXPECT_TRUE(changed_.wait_for(lock, kPatience,
                                [&] {
                                  std::string shown;
                                  for (const LivePiece& piece : pieces_[id]) shown += piece.bytes;
                                  return shown.find(text) != std::string::npos;
                                }))
      << "never shown: " << text;
}

std::vector<LivePiece> Recorder::Pieces(uint64_t id) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return pieces_[id];
}

int Recorder::calls() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return calls_;
}

}  // namespace bashward::test
