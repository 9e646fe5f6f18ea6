// The result of a command as JavaScript takes it.
#include <sys/wait.h>

#include <cstring>
#include <string>

#include "napi/convert.h"

namespace bashward::addon {
namespace {

using protocol::Step;

const char* StepName(Step step) {
  switch (step) {
    case Step::kNone:
      return "";
    case Step::kPipe:
      return "pipe";
    case Step::kSocketpair:
      return "socketpair";
    case Step::kClone:
      return "clone";
    case Step::kExecve:
      return "execve";
    case Step::kExecveSupervisor:
      return "execve supervisor";
    case Step::kChdir:
      return "chdir";
    case Step::kSetsid:
      return "setsid";
    case Step::kSetrlimit:
      return "setrlimit";
    case Step::kCapset:
      return "capset";
    case Step::kMemfdCreate:
      return "memfd_create";
    case Step::kDup:
      return "dup2";
    case Step::kProtocol:
      return "protocol";
    case Step::kMkdir:
      return "mkdir";
    case Step::kOpenOutput:
      return "open output";
    case Step::kWriteOutput:
      return "write output";
    case Step::kWriteRecord:
      return "write job.json";
    case Step::kEpoll:
      return "epoll_ctl";
    case Step::kMakeScratch:
      return "mkdir scratch";
    case Step::kLandlockCreateRuleset:
      return "landlock_create_ruleset";
    case Step::kLandlockAddRule:
      return "landlock_add_rule";
    case Step::kLandlockRestrictSelf:
      return "landlock_restrict_self";
    case Step::kNoNewPrivileges:
      return "prctl PR_SET_NO_NEW_PRIVS";
    case Step::kSeccomp:
      return "seccomp";
    case Step::kCloseDescriptors:
      return "close descriptors";
    case Step::kOpenRoot:
      return "open writable root";
    case Step::kBroker:
      return "start broker";
    case Step::kSeccompListener:
      return "seccomp listener";
    case Step::kCallMark:
      return "make call mark";
    case Step::kProxy:
      return "connect to the proxy";
    case Step::kOpenTerminal:
      return "open terminal";
    case Step::kControllingTerminal:
      return "set controlling terminal";
    case Step::kListen:
      return "listen for input";
  }
  return "unknown";
}

// Whether a decoder would leave every byte as it is. Eight at a time: this runs over every small output.
bool IsPlainAscii(const std::string& bytes) {
  constexpr uint64_t kHighBits = 0x8080808080808080;
  constexpr uint64_t kLowBits = 0x0101010101010101;
  size_t i = 0;
  for (; i + sizeof(uint64_t) <= bytes.size(); i += sizeof(uint64_t)) {
    uint64_t word;
    memcpy(&word, bytes.data() + i, sizeof word);
    // A byte's high bit is set by subtracting one only when it was 0, or 0x81 and above.
    if ((word & kHighBits) != 0 || ((word - kLowBits) & kHighBits) != 0) return false;
  }
  for (; i < bytes.size(); ++i) {
    if (bytes[i] <= 0) return false;
  }
  return true;
}

Napi::Value FromStream(Napi::Env env, const process::CapturedStream& stream) {
  if (stream.total == 0) return env.Undefined();
  if (stream.head.size() == stream.total && IsPlainAscii(stream.head)) {
    napi_value text = nullptr;
    napi_create_string_latin1(env, stream.head.data(), stream.head.size(), &text);
    return Napi::Value(env, text);
  }
  Napi::Array parts = Napi::Array::New(env, 3);
  parts.Set(0U, Napi::Buffer<char>::Copy(env, stream.head.data(), stream.head.size()));
  parts.Set(1U, Napi::Buffer<char>::Copy(env, stream.tail.data(), stream.tail.size()));
  parts.Set(2U, Napi::Number::New(env, static_cast<double>(stream.total)));
  return parts;
}

Napi::Value FromSurvivors(Napi::Env env, const std::vector<process::Survivor>& survivors) {
  if (survivors.empty()) return env.Undefined();
  Napi::Array array = Napi::Array::New(env, survivors.size());
  for (uint32_t i = 0; i < survivors.size(); ++i) {
    Napi::Object survivor = Napi::Object::New(env);
    survivor.Set("pid", survivors[i].pid);
    survivor.Set("command", survivors[i].command);
    survivor.Set("daemon", survivors[i].daemon);
    survivor.Set("holdsOutput", survivors[i].holds_output);
    array.Set(i, survivor);
  }
  return array;
}

Napi::Value FromSandboxEvents(Napi::Env env, const process::SandboxEvents& events) {
  if (events.denials.empty() && events.changed.empty() && events.changed_dropped == 0 && !events.broker_ended)
    return env.Undefined();
  Napi::Array denials = Napi::Array::New(env, events.denials.size());
  for (uint32_t i = 0; i < events.denials.size(); ++i) {
    Napi::Object denial = Napi::Object::New(env);
    denial.Set("operation", static_cast<uint32_t>(events.denials[i].operation));
    denial.Set("target", events.denials[i].target);
    denials.Set(i, denial);
  }
  Napi::Array changed = Napi::Array::New(env, events.changed.size());
  for (uint32_t i = 0; i < events.changed.size(); ++i) changed.Set(i, events.changed[i]);
  Napi::Object report = Napi::Object::New(env);
  report.Set("denials", denials);
  report.Set("denialsDropped", events.denials_dropped);
  report.Set("changed", changed);
  report.Set("changedDropped", events.changed_dropped);
  report.Set("brokerEnded", events.broker_ended);
  return report;
}

}  // namespace

std::vector<napi_value> FromCompletion(Napi::Env env, const process::Completion& completion) {
  const Napi::Value undefined = env.Undefined();
  const auto number = [env](double value) { return Napi::Number::New(env, value); };
  std::vector<napi_value> fields;
  fields.reserve(24);
  fields.push_back(number(static_cast<int32_t>(completion.outcome)));
  fields.push_back(number(completion.pid));
  fields.push_back(completion.step == Step::kNone ? undefined
                                                  : Napi::String::New(env, StepName(completion.step)));
  fields.push_back(number(completion.error));
  if (completion.has_exited) {
    const protocol::Exited& exited = completion.exited;
    const int status = exited.wait_status;
    fields.push_back(number(WIFEXITED(status) ? WEXITSTATUS(status) : -1));
    fields.push_back(number(WIFSIGNALED(status) ? WTERMSIG(status) : 0));
    fields.push_back(number(static_cast<double>(exited.user_us) / 1000));
    fields.push_back(number(static_cast<double>(exited.system_us) / 1000));
    fields.push_back(number(static_cast<double>(exited.max_rss_bytes)));
  } else {
    fields.insert(fields.end(), 5, undefined);
  }
  fields.push_back(number(static_cast<double>(completion.saved.bytes)));
  fields.push_back(number(completion.saved.error));
  for (size_t i = 0; i < 2; ++i) {
    fields.push_back(i < completion.streams.size() ? FromStream(env, completion.streams[i]) : undefined);
  }
  fields.push_back(FromSurvivors(env, completion.survivors));
  fields.push_back(Napi::Boolean::New(env, completion.adopted));
  const auto& state = completion.state;
  fields.push_back(state ? Napi::Value(Napi::Buffer<char>::Copy(env, state->data(), state->size()))
                         : undefined);
  fields.push_back(number(completion.protections));
  fields.push_back(number(completion.confirmed));
  fields.push_back(Napi::Boolean::New(env, completion.exited.scratch_full != 0));
  fields.push_back(FromSandboxEvents(env, completion.sandbox));
  const protocol::HandOverAnswer& hand_over = completion.hand_over;
  fields.push_back(hand_over.step == Step::kNone ? undefined
                                                 : Napi::String::New(env, StepName(hand_over.step)));
  fields.push_back(number(hand_over.error));
  fields.push_back(Napi::Boolean::New(env, completion.is_job));
  const bool has_mark = completion.mark != nullptr && completion.mark->valid();
  fields.push_back(number(has_mark ? completion.mark->release() : completion.mark != nullptr ? -2 : -1));
  return fields;
}

}  // namespace bashward::addon
