// When it is looked who waits, and who is answered.
#include "supervisor/terminal/terminal.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <functional>
#include <string>

#include "support/forked.h"
#include "support/processes.h"
#include "support/temporary_directory.h"
#include "support/tty_client.h"
#include "support/wait.h"
#include "sys/clock.h"

namespace bashward::supervisor {
namespace {

using protocol::Failed;

// A terminal with a program, served until something has come about.
class Served {
 public:
  explicit Served(const std::function<void()>& program) {
    test::BecomeSubreaper();
    Failed failure{};
    EXPECT_TRUE(OpenPty({24, 80}, &pty_, &failure)) << "errno " << failure.error;
    EXPECT_TRUE(job_.Create(&failure)) << "errno " << failure.error;
    static Terminal* volatile kept;  // never given back: its thread uses it to the end
    kept = new Terminal(pty_, job_);
    terminal_ = kept;
    EXPECT_TRUE(terminal_->Listen(&failure)) << "errno " << failure.error;
    const pid_t shell = fork();
    if (shell == 0) {
      setsid();
      TakeControllingTerminal(pty_.slave.get());
      TakeAsStreams(pty_.slave.get());
      program();
      _exit(0);
    }
    terminal_->SetShell(shell);
  }
  ~Served() {
    terminal_->Close();
    test::KillAllChildren();
  }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  // False when it has not come about in time.
  bool Until(const std::function<bool()>& condition, uint64_t patience_ms = 30'000) {
    const uint64_t end = sys::NowMs() + patience_ms;
    while (!condition()) {
      const uint64_t now = sys::NowMs();
      if (now >= end) return false;
      pollfd polled[Terminal::kMaxPolled + 1];
      const size_t count = terminal_->FillPolled(polled);
      const bool was_asked = polled[0].fd >= 0;
      polled[count] = {pty_.master.get(), POLLIN, 0};
      const uint64_t deadline = terminal_->NextDeadlineMs();
      uint64_t pause = deadline > now ? deadline - now : 0;
      if (pause > 20) pause = 20;
      poll(polled, count + 1, static_cast<int>(pause));
      terminal_->Serve(polled);
      pollfd after[Terminal::kMaxPolled];
      terminal_->FillPolled(after);
      if (!was_asked && after[0].fd >= 0) ++looks_;
      if ((polled[count].revents & POLLIN) != 0) {
        job_.Pump(pty_.master.get());
        output_.append(job_.pumped(), job_.pumped_size());
        terminal_->OnOutput();
      }
    }
    return true;
  }

  bool Prints(const std::string& text) {
    return Until([&] { return output_.find(text) != std::string::npos; });
  }

  const std::string& directory() const { return path_; }
  const std::string& output() const { return output_; }
  int looks() const { return looks_; }

 private:
  test::TemporaryDirectory parent_;
  const std::string path_ = parent_.path() + "/job";
  Job job_{path_.c_str(), "{\"version\":1,", 1'000'000};
  Pty pty_;
  Terminal* terminal_ = nullptr;
  std::string output_;
  int looks_ = 0;
};

void MakeRaw() {
  termios settings{};
  tcgetattr(0, &settings);
  cfmakeraw(&settings);
  tcsetattr(0, TCSANOW, &settings);
}

void Print(const std::string& text) {
  static_cast<void>(write(1, text.data(), text.size()));
}

// Prints what it reads, with ESC as `^`.
void Show() {
  char byte = 0;
  while (read(0, &byte, 1) == 1) Print(byte == '\x1b' ? "^" : std::string(1, byte));
}

void Type(Served* served, test::TtyClient* client, const std::string& bytes) {
  const protocol::Input input{1, 0};
  client->Send(protocol::TerminalMessage::kInput, test::BytesOf(input) + bytes);
  served->Until([client] {
    pollfd entry{client->fd(), POLLIN, 0};
    return poll(&entry, 1, 0) == 1;
  });
}

TEST(Terminal, AnswersWhoHasAsked) {
  test::InForkedProcess([] {
    Served served([] {
      MakeRaw();
      Print("\x1b[6n");
      Show();
    });
    EXPECT_TRUE(served.Prints("^[1;1R"));
  });
}

// Its answer would be typed into whatever comes next.
TEST(Terminal, AnswersNobodyWhoHasBegunAfterTheQuestion) {
  test::InForkedProcess([] {
    Served served([] {
      MakeRaw();
      Print("\x1b[6n");
      usleep(50'000);
      if (fork() == 0) {
        Show();
        _exit(0);
      }
      waitpid(-1, nullptr, 0);
    });
    ASSERT_TRUE(served.Prints("6n"));
    test::TtyClient client(served.directory());
    // It is not answered within the time that it could be.
    EXPECT_FALSE(served.Until([&] { return served.output().find("1;1R") != std::string::npos; }, 1'500));
    Type(&served, &client, "q");
    EXPECT_TRUE(served.Prints("q"));
    EXPECT_EQ(served.output().find("1;1R"), std::string::npos);
  });
}

TEST(Terminal, CeasesToLookForAReaderThatDoesNotCome) {
  test::InForkedProcess([] {
    Served served([] {
      MakeRaw();
      Print("ready");
      for (;;) pause();
    });
    ASSERT_TRUE(served.Prints("ready"));
    test::TtyClient client(served.directory());
    Type(&served, &client, std::string(60'000, 'x'));
    EXPECT_FALSE(served.Until([] { return false; }, 4'000));
    EXPECT_GT(served.looks(), 0);
    const int before = served.looks();
    EXPECT_FALSE(served.Until([] { return false; }, 1'500));
    EXPECT_EQ(served.looks(), before);
  });
}

TEST(Terminal, LooksForNobody) {
  test::InForkedProcess([] {
    Served served([] {
      Print("ready");
      for (;;) pause();
    });
    ASSERT_TRUE(served.Prints("ready"));
    EXPECT_FALSE(served.Until([] { return false; }, 300));
    EXPECT_EQ(served.looks(), 0);
  });
}

}  // namespace
}  // namespace bashward::supervisor
