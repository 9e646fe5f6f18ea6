#include "napi/convert.h"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "napi/host_protection.h"
#include "process/request_encoding.h"
#include "sys/memory_file.h"
#include "sys/orphans.h"
#include "sys/unique_fd.h"

namespace bashward::addon {
namespace {

enum TextField : size_t {
  kSupervisor,
  kShell,
  kCommand,
  kDirectory,
  kSavePath,
  kJobDirectory,
  kJobDescription,
  kScratch,
  kProxyGrant,
  kRoots,
  kWatched,
  kUnreadable,
  kMark,
  kTexts,
};

enum NumberField : uint32_t {
  kSeparateStreams,
  kHeadBytes,
  kTailBytes,
  kTimeoutMs,
  kGraceMs,
  kKillSurvivors,
  kSaveLimit,
  kBackground,
  kJobLimitMs,
  kJobOutputLimit,
  kStateLimit,
  kPrologueDescriptor,
  kConfined,
  kProbe,
  kScratchLimit,
  kSharedMemory,
  kLoopback,
  kUnixSockets,
  kProxyPort,
  kProxyControlPort,
  kMayAdopt,
  kBackgroundAfterMs,
  kDurable,
  kRows,
  kColumns,
  kLimitCount,
  kFirstLimit,
};

// The texts of a request, each ended by a NUL. False when there are more or fewer.
bool Split(const std::string& joined, std::array<std::string_view, kTexts>* texts) {
  size_t start = 0;
  for (std::string_view& text : *texts) {
    const size_t end = joined.find('\0', start);
    if (end == std::string::npos) return false;
    text = std::string_view(joined).substr(start, end - start);
    start = end + 1;
  }
  return start == joined.size();
}

// A list of paths comes as one text, in which each path follows a SOH: no path of this kind contains one, as
// lib/guard/sandbox/policy.ts refuses it. The supervisor gets each ended by a NUL.
std::string Entries(std::string_view list) {
  if (list.empty()) return {};
  std::string entries(list.substr(1));
  entries.push_back('\0');
  std::replace(entries.begin(), entries.end(), '\1', '\0');
  return entries;
}

std::vector<std::string> Paths(std::string_view list) {
  std::vector<std::string> paths;
  while (!list.empty()) {
    list.remove_prefix(1);
    const size_t end = std::min(list.find('\1'), list.size());
    paths.emplace_back(list.substr(0, end));
    list.remove_prefix(end);
  }
  return paths;
}

bool TakeRuleset(sandbox::RulesetStore* rulesets, const sandbox::PathPolicy& policy,
                 process::CommandSpec* spec, process::RequestParts* parts, sandbox::Refusal* refusal) {
  sandbox::CommandRuleset ruleset = rulesets->For(policy);
  if (ruleset.fd == nullptr) {
    *refusal = std::move(ruleset.refusal);
    // A ruleset that leaves nothing out is the supervisor's to try: it names the step that fails. Roots have
    // not been judged.
    return refusal->path.empty() && policy.unreadable.empty() && policy.roots.empty();
  }
  spec->ruleset = std::move(ruleset.fd);
  parts->flags |= protocol::kHasRuleset;
  if (ruleset.own) parts->flags |= protocol::kOwnRuleset;
  if (ruleset.opens_devices) parts->flags |= protocol::kOpensDevices;
  parts->roots_that_may_hang = ruleset.roots_that_may_hang;
  return true;
}

class Numbers {
 public:
  explicit Numbers(const Napi::Float64Array& array) : data_(array.Data()), size_(array.ElementLength()) {}

  double operator[](size_t field) const { return field < size_ ? data_[field] : 0; }
  uint32_t Uint32(NumberField field) const { return static_cast<uint32_t>((*this)[field]); }
  uint64_t Uint64(size_t field) const { return static_cast<uint64_t>((*this)[field]); }
  bool Flag(NumberField field) const { return (*this)[field] != 0; }

  std::vector<protocol::Limit> Limits() const {
    std::vector<protocol::Limit> limits;
    const size_t count = std::min(Uint32(kLimitCount), protocol::kMaxLimits);
    for (size_t i = 0; i < count; ++i) {
      const size_t first = kFirstLimit + 3 * i;
      limits.push_back({static_cast<uint32_t>(Uint64(first)), 0, Uint64(first + 1), Uint64(first + 2)});
    }
    return limits;
  }

