// What watches over the writable roots and the sockets of a command, beside Landlock and the filter.
#ifndef BASHWARD_SUPERVISOR_CONFINEMENT_H_
#define BASHWARD_SUPERVISOR_CONFINEMENT_H_

#include <stdint.h>

#include "broker/broker.h"
#include "process/control_protocol.h"
#include "sandbox/writable_roots.h"
#include "supervisor/far_watch.h"
#include "supervisor/proxy_connection.h"
#include "supervisor/request.h"
#include "supervisor/sandbox_notes.h"
#include "supervisor/scratch.h"
#include "supervisor/watched_paths.h"

namespace bashward::supervisor {

// Whether the command can write, or have sockets: it needs a broker for that.
bool NeedsConfinement(const Request& request);

class Confinement {
 public:
  // Opens the roots of the request. False with the step that failed.
  bool Open(const Request& request, protocol::Failed* failure);
  // Before the shell starts: from here on every change in the roots may be the command's.
  bool Begin(const Request& request, const Scratch& scratch, protocol::Failed* failure);

  // Sends the host what has been refused since the last time; at the last, also what has changed of the
  // watched paths.
  void Report(bool is_last);
  // The same for a job, whose host may be gone: what has been refused since it became one.
  void BeginNotes(SandboxNotes* notes);
  void Note(bool is_last);

  // Readable when the proxy has refused something, or has ended; -1 without one.
  int proxy_fd() const { return proxy_.fd(); }
  void ReadProxy();

  sandbox::WritableRoots roots;
  broker::Broker broker;

 private:
  // False with errno.
  bool AddSharedMemory();
  // Calls tell(kind, value, text, size) for each denial from `*next` on.
  template <typename Tell>
  void TellDenials(uint32_t* next, Tell tell) const;
  template <typename Tell>
  void TellChanges(FarWatch::Until until, Tell tell);
  void Watch(const Request& request);

  WatchedPaths watched_;
  FarWatch* far_ = nullptr;  // what of them is on file systems that may not answer; null: nothing
  uint32_t far_paths_ = 0;
  uint32_t recorded_crossings_ = 0;
  ProxyConnection proxy_;
  uint32_t reported_denials_ = 0;
  uint32_t reported_dropped_ = 0;
  SandboxNotes* notes_ = nullptr;
  uint32_t noted_denials_ = 0;
  uint32_t dropped_before_notes_ = 0;
};

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_CONFINEMENT_H_
