// Whether somebody waits for what is typed into a terminal, and who: concluded from what the processes of its
// foreground group are blocked in.
#ifndef BASHWARD_SUPERVISOR_WAITING_JUDGE_H_
#define BASHWARD_SUPERVISOR_WAITING_JUDGE_H_

#include <stdint.h>
#include <sys/types.h>

#include "process/terminal_protocol.h"
#include "supervisor/waiting/other_readers.h"
#include "supervisor/waiting/tty_target.h"

namespace bashward::supervisor {

struct Judgement {
  protocol::Verdict verdict;
  uint32_t flags;  // protocol::TerminalFlags, but for what is on the screen
  uint32_t unread;
  pid_t pid;  // 0: nobody in particular
  pid_t thread;
  long call;  // the number of its system call
  bool hidden;
  char name[protocol::kMaxTerminalName + 1];
  uint32_t name_size;
  uint64_t started;  // of the process, as ThreadStat has it; 0: not known
  OtherReader other;
  uint64_t took_us;  // of CPU time, without that for others
};

struct JudgedTerminal {
  int slave;
  pid_t root;   // whose descendants have it
  pid_t shell;  // the group that is in the foreground when none is
  TtyTarget target;
};

// False when the terminal cannot be told about.
bool DescribeTerminal(int master, int slave, pid_t shell, JudgedTerminal* terminal);

// Its process group in the foreground; 0: none.
pid_t ForegroundGroup(int master);

// One look, when that group was in the foreground. For a thread that shares errno with another one; not for
// two at a time. `others`: also for who else reads, which takes longer.
Judgement Judge(const JudgedTerminal& terminal, pid_t foreground, bool others = false);

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_WAITING_JUDGE_H_
