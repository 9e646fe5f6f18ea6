#include "support/host.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "process/request_encoding.h"
#include "process/sealed_program.h"
#include "support/descriptors.h"
#include "support/processes.h"
#include "support/wait.h"
#include "sys/memory_file.h"
#include "sys/unique_fd.h"

namespace bashward::test {
namespace {

using process::Completion;
using process::Outcome;
using ::testing::AssertionFailure;
using ::testing::AssertionResult;
using ::testing::AssertionSuccess;

AssertionResult Unexpected(const Completion& completion) {
  return AssertionFailure()
         << "outcome " << static_cast<int>(completion.outcome) << ", step "
         << static_cast<uint32_t>(completion.step) << ", errno " << completion.error << ", wait status "
         << (completion.has_exited ? std::to_string(completion.exited.wait_status) : "none") << ", output "
         << (completion.streams.empty() ? "none" : completion.streams[0].head.substr(0, 500));
}

std::string Entries(const std::vector<std::string>& list) {
  std::string entries;
  for (const std::string& entry : list) entries += entry + '\0';
  return entries;
}

bool IsCopyOfSupervisor(int descriptor) {
  char name[64] = {};
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  return readlink(link.c_str(), name, sizeof name - 1) > 0 &&
         std::string(name).rfind("/memfd:bashward-supervisor", 0) == 0;
}

// Copies of supervisors are kept for good.
std::vector<int> DescriptorsBesideCopies() {
  std::vector<int> others = OpenDescriptors();
  others.erase(std::remove_if(others.begin(), others.end(), IsCopyOfSupervisor), others.end());
  return others;
}

}  // namespace

std::string SupervisorPath() {
  return BASHWARD_TEST_SUPERVISOR;
}

process::CommandSpec ToSpec(const Call& call) {
  const char* path = getenv("PATH");
  std::string environment = std::string("PATH=") + (path != nullptr ? path : "/usr/bin:/bin") + '\0';
  environment += Entries(call.environment);

  process::RequestParts parts;
  parts.shell = call.shell.empty() ? BASHWARD_TEST_SHELL : std::string_view(call.shell);
  parts.command = call.command;
  parts.directory = call.directory;
  parts.environment = environment;
  parts.scratch = call.scratch;
  parts.scratch_limit = call.scratch_limit;
  const std::string roots = Entries(call.roots);
  const std::string watched = Entries(call.watched);
  parts.roots = roots;
  parts.roots_that_may_hang = call.roots_that_may_hang;
  parts.watched = watched;
  parts.proxy_port = call.proxy_port;
  parts.proxy_control_port = call.proxy_control_port;
  parts.proxy_grant = call.proxy_grant;
  parts.limits = call.limits;
  parts.prologue = call.prologue;
  parts.prologue_descriptor = 200;
  parts.job_directory = call.job_directory;
  parts.job_description = call.job_directory.empty() ? "" : "{";
  parts.job_output_limit = 1'000'000;
  parts.rows = call.rows;
  parts.columns = call.columns;
  parts.grace_ms = call.grace_ms;
  const bool session = !call.prologue.empty();
  const bool background = !call.job_directory.empty();
  parts.flags = call.flags | (call.separate_streams ? protocol::kSeparateStreams : 0U) |
                (session ? protocol::kSession : 0U) | (background ? protocol::kBackground : 0U) |
                (call.rows != 0 ? protocol::kTerminal : 0U);

  process::CommandSpec spec;
  if (!call.input.empty()) {
    parts.flags |= protocol::kHasInput;
    spec.input = std::make_shared<const sys::UniqueFd>(sys::MakeMemoryFile(call.input, "input"));
  }
  spec.supervisor = call.supervisor;
  spec.request = process::EncodeRequest(parts);
  spec.separate_streams = call.separate_streams;
  spec.live = call.live;
  spec.background = background;
  spec.session = session;
  spec.state_limit = 1024 * 1024;
  spec.head_limit = call.head_limit;
  spec.tail_limit = call.tail_limit;
  spec.timeout_ms = call.timeout_ms;
  spec.grace_ms = call.grace_ms;
  spec.background_after_ms = call.background_after_ms;
  spec.kill_survivors = call.kill_survivors;
  spec.save_path = call.save_path;
  spec.save_limit = call.save_limit;
  return spec;
}

Host::Host() {
  BecomeSubreaper();
  int error = 0;
  reactor_ = process::Reactor::Get(&error);
  EXPECT_NE(reactor_, nullptr) << "errno " << error;
  // As the addon does when it is loaded.
  process::CopyOfProgram(SupervisorPath());
  descriptors_ = DescriptorsBesideCopies();
}

void Host::ExpectNothingLeft() {
  if (!WaitUntil(HasNoChildren)) {
    ADD_FAILURE() << "a process is left, running or not reaped";
    KillAllChildren();
  }
  EXPECT_TRUE(WaitUntil([this] { return DescriptorsBesideCopies() == descriptors_; }))
      << "a descriptor is left";
}

std::string Output(const Completion& completion, int stream) {
  if (static_cast<size_t>(stream) >= completion.streams.size()) {
    ADD_FAILURE() << "there is no stream " << stream;
    return {};
  }
  const process::CapturedStream& captured = completion.streams[static_cast<size_t>(stream)];
  std::string whole = captured.head + captured.tail;
  EXPECT_EQ(whole.size(), captured.total) << "a part was discarded";
  return whole;
}

AssertionResult Exited(const Completion& completion, int code) {
  const int status = completion.exited.wait_status;
  if (completion.outcome == Outcome::kEnded && completion.has_exited && WIFEXITED(status) &&
      WEXITSTATUS(status) == code) {
    return AssertionSuccess();
  }
  return Unexpected(completion);
}

AssertionResult EndedBySignal(const Completion& completion, int signal) {
  const int status = completion.exited.wait_status;
  if (completion.has_exited && WIFSIGNALED(status) && WTERMSIG(status) == signal) return AssertionSuccess();
  return Unexpected(completion);
}

AssertionResult NotStarted(const Completion& completion, protocol::Step step, int error) {
  if (completion.outcome == Outcome::kNotStarted && completion.step == step && completion.error == error &&
      completion.pid == 0 && !completion.has_exited) {
    return AssertionSuccess();
  }
  return Unexpected(completion);
}

AssertionResult HasOutcome(const Completion& completion, Outcome outcome) {
  if (completion.outcome == outcome) return AssertionSuccess();
  return Unexpected(completion);
}

}  // namespace bashward::test
