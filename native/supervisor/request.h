// Receiving the request: one mapping holds its text, argv and envp.
#ifndef BASHWARD_SUPERVISOR_REQUEST_H_
#define BASHWARD_SUPERVISOR_REQUEST_H_

#include <stddef.h>
#include <stdint.h>

#include "process/control_protocol.h"

namespace bashward::supervisor {

struct Request {
  protocol::Request header;
  char* shell;
  char* command;
  size_t command_length;  // without the NUL
  char* directory;
  // Empty when there is none.
  char* job_directory;
  char* job_description;
  char* prologue;
  size_t prologue_length;
  char* scratch;      // empty when there is none
  char* proxy_grant;  // empty when there is none
  size_t proxy_grant_length;
  char* mark;           // empty when there is none
  const char* roots;    // header.root_count texts, each ended by a NUL
  const char* watched;  // header.watched_count texts, each ended by a NUL
  char** environment;   // as execve wants it
};

// The job that survivors become.
struct Adoption {
  const char* directory;
  const char* description;
  uint64_t output_limit;  // bytes
};

// The job that a command becomes while it runs.
struct HandOver {
  Adoption job;
  uint64_t limit_ms;      // the time limit of the command; 0: none
  uint64_t remaining_ms;  // of it
};

// Reads the first message of the control socket. False with errno; 0 when the host is gone or is not ours.
bool ReceiveRequest(Request* request);

// Reads the body of a Release, of `size` bytes. False with errno as above; also when there is no memory for
// it.
bool ReceiveAdoption(uint32_t size, Adoption* adoption);

// The same for the body of a Prepare.
bool ReceiveHandOver(uint32_t size, HandOver* plan);

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_REQUEST_H_
