#include "process/command.h"

#include <errno.h>
#include <signal.h>
#include <sys/epoll.h>

#include <algorithm>
#include <cstring>

#include "process/request_encoding.h"
#include "sys/signals.h"

namespace bashward::process {
namespace {

using protocol::MessageType;
using protocol::Step;

// After the shell's end, how long its children may keep the result waiting with more output.
constexpr uint64_t kDrainNs = 100 * kNsPerMs;
// When nobody holds the output any more, how long children may take to end or to execute another program:
// the list should name only real survivors, each by the name it runs under.
constexpr uint64_t kSettleNs = 25 * kNsPerMs;
// For the report of a supervisor that has given up.
constexpr uint64_t kAnswerSlackNs = 900 * kNsPerMs;
// A job may stop its supervisor before the supervisor has announced it.
constexpr uint64_t kStartAnswerNs = 1'000 * kNsPerMs;
constexpr uint64_t kReleaseAnswerNs = 10'000 * kNsPerMs;

}  // namespace

Command::Command(uint64_t id, CommandSpec spec, std::shared_ptr<CommandListener> listener, EventLoop& loop,
                 Launcher& launcher, OutputResources& resources, std::function<void()> on_gone)
    : id_(id),
      spec_(std::move(spec)),
      listener_(std::move(listener)),
      loop_(loop),
      launcher_(launcher),
      resources_(resources),
      on_gone_(std::move(on_gone)),
      pidfd_watch_(loop, [this](uint32_t) { Reap(); }),
      vigil_(
          loop, [this] { sys::SignalPidfd(pidfd_.get(), SIGCONT); }, [this] { GiveUp(); }),
      control_(loop,
               [this](const protocol::MessageHeader* header, const char* body) { OnMessage(header, body); }),
      deadline_(loop.timers(), [this] { OnDeadline(); }),
      soft_limit_(loop.timers(), [this] { OnSoftLimit(); }) {}

void Command::Start() {
  if (phase_ == Phase::kFinished) return;  // cancelled while it waited
  // The errno that execve gives for so large an environment; the supervisor takes no more.
  if (spec_.request.size() > protocol::kMaxRequest) return Fail(Step::kExecve, E2BIG);
  Supervisor supervisor;
  const LaunchFailure failure =
      launcher_.Launch({spec_.supervisor, resources_.null_fd, spec_.separate_streams, spec_.session,
                        spec_.ruleset ? spec_.ruleset->get() : -1, spec_.input ? spec_.input->get() : -1},
                       &supervisor);
  spec_.ruleset.reset();
  spec_.input.reset();
  supervisor_pid_ = supervisor.pid;
  pidfd_ = std::move(supervisor.pidfd);
  if (failure.step != Step::kNone) return Fail(failure.step, failure.error);
  state_ = std::move(supervisor.state);
  // Only its supervisor reads a job's output.
  int error = spec_.background ? 0 : OpenStreams(&supervisor);
  if (error == 0) error = control_.Open(std::move(supervisor.control));
  if (error != 0) return Fail(Step::kEpoll, error);  // without a request the supervisor ends by itself
  error = control_.Send(MessageType::kRequest, spec_.request.data(), spec_.request.size());
  if (error != 0) return Fail(Step::kProtocol, error);
  spec_.request = std::string();
  if (spec_.background) {
    deadline_.SetIn(kStartAnswerNs);
  } else if (spec_.timeout_ms != 0) {
    deadline_.SetIn(spec_.timeout_ms * kNsPerMs);
  }
  started_ns_ = MonotonicNs();
  const bool comes_first = spec_.timeout_ms == 0 || spec_.background_after_ms < spec_.timeout_ms;
  if (spec_.background_after_ms != 0 && comes_first && !spec_.background && !spec_.separate_streams) {
    soft_limit_.SetIn(spec_.background_after_ms * kNsPerMs);
  }
}

int Command::OpenStreams(Supervisor* supervisor) {
  const OutputStream::Limits limits{spec_.head_limit, spec_.tail_limit};
  for (int i = 0; i < (spec_.separate_streams ? 2 : 1); ++i) {
    OutputStream::LiveCallback on_live;
    if (spec_.live) {
      on_live = [this, i](util::LiveWindow::Piece piece) {
        if (listener_) listener_->OnOutput(id_, i, std::move(piece));
      };
    }
    streams_.push_back(std::make_unique<OutputStream>(loop_, resources_, limits, std::move(on_live),
                                                      [this] { OnStreamEnd(); }));
    const int error = streams_.back()->Open(std::move(supervisor->output[i]));
    if (error != 0) return error;
  }
  if (!spec_.save_path.empty()) {
    saved_ = std::make_unique<SavedOutput>(loop_, std::move(spec_.save_path), spec_.save_limit);
    streams_[0]->SaveTo(saved_.get());
  }
  return 0;
}

void Command::OnMessage(const protocol::MessageHeader* header, const char* body) {
  if (header == nullptr) return OnControlEnd();
  if (header->type == MessageType::kStarted && header->size == sizeof(protocol::Started)) {
    protocol::Started started;
    memcpy(&started, body, sizeof started);
    completion_.pid = started.pid;
    completion_.protections = started.protections;
    shell_pidfd_ = control_.TakeDescriptor();
    if (spec_.background) return Detach();
    vigil_.Begin(shell_pidfd_.get());
  } else if (header->type == MessageType::kMarked) {
    completion_.mark = std::make_shared<sys::UniqueFd>(control_.TakeFile());
  } else if (header->type == MessageType::kFailed && header->size == sizeof(protocol::Failed)) {
    protocol::Failed failed;
    memcpy(&failed, body, sizeof failed);
    Fail(failed.step, failed.error);
  } else if (header->type == MessageType::kExited && header->size == sizeof(protocol::Exited) &&
             !spec_.background) {  // nothing else is known of a job that was not announced
    protocol::Exited exited;
    memcpy(&exited, body, sizeof exited);
    OnExited(exited);
  } else if (header->type == MessageType::kReport) {
    OnReport(body, header->size);
  } else if (header->type == MessageType::kEnded) {
    OnEnded(body, header->size);
  } else if ((header->type == MessageType::kPrepared || header->type == MessageType::kCommitted) &&
             header->size == sizeof(protocol::HandOverAnswer)) {
    protocol::HandOverAnswer answer;
    memcpy(&answer, body, sizeof answer);
    header->type == MessageType::kPrepared ? OnPrepared(answer) : OnCommitted(answer);
  } else if (header->type == MessageType::kProbed && header->size == sizeof(protocol::Probed)) {
    protocol::Probed probed;
    memcpy(&probed, body, sizeof probed);
    completion_.protections = probed.protections;
    completion_.confirmed = probed.confirmed;
    Finish();
  } else {
    OnControlEnd();  // not our message: do not trust this supervisor any more
  }
}

void Command::OnExited(const protocol::Exited& exited) {
  vigil_.End();
  completion_.exited = exited;
  completion_.has_exited = true;
  completion_.sandbox.broker_ended = exited.broker_ended != 0;
  KeepHere();
  // It had ended before the supervisor read the Kill.
  if (killing_ && phase_ == Phase::kRunning && exited.after_kill == 0 && !completion_.is_job) {
    killing_ = false;
    completion_.outcome = Outcome::kEnded;
  }
  // Everything written before the shell's end is in the pipes now.
  for (auto& stream : streams_) stream->ReadAvailable();
  if (killing_) {
    if (exited.children_left == 0) Finish();
    return;  // Ended follows
  }
  if (phase_ != Phase::kRunning) return;
  phase_ = Phase::kDraining;
  drain_end_ns_ = MonotonicNs() + kDrainNs;
  deadline_.SetIn(kDrainNs);
  OnStreamEnd();
}

void Command::OnStreamEnd() {
  if (phase_ != Phase::kDraining || !AllStreamsEnded()) return;
  if (completion_.exited.children_left == 0) return Finish();
  const uint64_t now = MonotonicNs();
  deadline_.SetIn(std::min(kSettleNs, drain_end_ns_ > now ? drain_end_ns_ - now : 0));
}

void Command::Settle() {
  if (completion_.exited.children_left == 0) return Finish();
  phase_ = Phase::kSettling;
  if (spec_.kill_survivors) {
    SendKill();
  } else if (spec_.may_adopt && listener_) {
    listener_->OnSurvivors(id_);
  } else {
    Release({});
  }
}

void Command::Release(const std::optional<JobPlan>& job) {
  if (phase_ != Phase::kSettling || killing_) return;
  for (auto& stream : streams_) stream->Yield();
  const std::string adoption = job ? EncodeAdoption(job->directory, job->description, job->output_limit) : "";
  control_.Send(MessageType::kRelease, adoption.data(), adoption.size());
  sys::SignalPidfd(pidfd_.get(), SIGCONT);
  deadline_.SetIn(kReleaseAnswerNs);
}

void Command::OnControlEnd() {
  if (phase_ == Phase::kFinished) return;
  control_.Close();
  // The supervisor had nothing left to do. A stranger who has the command's output may still write.
  if (completion_.has_exited && completion_.exited.children_left == 0) return;
  vigil_.End();
  // Somebody killed the supervisor: otherwise its last message would have come first. The parent-death
  // signal has reached the shell; this reaches the rest of its process group. What still runs is unknown now.
  completion_.outcome = Outcome::kSupervisorLost;
  completion_.exited.children_left = 0;
  // A supervisor that could not announce its job still runs it; for the caller the job has not started.
  if (spec_.background) sys::SignalPidfd(pidfd_.get(), protocol::kKillJobSignal);
  KillGroup(Lost());
  phase_ = Phase::kDraining;
  KeepHere();
  for (auto& stream : streams_) stream->Resume();
  deadline_.SetIn(kDrainNs);
  OnStreamEnd();
}

LostCommand Command::Lost() const {
  LostCommand command{shell_pidfd_.get(), completion_.pid, {}};
  for (const auto& stream : streams_) {
    if (!stream->ended()) command.outputs.push_back(stream->fd());
  }
  return command;
}

void Command::OnDeadline() {
  if (killing_ && phase_ != Phase::kFinished) return control_.is_open() ? GiveUp() : Finish();
  switch (phase_) {
    case Phase::kRunning:
      if (!spec_.background) return Kill(Outcome::kTimedOut);
      sys::SignalPidfd(pidfd_.get(), SIGCONT);
      return deadline_.SetIn(kStartAnswerNs);
    case Phase::kDraining:
      return control_.is_open() ? Settle() : Finish();
    case Phase::kSettling:
      return GiveUp();
    case Phase::kFinished:
      if (delivered_) return Reap();
      completion_.saved.error = ETIMEDOUT;
      return Deliver();
  }
}

void Command::Cancel() {
  if (supervisor_pid_ != 0) return Kill(Outcome::kCancelled);
  completion_.outcome = Outcome::kCancelled;
  Finish();
}

void Command::Kill(Outcome outcome) {
  if (phase_ != Phase::kRunning || killing_) return;
  completion_.outcome = outcome;
  // The supervisor tells which of a Commit and this has come first.
  if (hand_over_ != HandOverPhase::kCommitting) KeepHere();
  SendKill();
}

void Command::SendKill() {
  killing_ = true;
  auto cause = protocol::KillCause::kSurvivors;
  if (completion_.outcome == Outcome::kTimedOut) cause = protocol::KillCause::kTimedOut;
  if (completion_.outcome == Outcome::kCancelled) cause = protocol::KillCause::kCancelled;
  const protocol::Kill kill{spec_.grace_ms, cause};
  control_.Send(MessageType::kKill, &kill, sizeof kill);
  // The command may have stopped its supervisor.
  sys::SignalPidfd(pidfd_.get(), SIGCONT);
  deadline_.SetIn(protocol::kKillLimitMs * kNsPerMs + kAnswerSlackNs);
}

void Command::GiveUp() {
  completion_.error = ETIMEDOUT;
  sys::SignalPidfd(pidfd_.get(), SIGKILL);
  OnControlEnd();
}

void Command::Abandon() {
  listener_.reset();
  if (phase_ != Phase::kFinished) Finish();  // closes the control socket: to the supervisor, the host is gone
}

bool Command::AllStreamsEnded() const {
  for (const auto& stream : streams_) {
    if (!stream->ended()) return false;
  }
  return true;
}

void Command::Fail(Step step, int error) {
  completion_.outcome = Outcome::kNotStarted;
  completion_.pid = 0;
  completion_.step = step;
  completion_.error = error;
  Finish();
}

void Command::Detach() {
  completion_.outcome = Outcome::kDetached;
  Finish();
}

}  // namespace bashward::process
