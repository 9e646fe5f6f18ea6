// Names of Unix sockets: where they may be, and to which one may connect.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <utility>

#include "broker/sockets/caller_process.h"
#include "broker/sockets/mount_device.h"
#include "broker/sockets/socket_broker.h"
#include "broker/sockets/writable_directory.h"
#include "util/text.h"

namespace bashward::broker {
namespace {

using kernel::Descriptor;
using kernel::Status;
using protocol::Operation;

using Target = util::Text<kMaxTarget + 1>;

struct Name {
  char text[sizeof(sockaddr_un::sun_path) + 1];
  size_t size;
  bool is_abstract;
};

int ReadName(const SocketCall& call, Name* name) {
  uint16_t family = 0;
  if (call.address_size < sizeof family || call.address_size > sizeof(sockaddr_un)) return -EINVAL;
  memcpy(&family, call.address, sizeof family);
  if (family != AF_UNIX) return -EINVAL;
  memset(name, 0, sizeof *name);
  name->size = call.address_size - sizeof family;
  memcpy(name->text, call.address + sizeof family, name->size);
  name->is_abstract = name->text[0] == '\0';
  if (!name->is_abstract) name->size = strlen(name->text);
  return 0;
}

// Zeros in an abstract name are as good as any byte, but not to be shown.
Target ShowAbstract(const Name& name) {
  Target text;
  text << "unix:@";
  char shown[sizeof name.text] = {};
  for (size_t i = 1; i < name.size; ++i) shown[i - 1] = name.text[i] == '\0' ? '@' : name.text[i];
  text << shown;
  return text;
}

// An absolute path, as far as it is known: `directory` is where `name` is to be found.
Target Show(int directory, const char* name) {
  static char path[PATH_MAX];
  Target text;
  text << "unix:";
  const auto link = util::ProcPath() << "/proc/self/fd/" << directory;
  const long size = *name == '/' ? 0 : kernel::ReadLink(link.c_str(), path, sizeof path - 1);
  path[size > 0 ? size : 0] = '\0';
  if (size > 1) text << path;
  if (size > 0) text << "/";
  text << name;
  return text;
}

bool BeginsWith(const char* text, const char* prefix) {
  for (; *prefix != '\0'; ++text, ++prefix) {
    if (*text != *prefix) return false;
  }
  return true;
}

// Every look-up of a user or a host tries these where they exist.
bool IsTriedByLibraries(const char* path) {
  static constexpr const char* kPrefixes[] = {"/run/nscd/",         "/var/run/nscd/",
                                              "/run/systemd/",      "/var/lib/sss/",
                                              "/run/avahi-daemon/", "/var/run/avahi-daemon/"};
  for (const char* prefix : kPrefixes) {
    if (BeginsWith(path, prefix)) return true;
  }
  return false;
}

Descriptor OpenBase(const char* path, pid_t thread) {
  if (*path == '/') return kernel::OpenOwn("/", O_PATH);
  return OpenWorkingDirectory(thread);
}

}  // namespace

int SocketBroker::BindUnix(const SocketCall& call, OwnSocket* socket) {
  Name name;
  int error = ReadName(call, &name);
  if (error != 0) return error;
  if (name.is_abstract) return Deny(Operation::kBind, ShowAbstract(name).c_str(), -EPERM);
  char* const slash = strrchr(name.text, '/');
  const char* const last = slash == nullptr ? name.text : slash + 1;
  if (*last == '\0') return -EINVAL;
  const Descriptor base = OpenBase(name.text, call.thread);
  if (!base.valid()) return base.error();
  // The directory, from the base on; the root's own name is all slashes.
  char directory_path[sizeof name.text] = ".";
  if (slash != nullptr) {
    const auto length = static_cast<size_t>(slash - name.text);
    memcpy(directory_path, name.text, length);
    directory_path[length] = '\0';
    if (length == 0) memcpy(directory_path, "/", 2);
  }
  const Descriptor given = kernel::OpenPath(base.get(), directory_path, O_DIRECTORY, kernel::kNoMagicLinks);
  if (given.error() == -ELOOP) return -EACCES;
  if (!given.valid()) return given.error();
  const Descriptor directory = FindBeneathRoots(given.get(), *roots_);
  if (directory.error() == -EACCES) {
    return Deny(Operation::kBind, Show(given.get(), last).c_str(), -EACCES);
  }
  if (!directory.valid()) return directory.error();
  return BindName(call, base.get(), directory.get(), last, socket);
}

// What has the name afterwards need not be what was bound: the command can move another's socket there. So
// the kernel is asked which file it is.
bool SocketBroker::IsBoundTo(const OwnSocket& socket, const Status& status) {
  SocketDiagnosis::BoundFile file{};
  const auto inode = static_cast<uint32_t>(socket.inode);
  if (servers_.diagnosis().FindFile(inode, socket.cookie, &file) != 0) return false;
  if (file.inode != static_cast<uint32_t>(status.inode)) return false;
  return file.device == EncodeKernelDevice(status.device_major, status.device_minor) ||
         file.device == FindMountDevice(status.mount_id);
}

// `name` is the last part of the path, in `directory`, where it is as far as has been seen.
int SocketBroker::BindName(const SocketCall& call, int base, int directory, const char* name,
                           OwnSocket* socket) {
  SocketDiagnosis::BoundFile none{};
  const auto inode = static_cast<uint32_t>(socket->inode);
  if (servers_.diagnosis().FindFile(inode, socket->cookie, &none) != -ENODATA) return -EOPNOTSUPP;
  if (!names_.MakeRoom()) return -ENOSPC;
  uint32_t mask = 0;
  int error = ReadUmask(call.thread, &mask);
  if (error != 0) return error;
  error = binder_.Bind({socket->handle.get(), base, mask, call.address, call.address_size}, *roots_);
  if (error != 0) return error;
  Descriptor file = kernel::OpenPath(directory, name, O_NOFOLLOW,
                                     kernel::kBeneath | kernel::kNoMagicLinks | kernel::kNoSymlinks);
  Status status;
  if (!file.valid() || kernel::ReadStatus(file.get(), &status) != 0 || !S_ISSOCK(status.mode) ||
      !IsBoundTo(*socket, status)) {
    sockets_.Remove(socket);
    return -EPERM;
  }
  names_.Add(std::move(file), status);
  socket->state = SocketState::kBound;
  sockets_.MakeYoungest(socket);
  KeepFewBound();
  return 0;
}

int SocketBroker::ReadUnixTarget(const SocketCall& call, Descriptor* file) {
  Name name;
  const int error = ReadName(call, &name);
  if (error != 0) return error;
  if (name.size == 0) return -EINVAL;
  if (name.is_abstract) return Deny(Operation::kConnect, ShowAbstract(name).c_str(), -ECONNREFUSED);
  const Descriptor base = OpenBase(name.text, call.thread);
  if (!base.valid()) return base.error();
  *file = kernel::OpenPath(base.get(), name.text, 0, kernel::kNoMagicLinks);
  if (file->error() == -ELOOP) return -EACCES;
  if (!file->valid()) return file->error();
  Status status;
  const int unread = kernel::ReadStatus(file->get(), &status);
  if (unread != 0) return unread;
  if (!S_ISSOCK(status.mode)) return -ECONNREFUSED;
  if (names_.Has(status)) return 0;
  if (IsTriedByLibraries(name.text)) return -EACCES;
  return Deny(Operation::kConnect, Show(base.get(), name.text).c_str(), -EACCES);
}

}  // namespace bashward::broker
