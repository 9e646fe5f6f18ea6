#include "process/request_encoding.h"

#include <algorithm>

namespace bashward::process {
namespace {

uint32_t CountEntries(std::string_view entries) {
  return static_cast<uint32_t>(std::count(entries.begin(), entries.end(), '\0'));
}

}  // namespace

std::string EncodeRequest(const RequestParts& parts) {
  protocol::Request request{};
  request.magic = protocol::kMagic;
  request.flags = parts.flags;
  request.shell_size = static_cast<uint32_t>(parts.shell.size() + 1);
  request.command_size = static_cast<uint32_t>(parts.command.size() + 1);
  request.directory_size = static_cast<uint32_t>(parts.directory.size() + 1);
  request.job_directory_size = static_cast<uint32_t>(parts.job_directory.size() + 1);
  request.job_description_size = static_cast<uint32_t>(parts.job_description.size() + 1);
  request.prologue_size = static_cast<uint32_t>(parts.prologue.size() + 1);
  request.prologue_descriptor = parts.prologue_descriptor;
  request.scratch_size = static_cast<uint32_t>(parts.scratch.size() + 1);
  request.scratch_limit = parts.scratch_limit;
  request.proxy_grant_size = static_cast<uint32_t>(parts.proxy_grant.size() + 1);
  request.mark_size = static_cast<uint32_t>(parts.mark.size() + 1);
  request.proxy_port = parts.proxy_port;
  request.proxy_control_port = parts.proxy_control_port;
  request.rows = parts.rows;
  request.columns = parts.columns;
  request.grace_ms = parts.grace_ms;
  request.job_limit_ms = parts.job_limit_ms;
  request.job_output_limit = parts.job_output_limit;
  request.roots_size = static_cast<uint32_t>(parts.roots.size());
  request.root_count = CountEntries(parts.roots);
  request.roots_that_may_hang = parts.roots_that_may_hang;
  request.watched_size = static_cast<uint32_t>(parts.watched.size());
  request.watched_count = CountEntries(parts.watched);
  request.environment_size = static_cast<uint32_t>(parts.environment.size() + parts.variables.size());
  request.environment_count = CountEntries(parts.environment) + CountEntries(parts.variables);
  request.limit_count = static_cast<uint32_t>(std::min<size_t>(parts.limits.size(), protocol::kMaxLimits));
  std::copy_n(parts.limits.begin(), request.limit_count, request.limits);

  std::string encoded;
  const std::string_view blocks[] = {parts.shell,         parts.command,         parts.directory,
                                     parts.job_directory, parts.job_description, parts.prologue,
                                     parts.scratch,       parts.proxy_grant,     parts.mark};
  size_t size = sizeof request + parts.roots.size() + parts.watched.size() + request.environment_size;
  for (const std::string_view block : blocks) size += block.size() + 1;
  encoded.reserve(size);
  encoded.append(reinterpret_cast<const char*>(&request), sizeof request);
  for (const std::string_view block : blocks) encoded.append(block).push_back('\0');
  encoded.append(parts.roots).append(parts.watched).append(parts.environment).append(parts.variables);
  return encoded;
}

std::string EncodeAdoption(std::string_view directory, std::string_view description, uint64_t output_limit) {
  const protocol::Adoption adoption{output_limit, static_cast<uint32_t>(directory.size() + 1),
                                    static_cast<uint32_t>(description.size() + 1)};
  std::string encoded(reinterpret_cast<const char*>(&adoption), sizeof adoption);
  encoded.append(directory).push_back('\0');
  encoded.append(description).push_back('\0');
  return encoded;
}

std::string EncodeHandOver(const protocol::HandOver& times, std::string_view adoption) {
  std::string encoded(reinterpret_cast<const char*>(&times), sizeof times);
  encoded.append(adoption);
  return encoded;
}

}  // namespace bashward::process
