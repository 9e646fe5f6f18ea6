// Unix sockets of the broker's: their names, and to which ones they are connected.
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "broker/sockets/socketed.h"

namespace bashward::test {
namespace {

class UnixSocketTest : public SocketTest {};
INSTANTIATE_TEST_SUITE_P(Users, UnixSocketTest, ::testing::ValuesIn(Users()),
                         [](const auto& user) { return NameOf(user.param); });

struct Name {
  sockaddr_un address{};
  socklen_t size = 0;

  explicit Name(const std::string& path) {
    address.sun_family = AF_UNIX;
    memcpy(address.sun_path, path.data(), path.size());
    size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size() + (path[0] == '\0' ? 0 : 1));
  }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address); }
};

int Bind(const sys::UniqueFd& made, const std::string& path) {
  const Name name(path);
  return bind(made.get(), name.get(), name.size) == 0 ? 0 : errno;
}

int Connect(const sys::UniqueFd& made, const std::string& path) {
  const Name name(path);
  return connect(made.get(), name.get(), name.size) == 0 ? 0 : errno;
}

sys::UniqueFd ServeAt(const std::string& path) {
  sys::UniqueFd server = MakeSocket(AF_UNIX);
  EXPECT_EQ(Bind(server, path), 0);
  EXPECT_EQ(listen(server.get(), 4), 0);
  return server;
}

TEST_P(UnixSocketTest, ServeAtNamesInTheWorkspace) {
  InWorkspace([this] {
    ASSERT_EQ(mkdir("d", 0755), 0);
    for (const std::string& path : {std::string("x"), std::string("d/y"), workspace + "/z"}) {
      const sys::UniqueFd server = ServeAt(path);
      EXPECT_EQ(Connect(MakeSocket(AF_UNIX), path), 0) << path;
      sockaddr_un name{};
      socklen_t size = sizeof name;
      ASSERT_EQ(getsockname(server.get(), reinterpret_cast<sockaddr*>(&name), &size), 0);
      EXPECT_EQ(name.sun_path, path);
    }
  });
}

TEST_P(UnixSocketTest, HaveTheModeAndOwnerThatTheirProgramWouldGiveThem) {
  InWorkspace([] {
    umask(027);
    const sys::UniqueFd server = ServeAt("x");
    struct stat status{};
    ASSERT_EQ(stat("x", &status), 0);
    EXPECT_EQ(status.st_mode & 07777, 0750U);
    EXPECT_EQ(status.st_uid, geteuid());
  });
}

TEST_P(UnixSocketTest, GetNoNamesElsewhere) {
  const std::string outside = directory.File("out");
  ASSERT_EQ(mkdir(outside.c_str(), 0777), 0);
  GiveTo(GetParam(), outside);
  AsUser([&] {
    broker::SocketRules rules;
    rules.unix_sockets = true;
    Socketed socketed(rules, workspace);
    socketed.Run([&] {
      ASSERT_EQ(symlink(outside.c_str(), "link"), 0);
      EXPECT_EQ(Bind(MakeSocket(AF_UNIX), outside + "/x"), EACCES);
      EXPECT_EQ(Bind(MakeSocket(AF_UNIX), "../out/x"), EACCES);
      EXPECT_EQ(Bind(MakeSocket(AF_UNIX), "link/x"), EACCES);
      EXPECT_EQ(Bind(MakeSocket(AF_UNIX), "none/x"), ENOENT);
      EXPECT_EQ(Bind(MakeSocket(AF_UNIX), std::string("\0name", 5)), EPERM);
    });
    const std::vector<std::string> denied{"bind unix:" + outside + "/x", "bind unix:@name"};
    EXPECT_EQ(socketed.Denied(), denied);
  });
  EXPECT_EQ(rmdir(outside.c_str()), 0) << "there is something in it";
}

TEST_P(UnixSocketTest, NeverTakeANameThatIsThere) {
  InWorkspace([] {
    const sys::UniqueFd server = ServeAt("x");
    EXPECT_EQ(Bind(MakeSocket(AF_UNIX), "x"), EADDRINUSE);
    ASSERT_EQ(symlink("none", "link"), 0);
    EXPECT_EQ(Bind(MakeSocket(AF_UNIX), "link"), EADDRINUSE);
  });
}

TEST_P(UnixSocketTest, ServeOnlyWithAName) {
  InWorkspace([] {
    EXPECT_EQ(listen(MakeSocket(AF_UNIX).get(), 1), -1);
    EXPECT_EQ(errno, EINVAL);
  });
}

TEST_P(UnixSocketTest, LeaveRoomForOthersOnceTheyAreClosed) {
  constexpr int kMoreThanAreKept = 1700;
  InWorkspace([] {
    for (int i = 0; i < kMoreThanAreKept; ++i) {
      const sys::UniqueFd bound = MakeSocket(AF_UNIX);
      ASSERT_EQ(Bind(bound, "x"), 0) << i;
      ASSERT_EQ(unlink("x"), 0);
    }
    EXPECT_TRUE(MakeSocket(AF_INET).valid());
  });
}

TEST_P(UnixSocketTest, ReachNobodyElsesNotEvenInTheWorkspace) {
  AsUser([this] {
    const sys::UniqueFd host = ServeAt("host");
    const sys::UniqueFd abstract = ServeAt(std::string("\0", 1) + workspace);
    broker::SocketRules rules;
    rules.unix_sockets = true;
    Socketed socketed(rules, workspace);
    socketed.Run([this] {
      EXPECT_EQ(Connect(MakeSocket(AF_UNIX), "host"), EACCES);
      EXPECT_EQ(Connect(MakeSocket(AF_UNIX), workspace + "/host"), EACCES);
      EXPECT_EQ(Connect(MakeSocket(AF_UNIX), std::string("\0", 1) + workspace), ECONNREFUSED);
      const sys::UniqueFd server = ServeAt("own");
      ASSERT_EQ(rename("own", "gone"), 0);
      ASSERT_EQ(rename("host", "own"), 0);
      EXPECT_EQ(Connect(MakeSocket(AF_UNIX), "own"), EACCES);
      EXPECT_EQ(Connect(MakeSocket(AF_UNIX), "gone"), 0);
    });
    EXPECT_EQ(socketed.Denied()[0], "connect unix:" + workspace + "/host");
  });
}

TEST_P(UnixSocketTest, TellWhatIsNotThere) {
  InWorkspace([] {
    EXPECT_EQ(Connect(MakeSocket(AF_UNIX), "none"), ENOENT);
    ASSERT_EQ(mkdir("d", 0755), 0);
    EXPECT_EQ(Connect(MakeSocket(AF_UNIX), "d"), ECONNREFUSED);
  });
}

}  // namespace
}  // namespace bashward::test
