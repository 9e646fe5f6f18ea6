// How it is told that a job has ended, whatever becomes of its files: DIRECTORY/../running/ID while it runs,
// renamed to DIRECTORY/../ended/ID at its end. Its first line is a JSON object, the rest are the last bytes
// that the job has printed. See lib/commands/jobs/watch/.
#ifndef BASHWARD_SUPERVISOR_END_RECORD_H_
#define BASHWARD_SUPERVISOR_END_RECORD_H_

#include <stddef.h>
#include <stdint.h>

namespace bashward::supervisor {

class EndRecord {
 public:
  // Bytes of the file, at most.
  static constexpr size_t kSize = 4096;

  // `directory` is that of the job. `brief` is the beginning of the JSON object: without its last brace, and
  // with a comma at its end. Both must outlive the record. Of a job without a brief there is none.
  EndRecord(const char* directory, const char* brief, size_t brief_size)
      : directory_(directory), brief_(brief), brief_size_(brief_size) {}
  EndRecord(const EndRecord&) = delete;
  EndRecord& operator=(const EndRecord&) = delete;

  // Takes its blocks as it makes the file: the end has to fit on a disk that the job has filled. False with
  // errno.
  bool Create();
  // There was no job.
  void Remove();
  // Keeps the end of what the job has printed, of which `output` has `size` bytes.
  void KeepTail(int output, uint64_t size);
  // `exit` is the JSON object that exit.json holds, too. Whoever sees exit.json finds all of it here.
  void Write(const char* exit, size_t exit_size);
  // Moves it to the ends.
  void Finish();

 private:
  bool exists() const { return fd_ >= 0; }

  const char* directory_;
  const char* brief_;
  const size_t brief_size_;
  int fd_ = -1;
  size_t tail_size_ = 0;
  bool tail_is_cut_ = false;
};

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_END_RECORD_H_
