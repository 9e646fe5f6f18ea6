// The control port of a proxy that says what a test tells it to.
#ifndef BASHWARD_TEST_SUPPORT_SCRIPTED_PROXY_H_
#define BASHWARD_TEST_SUPPORT_SCRIPTED_PROXY_H_

#include <cstdint>
#include <string>
#include <thread>

#include "sys/unique_fd.h"

namespace bashward::test {

// For one connection.
class ScriptedProxy {
 public:
  ScriptedProxy();
  ~ScriptedProxy();
  ScriptedProxy(const ScriptedProxy&) = delete;
  ScriptedProxy& operator=(const ScriptedProxy&) = delete;

  uint16_t port() const { return port_; }

  // From a thread: takes the connection, and says this once a line has come.
  void Answer(const std::string& answer);
  // Until that has happened. Only afterwards the rest:
  void Wait() { thread_.join(); }
  const std::string& received() const { return received_; }
  void Say(const std::string& text) const;
  // Whether the other end holds the connection, and has said nothing more.
  bool IsHeld() const;
  void Close() { client_.reset(); }

 private:
  sys::UniqueFd server_;
  sys::UniqueFd client_;
  uint16_t port_ = 0;
  std::string received_;
  std::thread thread_;
};

}  // namespace bashward::test

#endif  // BASHWARD_TEST_SUPPORT_SCRIPTED_PROXY_H_
