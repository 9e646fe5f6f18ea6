// An addon whose every function is a mistake. A run without reports proves something only if these get
// reported.
#include <napi.h>

#include <thread>

namespace {

// Volatile, pointer and memory, so that the compiler neither sees the mistake nor leaves it out.

void HeapOverflow() {
  volatile char* volatile memory = new char[8];
  memory[8] = 1;
  delete[] memory;
}

void UseAfterFree() {
  volatile char* volatile memory = new char[8];
  delete[] memory;
  memory[0] = 1;
}

void SignedOverflow() {
  volatile int number = 2147483647;
  number = number + 1;
}

void Leak() {
  volatile char* volatile memory = new char[1000];
  memory[0] = 1;
}

template <void (*fault)()>
void Here(const Napi::CallbackInfo&) {
  fault();
}

template <void (*fault)()>
void InThread(const Napi::CallbackInfo&) {
  std::thread(fault).join();
}

Napi::Object Init(Napi::Env env, Napi::Object exports) {
  const auto add = [env, exports](const char* name, void (*function)(const Napi::CallbackInfo&)) {
    Napi::Object(exports).Set(name, Napi::Function::New(env, function));
  };
  add("heapOverflow", Here<HeapOverflow>);
  add("heapOverflowInThread", InThread<HeapOverflow>);
  add("useAfterFree", Here<UseAfterFree>);
  add("useAfterFreeInThread", InThread<UseAfterFree>);
  add("signedOverflow", Here<SignedOverflow>);
  add("signedOverflowInThread", InThread<SignedOverflow>);
  add("leak", Here<Leak>);
  return exports;
}

}  // namespace

NODE_API_MODULE(faulty, Init)
