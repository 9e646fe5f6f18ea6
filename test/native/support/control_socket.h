// The supervisor's half of the control socket in a forked process, where the supervisor has it: at
// kControlFd.
#ifndef BASHWARD_TEST_SUPPORT_CONTROL_SOCKET_H_
#define BASHWARD_TEST_SUPPORT_CONTROL_SOCKET_H_

#include <functional>
#include <string>

namespace bashward::test {

// Runs `body` in a forked process whose control socket gives `incoming` and then its end. Returns what that
// process sent on it.
std::string WithControlSocket(const std::string& incoming, const std::function<void()>& body);

}  // namespace bashward::test

#endif  // BASHWARD_TEST_SUPPORT_CONTROL_SOCKET_H_
