#include "support/file_server.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include <cstring>
#include <vector>

namespace bashward::test {
namespace {

constexpr size_t kRequestSize = 128 * 1024;
constexpr int kLookMs = 20;

void Reply(int device, uint64_t id, int error, const void* body, size_t size) {
  fuse_out_header header{};
  header.len = static_cast<uint32_t>(sizeof header + size);
  header.error = error;
  header.unique = id;
  iovec parts[] = {{&header, sizeof header}, {const_cast<void*>(body), size}};
  // It fails when nobody waits for it any more.
  static_cast<void>(writev(device, parts, size == 0 ? 1 : 2));
}

void ReplyToInit(int device, uint64_t id) {
  fuse_init_out body{};
  body.major = FUSE_KERNEL_VERSION;
  body.minor = 31;
  body.max_write = 4096;
  Reply(device, id, 0, &body, sizeof body);
}

constexpr uint64_t kFile = 2;

fuse_attr AttributesOf(uint64_t inode) {
  fuse_attr attributes{};
  attributes.ino = inode;
  attributes.mode = inode == kFile ? S_IFREG | 0644 : S_IFDIR | 0755;
  attributes.nlink = 1;
  attributes.size = inode == kFile ? 5 : 0;
  return attributes;
}

}  // namespace

bool FileServer::Mount(const std::string& directory) {
  device_.reset(open("/dev/fuse", O_RDWR | O_CLOEXEC));
  if (!device_.valid()) return false;
  const std::string options =
      "fd=" + std::to_string(device_.get()) + ",rootmode=40000,user_id=0,group_id=0,allow_other";
  if (mount("test", directory.c_str(), "fuse", MS_NODEV | MS_NOSUID, options.c_str()) != 0) return false;
  directory_ = directory;
  buffer_.resize(kRequestSize);
  thread_ = std::thread([this] { Serve(); });
  return true;
}

void FileServer::Serve() {
  while (!stopped_) {
    pollfd ready{device_.get(), POLLIN, 0};
    if (poll(&ready, 1, kLookMs) <= 0 || !answers_) continue;
    if (read(device_.get(), buffer_.data(), buffer_.size()) < static_cast<ssize_t>(sizeof(fuse_in_header))) {
      continue;
    }
    ReplyTo(buffer_.data());
  }
}

void FileServer::ReplyTo(const char* message) {
  fuse_in_header request{};
  memcpy(&request, message, sizeof request);
  const int device = device_.get();
  switch (request.opcode) {
    case FUSE_INIT:
      return ReplyToInit(device, request.unique);
    case FUSE_FORGET:
    case FUSE_BATCH_FORGET:
    case FUSE_INTERRUPT:
    case FUSE_READ:
    case FUSE_FLUSH:
    case FUSE_POLL:
      return;
    case FUSE_GETATTR: {
      fuse_attr_out body{};
      body.attr = AttributesOf(request.nodeid);
      return Reply(device, request.unique, 0, &body, sizeof body);
    }
    case FUSE_LOOKUP: {
      if (file_.empty() || file_ != message + sizeof request) {
        return Reply(device, request.unique, -ENOENT, nullptr, 0);
      }
      fuse_entry_out body{};
      body.nodeid = kFile;
      body.attr = AttributesOf(kFile);
      return Reply(device, request.unique, 0, &body, sizeof body);
    }
    case FUSE_OPEN:
    case FUSE_OPENDIR: {
      const fuse_open_out body{};
      return Reply(device, request.unique, 0, &body, sizeof body);
    }
    case FUSE_READDIR:
    case FUSE_RELEASE:
    case FUSE_RELEASEDIR:
      return Reply(device, request.unique, 0, nullptr, 0);
    default:
      return Reply(device, request.unique, -ENOSYS, nullptr, 0);
  }
}

void FileServer::Stop() {
  if (!thread_.joinable()) return;
  stopped_ = true;
  thread_.join();
  device_.reset();
  // What was forked may still have the device: this ends the connection all the same.
  umount2(directory_.c_str(), MNT_FORCE);
  umount2(directory_.c_str(), MNT_DETACH);
}

}  // namespace bashward::test
