// What the sandbox refused a background job, and what it found: DIRECTORY/sandbox, which grows as that
// happens, so that whoever reads the job knows so far, also when this process is killed.
//
// Each note is a word, a space, a number, a space, a text, and a NUL. Of a job without any there is no file.
#ifndef BASHWARD_SUPERVISOR_SANDBOX_NOTES_H_
#define BASHWARD_SUPERVISOR_SANDBOX_NOTES_H_

#include <stddef.h>
#include <stdint.h>

#include "process/control_protocol.h"

namespace bashward::supervisor {

class SandboxNotes {
 public:
  // `directory` must outlive this.
  explicit SandboxNotes(const char* directory) : directory_(directory) {}

  void Add(protocol::ReportKind kind, uint32_t value, const char* text, size_t size);
  // Everything was killed, since nothing answered its notified system calls any more.
  void AddBrokerEnded();

  // Notes that could not be written. None is there in part.
  uint32_t lost() const { return lost_; }

 private:
  void Write(const char* word, uint32_t value, const char* text, size_t size);

  const char* const directory_;
  int fd_ = -1;        // open until this process ends
  uint64_t size_ = 0;  // of the file
  uint32_t lost_ = 0;
};

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_SANDBOX_NOTES_H_
