// Keeps the C++ library's demangler out of the addon. It weighs as much as a sixth of our code, and nothing
// reaches it but the message of an exception that nobody catches; that message then has the mangled name.

#include <cstddef>

// https://itanium-cxx-abi.github.io/cxx-abi/abi.html#demangler
extern "C" char* __cxa_demangle(const char*, char*, size_t*, int* status) {
  constexpr int kNotAMangledName = -2;
  if (status != nullptr) *status = kNotAMangledName;
  return nullptr;
}
