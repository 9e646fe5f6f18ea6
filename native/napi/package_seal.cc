#include "napi/package_seal.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <time.h>

#include <atomic>
#include <mutex>
#include <string>

#include "process/sealed_program.h"
#include "sys/own_mapping.h"

// Where the linker has put the beginning of the addon's file.
extern "C" __attribute__((visibility("hidden"))) const ElfW(Ehdr) __ehdr_start;

namespace bashward::addon {
namespace {

// Of the attempt to make the addon independent of its file.
int detach_errno = 0;

// The loader calls it before anything else in the addon runs, once for each process.
__attribute__((constructor)) void DetachAddon() {
  Dl_info library{};
  if (dladdr(&__ehdr_start, &library) != 0) {
    // Kept open for good. The loader tells libraries apart by the numbers of their files: with nothing mapped
    // from it, the number of a deleted file would go to another, and that library could no longer be loaded.
    static_cast<void>(open(library.dli_fname, O_PATH | O_CLOEXEC));
  }
  if (!sys::DetachFromFile(&__ehdr_start)) detach_errno = errno;
}

// Of all threads.
struct Seal {
  std::mutex mutex;
  std::atomic<double> at{0};
  std::string sources;  // never changes once there is a time
};

Seal& TheSeal() {
  // Never destroyed: other threads may ask while the process ends.
  static auto& seal = *new Seal;
  return seal;
}

double MonotonicMilliseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

}  // namespace

Napi::Value CopySupervisor(const Napi::CallbackInfo& info) {
  process::CopyOfProgram(info[0].As<Napi::String>().Utf8Value());
  return info.Env().Undefined();
}

Napi::Value SealPackage(const Napi::CallbackInfo& info) {
  const int error =
      detach_errno != 0 ? detach_errno : process::SealProgram(info[0].As<Napi::String>().Utf8Value());
  Seal& seal = TheSeal();
  const std::lock_guard<std::mutex> lock(seal.mutex);
  if (error == 0 && seal.at == 0) {
    seal.sources = info[1].As<Napi::String>().Utf8Value();
    seal.at = MonotonicMilliseconds();
  }
  return Napi::Number::New(info.Env(), error);
}

Napi::Value SealedAt(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), TheSeal().at);
}

Napi::Value SealedSources(const Napi::CallbackInfo& info) {
  Seal& seal = TheSeal();
  const std::lock_guard<std::mutex> lock(seal.mutex);
  return Napi::String::New(info.Env(), seal.sources);
}

}  // namespace bashward::addon
