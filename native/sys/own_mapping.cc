#include "sys/own_mapping.h"

#include <elf.h>
#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

namespace bashward::sys {
namespace {

struct Range {
  uintptr_t start = 0;
  uintptr_t end = 0;

  size_t size() const { return end - start; }
  void* address() const { return reinterpret_cast<void*>(start); }
};

// As the loader rounds them.
class Pages {
 public:
  explicit Pages(const ElfW(Ehdr) * header) : page_(static_cast<uintptr_t>(sysconf(_SC_PAGESIZE))) {
    const auto begin = reinterpret_cast<uintptr_t>(header);
    headers_ = reinterpret_cast<const ElfW(Phdr)*>(begin + header->e_phoff);
    count_ = header->e_phnum;
    for (const ElfW(Phdr) & each : *this) {
      if (each.p_type == PT_LOAD && each.p_offset == 0) bias_ = begin - each.p_vaddr;
    }
  }

  const ElfW(Phdr) * begin() const { return headers_; }
  const ElfW(Phdr) * end() const { return headers_ + count_; }
  // Behind what is in the file there are zeros, which are anonymous from their first whole page on.
  Range FromFile(const ElfW(Phdr) & segment) const {
    const uintptr_t start = bias_ + segment.p_vaddr;
    return {Down(start), Down(start + segment.p_filesz + page_ - 1)};
  }
  Range ReadOnlyAfterRelocation(const ElfW(Phdr) & segment) const {
    const uintptr_t start = bias_ + segment.p_vaddr;
    return {Down(start), Down(start + segment.p_memsz)};
  }

 private:
  uintptr_t Down(uintptr_t address) const { return address & ~(page_ - 1); }

  uintptr_t page_;
  uintptr_t bias_ = 0;
  const ElfW(Phdr) * headers_;
  size_t count_;
};

int ProtectionOf(const ElfW(Phdr) & segment) {
  return ((segment.p_flags & PF_R) != 0 ? PROT_READ : 0) | ((segment.p_flags & PF_W) != 0 ? PROT_WRITE : 0) |
         ((segment.p_flags & PF_X) != 0 ? PROT_EXEC : 0);
}

// Not memcpy(): sanitizers would find the gaps that they have put between variables. Volatile, or the
// compiler makes a memcpy() of it.
__attribute__((no_sanitize("address", "thread", "undefined"))) void Copy(const Range& range, void* target) {
  const auto* from = reinterpret_cast<const volatile uint64_t*>(range.start);
  auto* to = static_cast<volatile uint64_t*>(target);
  for (size_t i = 0; i < range.size() / sizeof(uint64_t); ++i) to[i] = from[i];
}

// Whoever runs in it sees the same bytes before and afterwards: the kernel exchanges the mapping in one step.
bool ReplaceByCopy(const Range& range, int protection) {
  void* const copy =
      mmap(nullptr, range.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (copy == MAP_FAILED) return false;
  Copy(range, copy);
  auto* const bytes = static_cast<char*>(copy);
  __builtin___clear_cache(bytes, bytes + range.size());
  if (mprotect(copy, range.size(), protection) == 0 &&
      mremap(copy, range.size(), range.size(), MREMAP_MAYMOVE | MREMAP_FIXED, range.address()) !=
          MAP_FAILED) {
    return true;
  }
  const int error = errno;
  munmap(copy, range.size());
  errno = error;
  return false;
}

}  // namespace

bool DetachFromFile(const ElfW(Ehdr) * header) {
  const Pages pages(header);
  for (const ElfW(Phdr) & each : pages) {
    if (each.p_type != PT_LOAD || each.p_filesz == 0) continue;
    if (!ReplaceByCopy(pages.FromFile(each), ProtectionOf(each))) return false;
  }
  for (const ElfW(Phdr) & each : pages) {
    if (each.p_type != PT_GNU_RELRO) continue;
    const Range range = pages.ReadOnlyAfterRelocation(each);
    if (range.size() > 0 && mprotect(range.address(), range.size(), PROT_READ) != 0) return false;
  }
  return true;
}

}  // namespace bashward::sys
