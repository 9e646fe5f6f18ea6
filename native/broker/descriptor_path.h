// Paths in which "self" is whoever looks: they name a descriptor of the caller's, and in the broker would
// lead to one of its own. The C libraries' lchmod and fchmodat use them.
#ifndef BASHWARD_BROKER_DESCRIPTOR_PATH_H_
#define BASHWARD_BROKER_DESCRIPTOR_PATH_H_

#include <stdint.h>

namespace bashward::broker {

struct DescriptorPath {
  // The process or thread in the path where it is a number; 0 for the caller, by any other name.
  int64_t process;
  int64_t thread;  // in /proc/PID/task/TID; 0 where there is none
  int number;
  const char* rest;  // what follows, from its first slash on; empty where the descriptor itself is meant
};

// Of /proc/self/fd/N, /proc/thread-self/fd/N, /proc/PID/fd/N, the same with task/TID, /dev/fd/N, /dev/stdin,
// /dev/stdout and /dev/stderr, with or without a rest. False for any other path.
bool ParseDescriptorPath(const char* path, DescriptorPath* parsed);

}  // namespace bashward::broker

#endif  // BASHWARD_BROKER_DESCRIPTOR_PATH_H_
