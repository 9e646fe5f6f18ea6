// Code and data of a loaded library, made independent of the file that they were loaded from.
#ifndef BASHWARD_SYS_OWN_MAPPING_H_
#define BASHWARD_SYS_OWN_MAPPING_H_

#include <link.h>

namespace bashward::sys {

// Puts anonymous copies in the place of all pages that the loader has mapped from the library's file. A
// private mapping is no copy: it shows what others write to the file, and a page that this process has
// written to is lost, too, when somebody truncates the file. To be called while nobody else writes to the
// library's data, as in a constructor of the library, which runs before any of its functions. `header` is
// where the library's file begins in memory. False with errno when a part still belongs to the file.
bool DetachFromFile(const ElfW(Ehdr) * header);

}  // namespace bashward::sys

#endif  // BASHWARD_SYS_OWN_MAPPING_H_
