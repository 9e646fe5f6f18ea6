// A file system that a program serves (FUSE), with one directory, and that can cease to answer.
#ifndef BASHWARD_TEST_SUPPORT_FILE_SERVER_H_
#define BASHWARD_TEST_SUPPORT_FILE_SERVER_H_

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "sys/unique_fd.h"

namespace bashward::test {

class FileServer {
 public:
  FileServer() = default;
  FileServer(const FileServer&) = delete;
  FileServer& operator=(const FileServer&) = delete;
  // Whoever still waits for an answer gets an error.
  ~FileServer() { Stop(); }

  // Only with mounts of one's own, see own_mounts.h. False with errno.
  bool Mount(const std::string& directory);
  // From now on the directory has a file of this name, which can be opened, and neither read, polled nor
  // closed: those that do so get no answer.
  void AddUnreadable(const std::string& name) { file_ = name; }
  // From now on nothing is answered.
  void CeaseToAnswer() { answers_ = false; }
  void Stop();

 private:
  void Serve();
  void ReplyTo(const char* message);

  sys::UniqueFd device_;
  std::string directory_;
  std::string file_;
  std::atomic<bool> answers_{true};
  std::atomic<bool> stopped_{false};
  std::vector<char> buffer_;  // here, so that a process forked meanwhile still knows of it
  std::thread thread_;
};

}  // namespace bashward::test

#endif  // BASHWARD_TEST_SUPPORT_FILE_SERVER_H_
