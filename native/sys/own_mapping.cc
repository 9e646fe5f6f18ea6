#include "sys/own_mapping.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <memory>
#include <vector>

namespace bashward::sys {
namespace {

struct Mapping {
  uintptr_t start = 0;
  uintptr_t end = 0;
  char rights[5] = {};  // such as r-xp
  // Of the file; 0 and 0:0 when there is none.
  uint64_t inode = 0;
  unsigned major = 0;
  unsigned minor = 0;

  size_t size() const { return end - start; }
  int protection() const {
    return (rights[0] == 'r' ? PROT_READ : 0) | (rights[1] == 'w' ? PROT_WRITE : 0) |
           (rights[2] == 'x' ? PROT_EXEC : 0);
  }
  bool IsOfSameFile(const Mapping& other) const {
    return inode == other.inode && major == other.major && minor == other.minor;
  }
};

struct CloseFile {
  void operator()(FILE* file) const { fclose(file); }
};

std::vector<Mapping> ReadMappings() {
  std::vector<Mapping> mappings;
  const std::unique_ptr<FILE, CloseFile> file(fopen("/proc/self/maps", "re"));
  if (file == nullptr) return mappings;
  char* line = nullptr;
  size_t capacity = 0;
  while (getline(&line, &capacity, file.get()) >= 0) {
    Mapping mapping;
    if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s %*x %x:%x %" SCNu64, &mapping.start, &mapping.end,
               mapping.rights, &mapping.major, &mapping.minor, &mapping.inode) == 6) {
      mappings.push_back(mapping);
    }
  }
  free(line);
  return mappings;
}

// A write gives this process a page of its own. Others may write to it at this moment.
void TouchPages(const Mapping& mapping) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  for (uintptr_t address = mapping.start; address < mapping.end; address += page) {
    // Volatile: adding nothing must remain a write.
    __atomic_fetch_add(reinterpret_cast<volatile unsigned char*>(address), 0, __ATOMIC_RELAXED);
  }
}

// Nobody writes to it. Whoever runs in it sees the same bytes before and afterwards: the kernel exchanges the
// mapping in one step.
bool ReplaceByCopy(const Mapping& mapping) {
  void* const copy =
      mmap(nullptr, mapping.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (copy == MAP_FAILED) return false;
  memcpy(copy, reinterpret_cast<const void*>(mapping.start), mapping.size());
  char* const bytes = static_cast<char*>(copy);
  __builtin___clear_cache(bytes, bytes + mapping.size());
  if (mprotect(copy, mapping.size(), mapping.protection()) == 0 &&
      mremap(copy, mapping.size(), mapping.size(), MREMAP_MAYMOVE | MREMAP_FIXED,
             reinterpret_cast<void*>(mapping.start)) != MAP_FAILED) {
    return true;
  }
  const int error = errno;
  munmap(copy, mapping.size());
  errno = error;
  return false;
}

}  // namespace

bool DetachFromFile(const void* address) {
  errno = ENOENT;
  const std::vector<Mapping> mappings = ReadMappings();
  const auto wanted = reinterpret_cast<uintptr_t>(address);
  const Mapping* of_address = nullptr;
  for (const Mapping& mapping : mappings) {
    if (mapping.start <= wanted && wanted < mapping.end) of_address = &mapping;
  }
  if (of_address == nullptr) return false;
  if (of_address->inode == 0) return true;  // done before
  for (const Mapping& mapping : mappings) {
    if (!mapping.IsOfSameFile(*of_address)) continue;
    const int protection = mapping.protection();
    if ((protection & PROT_WRITE) != 0) {
      TouchPages(mapping);
    } else if ((protection & PROT_READ) != 0 && !ReplaceByCopy(mapping)) {
      return false;
    }
  }
  return true;
}

}  // namespace bashward::sys
