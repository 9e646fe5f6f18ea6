// Code and data that this process has mapped from a file, made independent of that file.
#ifndef BASHWARD_SYS_OWN_MAPPING_H_
#define BASHWARD_SYS_OWN_MAPPING_H_

namespace bashward::sys {

// Puts copies in the place of all mappings of the file that `address` is mapped from. A private mapping shows
// what others write to its file, as long as this process has not written to the page itself: whoever may
// write to a loaded library writes to the code of those who have loaded it. Other threads may run in it
// meanwhile. False with errno when a part of it still belongs to the file.
bool DetachFromFile(const void* address);

}  // namespace bashward::sys

#endif  // BASHWARD_SYS_OWN_MAPPING_H_
