// The processes below this one, as a look finds them.
#ifndef BASHWARD_SUPERVISOR_WAITING_DESCENDANT_LIST_H_
#define BASHWARD_SUPERVISOR_WAITING_DESCENDANT_LIST_H_

#include <stddef.h>
#include <sys/types.h>

#include "supervisor/waiting/proc_text.h"

namespace bashward::supervisor {

// Lists them anew. False where the kernel does not tell (CONFIG_PROC_CHILDREN); beyond the budget if there
// are more than are listed.
bool CollectDescendants(pid_t root, LookBudget* budget);
size_t DescendantCount();
pid_t Descendant(size_t i);

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_WAITING_DESCENDANT_LIST_H_
