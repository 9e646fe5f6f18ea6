// The whole output of a command in a file, when it is longer than what is kept in memory.
#ifndef BASHWARD_PROCESS_SAVED_OUTPUT_H_
#define BASHWARD_PROCESS_SAVED_OUTPUT_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "process/event_loop.h"
#include "process/worker_thread.h"

namespace bashward::process {

struct SaveReport {
  bool created = false;
  uint64_t bytes = 0;  // written to the file
  int error = 0;       // errno of the first write or open that failed; nothing was written after it
};

// Each file is written on a thread of its own, so that a slow or hung disk holds up this command and no
// other.
class SavedOutput {
 public:
  // The file is created by the first Append; it must not exist. Bytes beyond `limit` are left out.
  SavedOutput(EventLoop& loop, std::string path, uint64_t limit);
  ~SavedOutput() { worker_->Stop(); }
  SavedOutput(const SavedOutput&) = delete;
  SavedOutput& operator=(const SavedOutput&) = delete;

  void Append(const char* data, size_t size);
  // Everything appended so far is in the file, or on its way there.
  bool whole() const { return accepted_ < limit_; }
  const std::string& path() const;
  // What is posted there runs after everything that was appended.
  const std::shared_ptr<WorkerThread>& worker() const { return worker_; }
  // True when so much waits for the disk that reading should pause. `on_relief` is called once, when
  // reading can go on.
  bool congested() const;
  void set_on_relief(std::function<void()> on_relief) { on_relief_ = std::move(on_relief); }
  // `on_closed` is called when everything is in the file, unless this object has ended before. Nothing may be
  // appended any more.
  void Close(std::function<void(SaveReport)> on_closed);

 private:
  struct File;
  void OnWritten(size_t size);

  EventLoop& loop_;
  const std::shared_ptr<WorkerThread> worker_;
  const uint64_t limit_;
  uint64_t accepted_ = 0;
  size_t waiting_ = 0;
  std::function<void()> on_relief_;
  std::function<void(SaveReport)> on_closed_;
  std::shared_ptr<File> file_;
  // Tasks on their way back find out whether this object still lives.
  std::shared_ptr<SavedOutput*> self_;
};

}  // namespace bashward::process

#endif  // BASHWARD_PROCESS_SAVED_OUTPUT_H_
