// What the engine is asked to run, and what it answers. No policy and no text: those are the callers'.
#ifndef BASHWARD_PROCESS_COMMAND_SPEC_H_
#define BASHWARD_PROCESS_COMMAND_SPEC_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "process/control_protocol.h"
#include "process/saved_output.h"
#include "sys/unique_fd.h"
#include "util/live_window.h"

namespace bashward::process {

struct CommandSpec {
  std::string supervisor;  // path of the supervisor's executable
  std::string request;     // the body of a protocol::Request
  // A Landlock ruleset, with protocol::kHasRuleset; or null.
  std::shared_ptr<const sys::UniqueFd> ruleset;
  // What the command reads, with protocol::kHasInput; or null.
  std::shared_ptr<const sys::UniqueFd> input;
  bool separate_streams = false;
  bool live = false;        // whether OnOutput is wanted
  bool background = false;  // a job: the completion comes when it runs
  bool session = false;     // whether the completion has the shell's state
  size_t state_limit = 0;   // bytes of it; more than that counts as none
  size_t head_limit = 0;
  size_t tail_limit = 0;
  uint32_t timeout_ms = 0;  // 0: none
  // With merged output: when the listener is asked for the job that the command becomes; 0: never.
  uint32_t background_after_ms = 0;
  uint32_t grace_ms = 0;  // from SIGTERM to SIGKILL
  bool kill_survivors = false;
  bool may_adopt = false;  // whether the listener is asked for the job that survivors become
  // A file that must not exist, for merged output that is longer than `head_limit`; empty for none.
  std::string save_path;
  uint64_t save_limit = 0;  // bytes
};

// The job that survivors become, or the whole command does.
struct JobPlan {
  std::string directory;
  std::string description;    // the beginning of job.json
  uint64_t output_limit = 0;  // bytes
};

struct CapturedStream {
  std::string head;
  std::string tail;
  uint64_t total = 0;  // bytes; more than head and tail when the middle was discarded
};

struct Survivor {
  pid_t pid;
  bool daemon;
  bool holds_output;
  std::string command;
};

// What the sandbox refused a command, and what it found.
struct Denial {
  protocol::Operation operation;
  std::string target;
};

struct SandboxEvents {
  std::vector<Denial> denials;
  uint32_t denials_dropped = 0;      // further ones
  std::vector<std::string> changed;  // watched paths that are not as they were
  uint32_t changed_dropped = 0;      // further ones, and what could not be watched
  bool broker_ended = false;         // everything was killed, as nothing answered its calls any more
};

enum class Outcome : int32_t {
  kEnded,  // on its own
  kTimedOut,
  kCancelled,
  kNotStarted,      // `step` and `error` say why
  kSupervisorLost,  // the supervisor was killed under us, or did not answer (`error` is ETIMEDOUT) and was
                    // killed by us; the shell was killed with it
  kDetached,        // a background job that runs
  kHandedOver,      // it runs on as the job that the listener has named
};

struct Completion {
  Outcome outcome = Outcome::kEnded;
  protocol::Step step = protocol::Step::kNone;
  int error = 0;
  pid_t pid = 0;             // of the shell, 0 when it did not start
  uint32_t protections = 0;  // protocol::Protection bits that are in force
  uint32_t confirmed = 0;    // of a probe: those whose attempts were refused
  bool has_exited = false;   // whether `exited` is known
  protocol::Exited exited{};
  std::vector<CapturedStream> streams;
  std::vector<Survivor> survivors;
  protocol::HandOverAnswer hand_over{};  // why it was not handed over, where that was tried
  bool is_job = false;                   // it has become the job that the listener has named, also if killed
  bool adopted = false;                  // the survivors are a job now
  std::shared_ptr<sys::UniqueFd> mark;   // of the call, if it was made; not valid: it could not be taken
  std::optional<std::string> state;      // what the shell of a session has written; nothing beyond the limit
  SaveReport saved;
  SandboxEvents sandbox;
};

// Called on the reactor's thread; must not block.
class CommandListener {
 public:
  virtual ~CommandListener() = default;
  virtual void OnOutput(uint64_t id, int stream, util::LiveWindow::Piece piece) = 0;
  // The shell has ended and something of the command lives on: Reactor::Release() is waited for. Only with
  // `may_adopt`.
  virtual void OnSurvivors(uint64_t) {}
  // It is time to hand the command over: Reactor::HandOver() is waited for, while it goes on. Only with
  // `background_after_ms`.
  virtual void OnSoftLimit(uint64_t) {}
  // The last call for `id`.
  virtual void OnCompletion(uint64_t id, Completion completion) = 0;
};

}  // namespace bashward::process

#endif  // BASHWARD_PROCESS_COMMAND_SPEC_H_
