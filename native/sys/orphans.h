// Who inherits the orphans that other processes leave.
#ifndef BASHWARD_SYS_ORPHANS_H_
#define BASHWARD_SYS_ORPHANS_H_

#include <sys/prctl.h>
#include <unistd.h>

namespace bashward::sys {

// Whether this process may inherit those of its descendants: it is init of its PID namespace, or a
// subreaper. Then nobody else waits for them.
inline bool InheritsOrphans() {
  int subreaper = 0;
  return getpid() == 1 || (prctl(PR_GET_CHILD_SUBREAPER, &subreaper, 0, 0, 0) == 0 && subreaper != 0);
}

}  // namespace bashward::sys

#endif  // BASHWARD_SYS_ORPHANS_H_
