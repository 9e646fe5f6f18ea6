// The world that the broker's fuzzer asks it about: a scratch tree, a caller, and its memory.
#ifndef BASHWARD_TEST_FUZZ_BROKER_WORLD_H_
#define BASHWARD_TEST_FUZZ_BROKER_WORLD_H_

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "require.h"
#include "sandbox/writable_roots.h"

namespace bashward::broker {

inline constexpr uid_t kOrdinaryUid = 65534;

// Root would change, by a fault of the broker's, what the fuzzer must not.
class AsOrdinaryUser {
 public:
  AsOrdinaryUser() { Set(kOrdinaryUid); }
  ~AsOrdinaryUser() { Set(0); }
  AsOrdinaryUser(const AsOrdinaryUser&) = delete;
  AsOrdinaryUser& operator=(const AsOrdinaryUser&) = delete;

 private:
  // This thread only, which the C library would not do.
  static void Set(uid_t user) {
    if (getuid() == 0) Require(syscall(SYS_setresuid, -1, user, -1) == 0, "there is no other user");
  }
};

// A tree with a root, and files outside; made once, and put back before each input.
class Tree {
 public:
  Tree() {
    char name[] = "/tmp/bashward-fuzz-XXXXXX";
    Require(mkdtemp(name) != nullptr, "there is no directory");
    base = name;
    workspace = base + "/ws";
    Require(chmod(name, 0755) == 0, "the directory stays closed");
    for (const char* directory : {"/ws", "/ws2", "/out", "/ws/d", "/ws/d/e"}) Make(base + directory, true);
    for (const char* file : {"/ws/f", "/ws/d/g", "/ws/d/e/h", "/ws/x (deleted)", "/ws2/f", "/out/f"}) {
      Make(base + file, false);
    }
    Link("/out", "/ws/away");
    Link("d/g", "/ws/link");
    Link("loop", "/ws/loop");
    Link("/proc/self/fd", "/ws/fds");
    Link("../out/f", "/ws/up");
    OpenDescriptors();
    const std::string paths = workspace + '\0';
    text_ = paths;
    Require(roots.Open(text_.c_str(), 1), "the root cannot be opened");
    for (const std::string& path : {base, base + "/ws2", base + "/ws2/f", base + "/out", base + "/out/f"}) {
      outside_.push_back({path, Status(path)});
    }
    root_ = Status(workspace);
  }
  ~Tree() {
    std::error_code ignored;
    std::filesystem::remove_all(base, ignored);
  }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  void PutBack() const {
    for (const char* directory : {"/ws/d", "/ws/d/e"}) chmod((base + directory).c_str(), 0755);
    for (const char* file : {"/ws/f", "/ws/d/g"}) {
      chmod((base + file).c_str(), 0644);
      removexattr((base + file).c_str(), "user.x");
    }
    Require(chdir(workspace.c_str()) == 0, "the root is gone");
  }

  void RequireOutsideUnchanged() const {
    for (const auto& [path, before] : outside_) {
      const struct stat now = Status(path);
      Require(now.st_mode == before.st_mode && now.st_uid == before.st_uid && now.st_gid == before.st_gid &&
                  now.st_size == before.st_size && now.st_ctim.tv_sec == before.st_ctim.tv_sec &&
                  now.st_ctim.tv_nsec == before.st_ctim.tv_nsec,
              "what lies outside was changed");
    }
    const struct stat root = Status(workspace);
    Require(root.st_mode == root_.st_mode && root.st_uid == root_.st_uid && root.st_gid == root_.st_gid,
            "the root was changed");
  }

  bool Holds(const std::string& path) const {
    return path == workspace || path.compare(0, workspace.size() + 1, workspace + "/") == 0;
  }

  std::string base;
  std::string workspace;
  std::vector<int> descriptors;
  sandbox::WritableRoots roots;

 private:
  static struct stat Status(const std::string& path) {
    struct stat status{};
    Require(lstat(path.c_str(), &status) == 0, "a file is gone");
    return status;
  }

