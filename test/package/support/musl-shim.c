// What a libstdc++ built for glibc needs from its C library and musl does not have. It is named like glibc's loader,
// which that libstdc++ wants, too. Enough for a program that was built for musl and brings no libstdc++ of its own,
// where no musl system is at hand; nothing for real use.
#include <stddef.h>

struct tm;
typedef struct __locale_struct* locale_t;
size_t strftime_l(char*, size_t, const char*, const struct tm*, locale_t);
long getrandom(void*, size_t, unsigned);

char __libc_single_threaded = 0;
unsigned __cpu_model[4];

int __cpu_indicator_init(void) { return 0; }

// Not found: the caller goes on with dl_iterate_phdr.
int _dl_find_object(void* address, void* result) { return (void)address, (void)result, -1; }

// Destructors of thread-local objects do not run.
int __cxa_thread_atexit_impl(void (*destructor)(void*), void* object, void* handle) {
  return (void)destructor, (void)object, (void)handle, 0;
}

unsigned arc4random(void) {
  unsigned value = 0;
  getrandom(&value, sizeof value, 0);
  return value;
}

size_t __strftime_l(char* text, size_t size, const char* format, const struct tm* time, locale_t locale) {
  return strftime_l(text, size, format, time, locale);
}
