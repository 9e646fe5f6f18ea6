// Which sockets the processes of the command still have. For those that the broker holds itself, nothing else
// tells that their program has closed them: one that only looked for a free port, say.
#ifndef BASHWARD_BROKER_SOCKETS_OPEN_SOCKETS_H_
#define BASHWARD_BROKER_SOCKETS_OPEN_SOCKETS_H_

#include "broker/sockets/own_sockets.h"

namespace bashward::broker {

// Forgets the bound ones that no descendant of this process has a descriptor of. A descendant that hides its
// descriptors has none.
void ForgetUnusedBound(OwnSockets* sockets);

}  // namespace bashward::broker

#endif  // BASHWARD_BROKER_SOCKETS_OPEN_SOCKETS_H_
