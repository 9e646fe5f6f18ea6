#include "process/sealed_program.h"

#include <errno.h>

#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "sys/memory_copy.h"

namespace bashward::process {
namespace {

struct Sealed {
  std::string path;
  sys::UniqueFd copy;
};

struct SealedPrograms {
  std::atomic<bool> any{false};
  std::mutex mutex;
  std::vector<Sealed> list;

  int Find(const std::string& path) const {
    for (const Sealed& sealed : list) {
      if (sealed.path == path) return sealed.copy.get();
    }
    return -1;
  }
};

SealedPrograms& Programs() {
  // Never destroyed: the reactor is not, either.
  static auto& programs = *new SealedPrograms;
  return programs;
}

}  // namespace

int SealProgram(const std::string& path) {
  SealedPrograms& programs = Programs();
  const std::lock_guard<std::mutex> lock(programs.mutex);
  if (programs.Find(path) >= 0) return 0;
  sys::UniqueFd copy = sys::CopyToMemory(path.c_str(), "bashward-supervisor");
  if (!copy.valid()) return errno;
  programs.list.push_back({path, std::move(copy)});
  programs.any = true;
  return 0;
}

int SealedProgram(const std::string& path) {
  SealedPrograms& programs = Programs();
  if (!programs.any) return -1;
  const std::lock_guard<std::mutex> lock(programs.mutex);
  return programs.Find(path);
}

}  // namespace bashward::process
