#include "supervisor/waiting/tty_target.h"

#include <string.h>
#include <unistd.h>

namespace bashward::supervisor {
namespace {

namespace kernel = broker::kernel;

constexpr char kDevTty[] = "/dev/tty";

bool BeginsWith(const char* text, const char* prefix) {
  while (*prefix != '\0') {
    if (*text++ != *prefix++) return false;
  }
  return true;
}

bool IsSame(const DescriptorInfo& one, const DescriptorInfo& other) {
  return one.inode != 0 && one.inode == other.inode && one.mount == other.mount;
}

}  // namespace

DescriptorLink::DescriptorLink(pid_t pid, int fd) {
  const auto path = util::ProcPath() << "/proc/" << pid << "/fd/" << fd;
  const long length = kernel::ReadLink(path.c_str(), text_, sizeof text_ - 1);
  text_[length > 0 ? length : 0] = '\0';
  Classify();
}

DescriptorLink::DescriptorLink(const char* text) {
  size_t length = 0;
  for (; length < sizeof text_ - 1 && text[length] != '\0'; ++length) text_[length] = text[length];
  text_[length] = '\0';
  Classify();
}

void DescriptorLink::Classify() {
  if (text_[0] == '\0') return;
  kind_ = Kind::kFile;
  if (BeginsWith(text_, "socket:[")) kind_ = Kind::kSocket;
  if (BeginsWith(text_, "pipe:[")) kind_ = Kind::kPipe;
  if (BeginsWith(text_, "anon_inode:")) {
    kind_ = strcmp(text_, "anon_inode:[eventpoll]") == 0 ? Kind::kEpoll : Kind::kInternal;
  }
}

bool DescriptorLink::is_terminal() const {
  return kind_ == Kind::kFile && (BeginsWith(text_, "/dev/pts/") || strcmp(text_, kDevTty) == 0);
}

TtyTarget::TtyTarget(uint32_t index) : device_(TerminalDevice(index)) {
  path_ << "/dev/pts/" << uint64_t{index};
  const kernel::Descriptor dev_tty = kernel::OpenOwn(kDevTty, O_PATH | O_NOFOLLOW);
  if (dev_tty.valid()) ReadOwnDescriptorInfo(dev_tty.get(), &dev_tty_);
}

TtyTarget TtyTarget::OfSlave(int slave, uint32_t index) {
  TtyTarget target(index);
  ReadOwnDescriptorInfo(slave, &target.slave_);
  return target;
}

TtyTarget TtyTarget::Within(uint32_t index) {
  return TtyTarget(index);
}

bool TtyTarget::Is(pid_t pid, int fd, const DescriptorLink& link, uint32_t controlling) const {
  if (link.kind() != DescriptorLink::Kind::kFile) return false;
  DescriptorInfo info{};
  if (!ReadDescriptorInfo(pid, fd, &info)) return false;
  if (slave_.inode != 0 && info.inode != 0) {
    if (IsSame(info, slave_)) return true;
  } else if (strcmp(link.text(), path_.c_str()) == 0) {
    return true;
  }
  // In a mount namespace of its own a process has another /dev/tty.
  const bool is_dev_tty = IsSame(info, dev_tty_) || strcmp(link.text(), kDevTty) == 0;
  return is_dev_tty && controlling == device_;
}

}  // namespace bashward::supervisor