 private:
  const double* data_;
  size_t size_;
};

}  // namespace

std::optional<process::CommandSpec> ToCommandSpec(sandbox::RulesetStore* rulesets, sandbox::Refusal* refusal,
                                                  const Napi::String& joined, const Napi::Float64Array& array,
                                                  const Napi::Buffer<char>& environment,
                                                  const Napi::Value& prologue, const Napi::Value& variables,
                                                  std::shared_ptr<const sys::UniqueFd> input) {
  const std::string text = joined.Utf8Value();
  std::array<std::string_view, kTexts> texts;
  if (!Split(text, &texts)) return std::nullopt;
  const Numbers numbers(array);

  process::CommandSpec spec;
  spec.supervisor = texts[kSupervisor];
  spec.save_path = texts[kSavePath];
  spec.separate_streams = numbers.Flag(kSeparateStreams);
  spec.head_limit = numbers.Uint32(kHeadBytes);
  spec.tail_limit = numbers.Uint32(kTailBytes);
  spec.timeout_ms = numbers.Uint32(kTimeoutMs);
  spec.grace_ms = numbers.Uint32(kGraceMs);
  spec.kill_survivors = numbers.Flag(kKillSurvivors);
  spec.may_adopt = numbers.Flag(kMayAdopt);
  spec.background_after_ms = numbers.Uint32(kBackgroundAfterMs);
  spec.save_limit = numbers.Uint64(kSaveLimit);
  spec.background = numbers.Flag(kBackground);
  spec.session = prologue.IsBuffer();
  spec.state_limit = numbers.Uint32(kStateLimit);

  process::RequestParts parts;
  parts.shell = texts[kShell];
  parts.command = texts[kCommand];
  parts.directory = texts[kDirectory];
  parts.environment = std::string_view(environment.Data(), environment.Length());
  const std::string own = variables.IsString() ? variables.As<Napi::String>().Utf8Value() : "";
  parts.variables = own;
  parts.job_directory = texts[kJobDirectory];
  parts.job_description = texts[kJobDescription];
  parts.scratch = texts[kScratch];
  parts.scratch_limit = numbers.Uint64(kScratchLimit);
  parts.proxy_grant = texts[kProxyGrant];
  parts.mark = texts[kMark];
  parts.proxy_port = numbers.Uint32(kProxyPort);
  parts.proxy_control_port = numbers.Uint32(kProxyControlPort);
  const std::string roots = Entries(texts[kRoots]);
  const std::string watched = Entries(texts[kWatched]);
  parts.roots = roots;
  parts.watched = watched;
  if (spec.session) {
    const auto buffer = prologue.As<Napi::Buffer<char>>();
    parts.prologue = std::string_view(buffer.Data(), buffer.Length());
    parts.prologue_descriptor = numbers.Uint32(kPrologueDescriptor);
    parts.flags |= protocol::kSession;
  }
  parts.grace_ms = spec.grace_ms;
  parts.job_limit_ms = numbers.Uint64(kJobLimitMs);
  parts.job_output_limit = numbers.Uint64(kJobOutputLimit);
  if (spec.background) parts.flags |= protocol::kBackground;
  parts.rows = static_cast<uint16_t>(numbers.Uint32(kRows));
  parts.columns = static_cast<uint16_t>(numbers.Uint32(kColumns));
  if (parts.rows != 0) parts.flags |= protocol::kTerminal;
  parts.limits = numbers.Limits();
  if (spec.separate_streams) parts.flags |= protocol::kSeparateStreams;
  if (numbers.Flag(kConfined)) parts.flags |= protocol::kConfined;
  if (numbers.Flag(kSharedMemory)) parts.flags |= protocol::kSharedMemory;
  if (numbers.Flag(kLoopback)) parts.flags |= protocol::kLoopback;
  if (numbers.Flag(kUnixSockets)) parts.flags |= protocol::kOwnUnixSockets;
  if (numbers.Flag(kProbe)) parts.flags |= protocol::kProbe;
  if (numbers.Flag(kDurable)) parts.flags |= protocol::kDurableMark;
  if (IntrospectionDropped()) parts.flags |= protocol::kDropIntrospection;
  if (sys::InheritsOrphans()) parts.flags |= protocol::kHostInherits;
  if (input != nullptr) parts.flags |= protocol::kHasInput;
  spec.input = std::move(input);
  if (numbers.Flag(kConfined)) {
    sandbox::PathPolicy policy;
    policy.unreadable = Paths(texts[kUnreadable]);
    const auto gap = std::find(policy.unreadable.begin(), policy.unreadable.end(), "");
    if (gap != policy.unreadable.end()) {
      policy.usual.assign(std::make_move_iterator(gap + 1), std::make_move_iterator(policy.unreadable.end()));
      policy.unreadable.erase(gap, policy.unreadable.end());
    }
    policy.roots = Paths(texts[kRoots]);
    policy.scratch = texts[kScratch];
    policy.shared_memory = numbers.Flag(kSharedMemory);
    policy.terminal = parts.rows != 0;
    if (!TakeRuleset(rulesets, policy, &spec, &parts, refusal)) return std::nullopt;
  }
  spec.request = process::EncodeRequest(parts);
  return spec;
}

bool ToInput(const Napi::Value& value, std::shared_ptr<const sys::UniqueFd>* input) {
  sys::UniqueFd fd;
  if (value.IsBuffer()) {
    const auto buffer = value.As<Napi::Buffer<char>>();
    fd = sys::MakeMemoryFile({buffer.Data(), buffer.Length()}, "bashward-input");
  } else if (value.IsNumber()) {
    fd.reset(fcntl(value.As<Napi::Number>().Int32Value(), F_DUPFD_CLOEXEC, 0));
  } else {
    return true;
  }
  if (!fd.valid()) return false;
  *input = std::make_shared<const sys::UniqueFd>(std::move(fd));
  return true;
}

std::optional<process::JobPlan> ToJobPlan(const Napi::Value& value) {
  if (!value.IsArray()) return std::nullopt;
  const Napi::Array parts = value.As<Napi::Array>();
  process::JobPlan job;
  job.directory = parts.Get(0U).ToString().Utf8Value();
  job.description = parts.Get(1U).ToString().Utf8Value();
  job.output_limit = static_cast<uint64_t>(parts.Get(2U).ToNumber().DoubleValue());
  return job;
}

}  // namespace bashward::addon
