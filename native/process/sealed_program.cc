#include "process/sealed_program.h"

#include <errno.h>

#include <mutex>
#include <utility>
#include <vector>

#include "sys/memory_copy.h"

namespace bashward::process {
namespace {

struct Program {
  std::string path;
  sys::UniqueFd copy;
  bool sealed = false;
};

// Few processes have more than one.
class Programs {
 public:
  // Null with errno when there is no copy of it.
  Program* Get(const std::string& path) {
    for (Program& program : list_) {
      if (program.path == path) return &program;
    }
    sys::UniqueFd copy = sys::CopyToMemory(path.c_str(), "bashward-supervisor");
    if (!copy.valid()) return nullptr;
    list_.push_back({path, std::move(copy)});
    return &list_.back();
  }

  std::mutex mutex;

 private:
  std::vector<Program> list_;
};

Programs& AllPrograms() {
  // Never destroyed: the reactor is not, either.
  static auto& programs = *new Programs;
  return programs;
}

}  // namespace

int CopyOfProgram(const std::string& path) {
  Programs& programs = AllPrograms();
  const std::lock_guard<std::mutex> lock(programs.mutex);
  const Program* const program = programs.Get(path);
  return program == nullptr ? -1 : program->copy.get();
}

int SealProgram(const std::string& path) {
  Programs& programs = AllPrograms();
  const std::lock_guard<std::mutex> lock(programs.mutex);
  Program* const program = programs.Get(path);
  if (program == nullptr) return errno;
  program->sealed = true;
  return 0;
}

bool IsSealed(const std::string& path) {
  Programs& programs = AllPrograms();
  const std::lock_guard<std::mutex> lock(programs.mutex);
  const Program* const program = programs.Get(path);
  return program != nullptr && program->sealed;
}

}  // namespace bashward::process
