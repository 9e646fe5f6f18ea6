#include "napi/convert.h"

#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "napi/host_protection.h"
#include "process/request_encoding.h"

namespace bashward::addon {
namespace {

using protocol::Step;

std::string GetString(const Napi::Object& object, const char* name) {
  const Napi::Value value = object.Get(name);
  return value.IsString() ? value.As<Napi::String>().Utf8Value() : std::string();
}

double GetNumber(const Napi::Object& object, const char* name) {
  const Napi::Value value = object.Get(name);
  return value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : 0;
}

uint32_t GetUint32(const Napi::Object& object, const char* name) {
  return static_cast<uint32_t>(GetNumber(object, name));
}

bool GetBoolean(const Napi::Object& object, const char* name) {
  const Napi::Value value = object.Get(name);
  return value.IsBoolean() && value.As<Napi::Boolean>().Value();
}

// [resource, soft, hard, resource, soft, hard, …]
std::vector<protocol::Limit> GetLimits(const Napi::Object& object) {
  std::vector<protocol::Limit> limits;
  const Napi::Value value = object.Get("limits");
  if (!value.IsArray()) return limits;
  const auto numbers = value.As<Napi::Array>();
  const auto number = [&numbers](uint32_t i) { return numbers.Get(i).ToNumber().DoubleValue(); };
  for (uint32_t i = 0; i + 2 < numbers.Length(); i += 3) {
    limits.push_back({static_cast<uint32_t>(number(i)), 0, static_cast<uint64_t>(number(i + 1)),
                      static_cast<uint64_t>(number(i + 2))});
  }
  return limits;
}

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
    case Step::kProtocol:
      return "protocol";
  }
  return "unknown";
}

Napi::Buffer<char> ToBuffer(Napi::Env env, const std::string& bytes) {
  return Napi::Buffer<char>::Copy(env, bytes.data(), bytes.size());
}

Napi::Array FromStreams(Napi::Env env, const std::vector<process::CapturedStream>& streams) {
  Napi::Array array = Napi::Array::New(env, streams.size());
  for (uint32_t i = 0; i < streams.size(); ++i) {
    Napi::Object stream = Napi::Object::New(env);
    stream.Set("head", ToBuffer(env, streams[i].head));
    stream.Set("tail", ToBuffer(env, streams[i].tail));
    stream.Set("total", Napi::Number::New(env, static_cast<double>(streams[i].total)));
    array.Set(i, stream);
  }
  return array;
}

Napi::Array FromSurvivors(Napi::Env env, const std::vector<process::Survivor>& survivors) {
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

Napi::Object FromExited(Napi::Env env, const protocol::Exited& exited) {
  Napi::Object object = Napi::Object::New(env);
  const int status = exited.wait_status;
  object.Set("exitCode", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
  object.Set("signal", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
  object.Set("userMs", static_cast<double>(exited.user_us) / 1000);
  object.Set("systemMs", static_cast<double>(exited.system_us) / 1000);
  object.Set("maxRssBytes", static_cast<double>(exited.max_rss_bytes));
  return object;
}

}  // namespace

process::CommandSpec ToCommandSpec(const Napi::Object& request) {
  const std::string shell = GetString(request, "shell");
  const std::string command = GetString(request, "command");
  const std::string directory = GetString(request, "directory");
  const std::string environment = GetString(request, "environment");

  process::CommandSpec spec;
  spec.supervisor = GetString(request, "supervisor");
  spec.separate_streams = GetBoolean(request, "separateStreams");
  spec.head_limit = GetUint32(request, "headBytes");
  spec.tail_limit = GetUint32(request, "tailBytes");
  spec.timeout_ms = GetUint32(request, "timeoutMs");
  spec.grace_ms = GetUint32(request, "graceMs");
  spec.kill_survivors = GetBoolean(request, "killSurvivors");
  spec.save_path = GetString(request, "savePath");
  spec.save_limit = static_cast<uint64_t>(GetNumber(request, "saveLimit"));

  process::RequestParts parts;
  parts.shell = shell;
  parts.command = command;
  parts.directory = directory;
  parts.environment = environment;
  parts.limits = GetLimits(request);
  if (spec.separate_streams) parts.flags |= protocol::kSeparateStreams;
  if (IntrospectionDropped()) parts.flags |= protocol::kDropIntrospection;
  spec.request = process::EncodeRequest(parts);
  return spec;
}

Napi::Object FromCompletion(Napi::Env env, process::Completion completion) {
  Napi::Object object = Napi::Object::New(env);
  object.Set("outcome", static_cast<int32_t>(completion.outcome));
  object.Set("pid", completion.pid);
  if (completion.step != Step::kNone) {
    object.Set("step", StepName(completion.step));
    object.Set("errno", completion.error);
  }
  if (completion.has_exited) object.Set("exited", FromExited(env, completion.exited));
  object.Set("streams", FromStreams(env, completion.streams));
  object.Set("survivors", FromSurvivors(env, completion.survivors));
  if (completion.saved.created || completion.saved.error != 0) {
    object.Set("savedBytes", static_cast<double>(completion.saved.bytes));
    object.Set("saveErrno", completion.saved.error);
  }
  return object;
}

}  // namespace bashward::addon