  static void Own(const std::string& path) {
    if (getuid() == 0) Require(lchown(path.c_str(), kOrdinaryUid, kOrdinaryUid) == 0, "a file stays root's");
  }
  static void Make(const std::string& path, bool is_directory) {
    if (is_directory) {
      Require(mkdir(path.c_str(), 0755) == 0, "there is no directory");
    } else {
      const int fd = open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
      Require(fd >= 0 && write(fd, "content", 7) == 7 && close(fd) == 0, "there is no file");
    }
    Own(path);
  }
  void Link(const char* to, const char* path) const {
    const std::string target = *to == '/' && strncmp(to, "/proc", 5) != 0 ? base + to : to;
    Require(symlink(target.c_str(), (base + path).c_str()) == 0, "there is no link");
    Own(base + path);
  }
  void OpenDescriptors() {
    for (const char* path : {"/ws", "/ws/f", "/ws/d", "/out", "/out/f", "/ws/link"}) {
      descriptors.push_back(open((base + path).c_str(), O_RDONLY | O_CLOEXEC));
      descriptors.push_back(open((base + path).c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    }
    for (const char* path : {"/ws/gone", "/out/gone"}) {
      Make(base + path, false);
      descriptors.push_back(open((base + path).c_str(), O_RDWR | O_CLOEXEC));
      Require(unlink((base + path).c_str()) == 0, "a file stays");
    }
    int pipes[2];
    Require(pipe2(pipes, O_CLOEXEC) == 0, "there is no pipe");
    descriptors.push_back(pipes[0]);
    descriptors.push_back(memfd_create("ws", MFD_CLOEXEC));
    for (const int fd : descriptors) Require(fd >= 0, "a file cannot be opened");
  }

  std::string text_;
  std::vector<std::pair<std::string, struct stat>> outside_;
  struct stat root_{};
};

// A thread of this process that waits in a system call for ever: it shares memory, descriptors and directory
// with the fuzzer, so the fuzzer can be its other threads.
class Caller {
 public:
  Caller() {
    std::thread([this] {
      sock_filter code[] = {
          BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
          BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getitimer, 0, 1),
          BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
          BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      };
      const sock_fprog program{sizeof code / sizeof code[0], code};
      Require(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "there are no filters");
      listener_ = static_cast<int>(
          syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program));
      Require(listener_ >= 0, "this process cannot have a listener");
      for (;;) syscall(SYS_getitimer, 0, nullptr);
    }).detach();
    while (listener_ < 0) std::this_thread::yield();
  }

  int listener() const { return listener_; }
  // The leak checker interrupts the call, and it is made once more.
  seccomp_notif Notification() {
    if (ioctl(listener_, SECCOMP_IOCTL_NOTIF_ID_VALID, &notification_.id) != 0) {
      notification_ = {};
      Require(ioctl(listener_, SECCOMP_IOCTL_NOTIF_RECV, &notification_) == 0, "there is no call");
    }
    return notification_;
  }

 private:
  std::atomic<int> listener_{-1};
  seccomp_notif notification_{};
};

// Memory for what the arguments point to. It ends where the next page is not there.
class Memory {
 public:
  Memory() {
    memory_ = static_cast<char*>(
        mmap(nullptr, kSize + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    Require(memory_ != MAP_FAILED && mprotect(memory_ + kSize, 4096, PROT_NONE) == 0, "there is no memory");
  }
  void Clear() {
    memset(memory_, 0, kSize);
    used_ = 0;
  }
  uint64_t Put(const std::string& bytes, bool at_end) {
    const size_t size = std::min(bytes.size(), kSize);
    if (at_end) return Copy(memory_ + kSize - size, bytes, size);
    if (kSize - used_ < size + 8) return 0;
    char* const to = memory_ + used_;
    used_ = (used_ + size + 7) & ~size_t{7};
    return Copy(to, bytes, size);
  }

 private:
  static constexpr size_t kSize = 32 * 4096;

  static uint64_t Copy(char* to, const std::string& bytes, size_t size) {
    memcpy(to, bytes.data(), size);
    return reinterpret_cast<uint64_t>(to);
  }

  char* memory_;
  size_t used_ = 0;
};

}  // namespace bashward::broker

#endif  // BASHWARD_TEST_FUZZ_BROKER_WORLD_H_
