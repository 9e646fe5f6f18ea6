#include "supervisor/waiting/descendant_list.h"

#include <fcntl.h>

#include "sys/procfs.h"

namespace bashward::supervisor {
namespace {

namespace kernel = broker::kernel;

// Static: there is one thread that looks.
sys::PidList pids;

// Adds those of all its threads. False where the kernel has no such files, or the process has ended.
bool CollectChildren(pid_t pid, LookBudget* budget) {
  const auto directory = util::ProcPath() << "/proc/" << pid << "/task";
  return VisitNumbers(directory.c_str(), [&](int thread) {
    const auto path = util::ProcPath() << "/proc/" << pid << "/task/" << thread << "/children";
    const kernel::Descriptor file = kernel::OpenOwn(path.c_str(), O_RDONLY);
    // A thread may have ended meanwhile.
    if (!file.valid()) return budget->HasTime();
    char text[4096];
    pid_t number = 0;
    long count = 0;
    while (budget->HasTime() && (count = kernel::Call(SYS_read, file.get(), text, sizeof text)) > 0) {
      for (long i = 0; i < count; ++i) {
        if (util::IsDigit(text[i])) {
          number = number * 10 + (text[i] - '0');
        } else if (number != 0) {
          if (!pids.Add(number)) budget->Exceed();
          number = 0;
        }
      }
    }
    return budget->HasTime();
  });
}

}  // namespace

bool CollectDescendants(pid_t root, LookBudget* budget) {
  pids.Clear();
  if (!CollectChildren(root, budget)) return false;
  for (size_t i = 0; i < pids.size() && budget->HasTime(); ++i) CollectChildren(pids[i], budget);
  return true;
}

size_t DescendantCount() {
  return pids.size();
}

pid_t Descendant(size_t i) {
  return pids[i];
}

}  // namespace bashward::supervisor
