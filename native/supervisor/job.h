// The files of a background job: what it prints, what it is, how it ended.
//
// - DIRECTORY/output: the first bytes up to the cap; if there was more, a notice and the last 64 KiB; then
//   the status line
// - DIRECTORY/job.json: what the host says of the job, with pids and start times that identify it for ever
// - DIRECTORY/sandbox: see sandbox_notes.h
// - DIRECTORY/exit.json: how it ended, written after the status line
// - beside DIRECTORY: see end_record.h
//
// Both JSON files appear by rename: a reader sees all of one or nothing.
#ifndef BASHWARD_SUPERVISOR_JOB_H_
#define BASHWARD_SUPERVISOR_JOB_H_

#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "process/control_protocol.h"
#include "supervisor/end_record.h"
#include "supervisor/sandbox_notes.h"
#include "supervisor/terminal/secret_filter.h"

namespace bashward::supervisor {

struct JobEnd {
  enum class Kind { kExited, kKilled, kTimedOut };
  Kind kind;
  int exit_code;           // for kExited
  int signal;              // for kKilled
  uint64_t limit_ms;       // for kTimedOut
  uint64_t scratch_limit;  // bytes, when the scratch directory was full; otherwise 0
};

class Job {
 public:
  static constexpr size_t kRingSize = 64 * 1024;
  // Bytes that exit.json takes at most.
  static constexpr size_t kExitSize = 512;

  // `directory` and `description` must outlive the job. Above the first line break of the description, if it
  // has one, stands the brief of the end record; below it begins job.json.
  Job(const char* directory, const char* description, uint64_t max_output_bytes);
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  // Makes the directory, which must not exist, and the output file. Nothing of the command has run yet.
  bool Create(protocol::Failed* failure);
  // Writes job.json. `shell` is 0 when it has ended already.
  bool Describe(pid_t supervisor, pid_t group, pid_t shell, protocol::Failed* failure);
  // Its two halves: nobody sees what is written until it is published.
  bool WriteRecord(pid_t supervisor, pid_t group, pid_t shell, protocol::Failed* failure);
  bool Publish(protocol::Failed* failure);
  // Takes job.json back: the shell could not be executed.
  void Withdraw();
  // Removes everything of a job that was not published.
  void Discard();
  // The output file, open for writing and without the lock; -1 with errno.
  int OpenOutput() const;
  // The host has written the beginning of the output.
  void TakeOver(const protocol::Commit& commit);
  // Moves what is in the pipe to the file, or to the ring when that is full. False at the end of the pipe.
  bool Pump(int pipe);
  // Moves what the filter of secrets has held back.
  void Release();
  // What the last call of either has moved; until the next one.
  const char* pumped() const { return pumped_.bytes; }
  size_t pumped_size() const { return pumped_.size; }
  // Whether something has come with it, which may be held back.
  bool has_read() const { return has_read_; }
  // Armed, it is asked before anything is kept.
  SecretFilter& secrets() { return secrets_; }
  const char* directory() const { return directory_; }
  uint64_t printed() const { return printed_; }  // bytes
  // What the sandbox has to say of it.
  SandboxNotes& notes() { return notes_; }
  // Writes what the ring holds, the status line and exit.json.
  void Finish(const JobEnd& end, const rusage& usage);

 private:
  int OpenIn(const char* name, int flags) const;
  bool MakeParents() const;
  bool RenameIn(const char* from, const char* to) const;
  void Keep(Shown output);
  // False when not all of it could be written; as much as could is in the file.
  bool Append(const char* data, size_t size);
  void AppendRing();
  void AppendNotice(const JobEnd& end);
  void WriteExit(const JobEnd& end, const rusage& usage, size_t status_line_size);

  const char* directory_;
  const char* description_;
  const uint64_t max_output_bytes_;
  SandboxNotes notes_;
  EndRecord end_record_;
  int output_fd_ = -1;
  int exit_fd_ = -1;
  bool locked_ = false;      // the file of the output
  uint64_t head_limit_ = 0;  // bytes of the file for the beginning of the output
  uint64_t file_size_ = 0;
  uint64_t printed_ = 0;
  Shown pumped_{nullptr, 0};
  bool has_read_ = false;
  SecretFilter secrets_;
  uint64_t ring_total_ = 0;  // bytes that went into the ring
  uint64_t dropped_ = 0;     // left out because of the cap
  uint64_t lost_ = 0;        // could not be written
  int lost_error_ = 0;
};

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_JOB_H_
