// What commands read: whether there is something in a descriptor of this process, and pipes to write it into.
#ifndef BASHWARD_NAPI_INPUT_H_
#define BASHWARD_NAPI_INPUT_H_

#include <napi.h>

namespace bashward::addon {

// isReadable(descriptor) → whether a read would not wait: there are bytes, or the end. False where nothing
// can be read at all, as of a socket that listens.
Napi::Value IsReadable(const Napi::CallbackInfo& info);

// makePipe() → [end to read from, end to write to], which no program inherits and which are JavaScript's to
// close; or the negative errno.
Napi::Value MakePipe(const Napi::CallbackInfo& info);

}  // namespace bashward::addon

#endif  // BASHWARD_NAPI_INPUT_H_
