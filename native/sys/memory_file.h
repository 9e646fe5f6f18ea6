// Bytes in a file that has no name.
#ifndef BASHWARD_SYS_MEMORY_FILE_H_
#define BASHWARD_SYS_MEMORY_FILE_H_

#include <string_view>

#include "sys/unique_fd.h"

namespace bashward::sys {

// A sealed memory file with these bytes, to be read from its beginning; close-on-exec. `name` is what /proc
// shows. Invalid with errno on failure.
UniqueFd MakeMemoryFile(std::string_view bytes, const char* name);

}  // namespace bashward::sys

#endif  // BASHWARD_SYS_MEMORY_FILE_H_
