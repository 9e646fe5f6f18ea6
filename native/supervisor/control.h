// The supervisor's end of the control socket: blocking, whole messages.
#ifndef BASHWARD_SUPERVISOR_CONTROL_H_
#define BASHWARD_SUPERVISOR_CONTROL_H_

#include <stddef.h>

#include "process/control_protocol.h"

namespace bashward::supervisor {

// False with errno; 0 at the end of the stream: the host is gone.
bool ReceiveAll(void* data, size_t size);

// A host that is gone is noticed when its end of the stream is read, not here. With a small message the host
// can be given a copy of a descriptor; -1 for none.
void SendMessage(protocol::MessageType type, const void* body, size_t size, int descriptor = -1);

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_CONTROL_H_
