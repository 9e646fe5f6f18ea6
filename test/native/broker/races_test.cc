// Another thread of the caller changes what a call names while it is answered: what lies outside is never
// changed, and what lies inside still is.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <thread>

#include "broker/brokered.h"

namespace bashward::test {
namespace {

constexpr int kMinRounds = 1500;
constexpr int kMaxRounds = 100'000;
constexpr int kEnough = 100;  // of each

class RacesTest : public BrokerTest {
 protected:
  void SetUp() override {
    BrokerTest::SetUp();
    AsUser([&] { MakeFile(victim()); });
  }
  std::string victim() const { return Out("f"); }

  // Makes `call` while `swap` runs in another thread, until it has been let through and refused often.
  void Race(const std::function<void()>& swap, const std::function<int()>& call) const {
    std::atomic<bool> over{false};
    std::thread other([&] {
      while (!over) swap();
    });
    int changed = 0;
    int refused = 0;
    for (int round = 0; round < kMaxRounds; ++round) {
      if (round >= kMinRounds && changed >= kEnough && refused >= kEnough) break;
      ++(call() == 0 ? changed : refused);
    }
    over = true;
    other.join();
    EXPECT_GE(changed, kEnough);
    EXPECT_GE(refused, kEnough);
    EXPECT_EQ(ModeOf(victim()), 0644U);
  }
};
INSTANTIATE_TEST_SUITE_P(Users, RacesTest, ::testing::ValuesIn(Users()),
                         [](const auto& user) { return NameOf(user.param); });

TEST_P(RacesTest, OfASymbolicLink) {
  InWorkspace([&] {
    MakeFile("f");
    ASSERT_EQ(mkdir("d", 0755), 0);
    MakeFile("d/f");
    int mode = 0;
    Race(
        [&] {
          EXPECT_EQ(symlink(outside.c_str(), "new"), 0);
          EXPECT_EQ(rename("new", "link"), 0);
          EXPECT_EQ(symlink("d", "new"), 0);
          EXPECT_EQ(rename("new", "link"), 0);
        },
        [&] { return chmod("link/f", 0600 | (++mode & 7)); });
  });
}

TEST_P(RacesTest, OfAPathInMemory) {
  InWorkspace([&] {
    MakeFile("f");
    const std::string out = victim();
    const std::string in = "/" + In("f");  // as long: half of one and half of the other is a path, too
    ASSERT_EQ(in.size(), out.size());
    static volatile char path[4096];
    int mode = 0;
    Race(
        [&] {
          for (const std::string* text : {&in, &out}) {
            for (size_t i = 0; i <= text->size(); ++i) path[i] = text->c_str()[i];
          }
        },
        [&] { return chmod(const_cast<const char*>(path), 0600 | (++mode & 7)); });
  });
}

TEST_P(RacesTest, OfADescriptor) {
  InWorkspace([&] {
    MakeFile("f");
    const sys::UniqueFd in(open("f", O_RDONLY | O_CLOEXEC));
    const sys::UniqueFd out(open(victim().c_str(), O_RDONLY | O_CLOEXEC));
    const sys::UniqueFd used(dup(in.get()));
    int mode = 0;
    Race(
        [&] {
          EXPECT_EQ(dup2(out.get(), used.get()), used.get());
          EXPECT_EQ(dup2(in.get(), used.get()), used.get());
        },
        [&] { return fchmod(used.get(), 0600 | (++mode & 7)); });
  });
}

TEST_P(RacesTest, OfTheWorkingDirectory) {
  InWorkspace([&] {
    MakeFile("f");
    int mode = 0;
    Race(
        [&] {
          EXPECT_EQ(chdir(outside.c_str()), 0);
          EXPECT_EQ(chdir(workspace.c_str()), 0);
        },
        [&] { return chmod("f", 0600 | (++mode & 7)); });
  });
}

// Its path is another one each time that it is looked at.
TEST_P(RacesTest, DoNotRefuseWhatIsRenamedInside) {
  InWorkspace([&] {
    ASSERT_EQ(mkdir("a", 0755), 0);
    MakeFile("a/f");
    const sys::UniqueFd file(open("a/f", O_RDONLY | O_CLOEXEC));
    std::atomic<bool> over{false};
    std::thread other([&] {
      while (!over) {
        EXPECT_EQ(rename("a", "b"), 0);
        EXPECT_EQ(rename("b", "a"), 0);
      }
    });
    int refused = 0;
    for (int round = 0; round < kMinRounds; ++round) {
      if (fchmod(file.get(), 0600 | (round & 7)) != 0) ++refused;
    }
    over = true;
    other.join();
    EXPECT_EQ(refused, 0);
  });
}

}  // namespace
}  // namespace bashward::test
