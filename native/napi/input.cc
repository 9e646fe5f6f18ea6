#include "napi/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace bashward::addon {
namespace {

bool CanBeRead(int descriptor) {
  pollfd polled{descriptor, POLLIN, 0};
  int count;
  do count = poll(&polled, 1, 0);
  while (count < 0 && errno == EINTR);
  if (count != 1 || (polled.revents & (POLLIN | POLLHUP)) == 0) return false;
  // A socket that listens polls as readable when somebody connects, and has no bytes.
  int bytes = 0;
  return ioctl(descriptor, FIONREAD, &bytes) == 0;
}

}  // namespace

Napi::Value IsReadable(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), CanBeRead(info[0].As<Napi::Number>().Int32Value()));
}

Napi::Value MakePipe(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return Napi::Number::New(env, -errno);
  const Napi::Array pair = Napi::Array::New(env, 2);
  pair.Set(0U, Napi::Number::New(env, ends[0]));
  pair.Set(1U, Napi::Number::New(env, ends[1]));
  return pair;
}

}  // namespace bashward::addon
