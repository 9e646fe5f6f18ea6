#include "broker/brokered.h"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "broker/answer.h"
#include "sandbox/system_calls.h"
#include "support/descriptors.h"
#include "support/forked.h"
#include "support/wait.h"

namespace bashward::test {
namespace {

const std::vector<uint32_t>& NotifiedCalls() {
  static const std::vector<uint32_t> calls{
#ifdef SYS_chmod
      SYS_chmod,
      SYS_chown,
      SYS_lchown,
      SYS_utime,
      SYS_utimes,
      SYS_futimesat,
#endif
      SYS_fchmod,
      SYS_fchmodat,
      sandbox::number::kFchmodat2,
      SYS_fchown,
      SYS_fchownat,
      SYS_utimensat,
      SYS_setxattr,
      SYS_lsetxattr,
      SYS_fsetxattr,
      sandbox::number::kSetxattrat,
      SYS_removexattr,
      SYS_lremovexattr,
      SYS_fremovexattr,
      sandbox::number::kRemovexattrat,
      SYS_truncate};
  return calls;
}

}  // namespace

Brokered::Brokered(const std::vector<std::string>& roots) : denials_(std::make_unique<broker::DenialLog>()) {
  for (const std::string& root : roots) paths_ += root + '\0';
  EXPECT_TRUE(roots_.Open(paths_.c_str(), static_cast<uint32_t>(roots.size())));
}

void Brokered::Run(const std::function<void()>& body) {
  RunNotified(NotifiedCalls(), body, [this](int listener) { AnswerAll(listener); });
}

void Brokered::AnswerAll(int listener) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < deadline) {
    pollfd ready{listener, POLLIN, 0};
    if (poll(&ready, 1, 1000) <= 0) continue;
    if ((ready.revents & POLLIN) == 0) return;
    seccomp_notif notification{};
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &notification) != 0) continue;
    if (before_answer) before_answer(static_cast<pid_t>(notification.pid));
    seccomp_notif_resp response{};
    response.id = notification.id;
    errno = 0;
    response.error = broker::Answer(notification, listener, roots_, denials_.get());
    EXPECT_EQ(errno, 0) << "errno is the main thread's";
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
  }
  ADD_FAILURE() << "the caller did not end";
}

void BrokerTest::SetUp() {
  workspace = directory.File("ws");
  outside = directory.File("out");
  ASSERT_EQ(chmod(directory.path().c_str(), 0755), 0);
  for (const std::string& path : {workspace, outside}) {
    ASSERT_EQ(mkdir(path.c_str(), 0755), 0);
    GiveTo(GetParam(), path);
  }
}

void BrokerTest::AsUser(const std::function<void()>& body) const {
  InForkedProcess([&] {
    Become(GetParam());
    // Another user's by now, whom nobody may look into.
    ASSERT_EQ(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0), 0);
    ASSERT_EQ(chdir(workspace.c_str()), 0);
    umask(022);
    body();
  });
}

void BrokerTest::InWorkspace(const std::function<void()>& body) const {
  AsUser([&] { Brokered({workspace}).Run(body); });
}

void MakeFile(const std::string& path, mode_t mode, const std::string& content) {
  const sys::UniqueFd file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  ASSERT_TRUE(file.valid()) << path << ": " << strerror(errno);
  WriteAll(file.get(), content);
}

struct stat StatusOf(const std::string& path) {
  struct stat status{};
  EXPECT_EQ(lstat(path.c_str(), &status), 0) << path << ": " << strerror(errno);
  return status;
}

mode_t ModeOf(const std::string& path) {
  return StatusOf(path).st_mode & 07777;
}

}  // namespace bashward::test
