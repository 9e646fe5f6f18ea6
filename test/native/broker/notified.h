// A forked process whose system calls are notified to this one, as those of a command are to its broker.
#ifndef BASHWARD_TEST_BROKER_NOTIFIED_H_
#define BASHWARD_TEST_BROKER_NOTIFIED_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "broker/denial_log.h"

namespace bashward::test {

// Runs `body` in a forked process whose calls of these numbers are notified, and `answer` here with the
// listener of them. What `body` expects fails here, too. The caller must be the only thread of its process.
void RunNotified(const std::vector<uint32_t>& calls, const std::function<void()>& body,
                 const std::function<void(int listener)>& answer);

// "OPERATION TARGET" of each.
std::vector<std::string> TextsOf(const broker::DenialLog& denials);

}  // namespace bashward::test

#endif  // BASHWARD_TEST_BROKER_NOTIFIED_H_
