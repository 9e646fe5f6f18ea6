// The supervisor's connection to the proxy of its command. What it asks for there is granted as long as the
// connection lasts: it is held for all that is left of the command, jobs and survivors included.
#ifndef BASHWARD_SUPERVISOR_PROXY_CONNECTION_H_
#define BASHWARD_SUPERVISOR_PROXY_CONNECTION_H_

#include <stddef.h>
#include <stdint.h>

#include "broker/denial_log.h"
#include "process/control_protocol.h"
#include "supervisor/request.h"
#include "sys/unique_fd.h"

namespace bashward::supervisor {

class ProxyConnection {
 public:
  // Sends the grant of the request and waits until the proxy agrees, for some seconds. False with what
  // failed.
  bool Open(const Request& request, protocol::Failed* failure);

  // Readable when the proxy has something to say; -1 without one, or when it has ended.
  int fd() const { return fd_.get(); }
  // Reads what it has refused so far. False once the proxy has ended, which becomes a denial that names no
  // host.
  bool Read(broker::DenialLog* denials);

 private:
  void TakeLine(broker::DenialLog* denials);

  sys::UniqueFd fd_;
  // A line that has not come whole yet; what is longer is cut off.
  static constexpr size_t kMaxLine = 512;
  char line_[kMaxLine];
  size_t line_size_ = 0;
};

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_PROXY_CONNECTION_H_
