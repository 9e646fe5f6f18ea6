// A listener that keeps what it gets, for the test's own thread.
#ifndef BASHWARD_TEST_SUPPORT_RECORDER_H_
#define BASHWARD_TEST_SUPPORT_RECORDER_H_

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "process/command_spec.h"

namespace bashward::test {

struct LivePiece {
  int stream;
  std::string bytes;
  uint64_t dropped;
};

class Recorder final : public process::CommandListener {
 public:
  void OnOutput(uint64_t id, int stream, util::LiveWindow::Piece piece) override;
  void OnCompletion(uint64_t id, process::Completion completion) override;

  // The result of a command, once it is there; an empty one, and a failure, when it does not come in time.
  process::Completion Wait(uint64_t id);
  // Waits until the live view of a command has shown `text`, all streams taken together.
  void WaitForLiveText(uint64_t id, const std::string& text);
  std::vector<LivePiece> Pieces(uint64_t id);
  // All calls of either kind so far.
  int calls();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int calls_ = 0;
  std::map<uint64_t, process::Completion> completions_;
  std::map<uint64_t, std::vector<LivePiece>> pieces_;
};

}  // namespace bashward::test

#endif  // BASHWARD_TEST_SUPPORT_RECORDER_H_
