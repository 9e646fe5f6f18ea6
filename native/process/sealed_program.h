// Programs that are executed from copies in memory, whatever becomes of their files.
#ifndef BASHWARD_PROCESS_SEALED_PROGRAM_H_
#define BASHWARD_PROCESS_SEALED_PROGRAM_H_

#include <string>

namespace bashward::process {

// A copy of the program in memory, made by the first call with its path and kept for good. -1 with errno when
// there is none; the next call tries again. From any thread.
int CopyOfProgram(const std::string& path);

// From now on no Launcher of this process executes the program's file, even where the copy may not be
// executed. 0, or the error number when there can be no copy. From any thread.
int SealProgram(const std::string& path);

bool IsSealed(const std::string& path);

}  // namespace bashward::process

#endif  // BASHWARD_PROCESS_SEALED_PROGRAM_H_
