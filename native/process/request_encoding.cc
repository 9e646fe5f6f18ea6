#include "process/request_encoding.h"

#include <algorithm>

namespace bashward::process {

std::string EncodeRequest(const RequestParts& parts) {
  protocol::Request request{};
  request.magic = protocol::kMagic;
  request.flags = parts.flags;
  request.shell_size = static_cast<uint32_t>(parts.shell.size() + 1);
  request.command_size = static_cast<uint32_t>(parts.command.size() + 1);
  request.directory_size = static_cast<uint32_t>(parts.directory.size() + 1);
  request.environment_size = static_cast<uint32_t>(parts.environment.size());
  request.environment_count =
      static_cast<uint32_t>(std::count(parts.environment.begin(), parts.environment.end(), '\0'));
  request.limit_count = static_cast<uint32_t>(std::min<size_t>(parts.limits.size(), protocol::kMaxLimits));
  std::copy_n(parts.limits.begin(), request.limit_count, request.limits);

  std::string encoded;
  encoded.reserve(sizeof request + request.shell_size + request.command_size + request.directory_size +
                  request.environment_size);
  encoded.append(reinterpret_cast<const char*>(&request), sizeof request);
  encoded.append(parts.shell).push_back('\0');
  encoded.append(parts.command).push_back('\0');
  encoded.append(parts.directory).push_back('\0');
  encoded.append(parts.environment);
  return encoded;
}

}  // namespace bashward::process
