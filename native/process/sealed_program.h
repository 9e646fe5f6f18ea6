// Programs that are executed from memory from some moment on, whatever becomes of their files.
#ifndef BASHWARD_PROCESS_SEALED_PROGRAM_H_
#define BASHWARD_PROCESS_SEALED_PROGRAM_H_

#include <string>

namespace bashward::process {

// Copies the program to memory, for good. From then on every Launcher of this process executes the copy. 0,
// or the error number. From any thread.
int SealProgram(const std::string& path);

// The copy; -1 when there is none.
int SealedProgram(const std::string& path);

}  // namespace bashward::process

#endif  // BASHWARD_PROCESS_SEALED_PROGRAM_H_
