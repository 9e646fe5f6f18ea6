// The terminal that is asked about, and which descriptors of other processes lead to it.
#ifndef BASHWARD_SUPERVISOR_WAITING_TTY_TARGET_H_
#define BASHWARD_SUPERVISOR_WAITING_TTY_TARGET_H_

#include <stdint.h>
#include <sys/types.h>

#include "supervisor/waiting/proc_text.h"

namespace bashward::supervisor {

// Where a link in /proc/PID/fd leads: as much of it as is needed to tell.
class DescriptorLink {
 public:
  enum class Kind { kNone, kSocket, kPipe, kEpoll, kInternal, kFile };

  DescriptorLink(pid_t pid, int fd);
  explicit DescriptorLink(const char* text);
  Kind kind() const { return kind_; }
  const char* text() const { return text_; }
  // Whether it may lead to a terminal, by its name.
  bool is_terminal() const;

 private:
  void Classify();

  char text_[64];
  Kind kind_ = Kind::kNone;
};

class TtyTarget {
 public:
  // A terminal whose slave this process has open.
  static TtyTarget OfSlave(int slave, uint32_t index);
  // Another one of this machine, that of a program that has made one itself. Only its name is known.
  static TtyTarget Within(uint32_t index);

  // Whether a descriptor of that process leads to it. `controlling` is the terminal of its session.
  bool Is(pid_t pid, int fd, const DescriptorLink& link, uint32_t controlling) const;

 private:
  explicit TtyTarget(uint32_t index);

  uint32_t device_;
  util::Text<32> path_;
  DescriptorInfo slave_{};
  DescriptorInfo dev_tty_{};
};

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_WAITING_TTY_TARGET_H_
