// The body of a protocol::Request, from its parts.
#ifndef BASHWARD_PROCESS_REQUEST_ENCODING_H_
#define BASHWARD_PROCESS_REQUEST_ENCODING_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "process/control_protocol.h"

namespace bashward::process {

struct RequestParts {
  std::string_view shell;  // absolute path
  std::string_view command;
  std::string_view directory;        // absolute path
  std::string_view job_directory;    // of a background job; empty: none
  std::string_view job_description;  // the beginning of job.json
  std::string_view prologue;         // of a session; empty: none
  std::string_view scratch;          // a directory to be made; empty: none
  std::string_view proxy_grant;      // what the proxy is sent first; empty: none
  std::string_view mark;             // of the call; empty: none
  std::string_view roots;            // absolute paths, each ended by a NUL
  std::string_view watched;          // paths in each root, each ended by a NUL
  std::string_view environment;      // NAME=value entries, each ended by a NUL
  std::string_view variables;        // more of them, which follow those
  uint32_t prologue_descriptor = 0;  // of the shell of a session
  uint32_t roots_that_may_hang = 0;  // a bit for each
  uint32_t grace_ms = 0;
  uint32_t proxy_port = 0;  // 0: none
  uint32_t proxy_control_port = 0;
  uint16_t rows = 0;  // of a terminal; 0: none
  uint16_t columns = 0;
  uint64_t scratch_limit = 0;
  uint64_t job_limit_ms = 0;
  uint64_t job_output_limit = 0;
  std::vector<protocol::Limit> limits;  // at most kMaxLimits are sent
  uint32_t flags = 0;                   // protocol::RequestFlags
};

// The parts must not contain NULs but those that end entries: the caller has checked that.
std::string EncodeRequest(const RequestParts& parts);

// The body of a protocol::Adoption. Neither text may contain a NUL.
std::string EncodeAdoption(std::string_view directory, std::string_view description, uint64_t output_limit);

// The body of a Prepare: a protocol::HandOver, and an Adoption with its texts.
std::string EncodeHandOver(const protocol::HandOver& times, std::string_view adoption);

}  // namespace bashward::process

#endif  // BASHWARD_PROCESS_REQUEST_ENCODING_H_
