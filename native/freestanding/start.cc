// The entry point, and the one function that C cannot express: a clone whose child runs on another stack.
#include <linux/sched.h>
#include <sys/syscall.h>

int main();

extern "C" [[noreturn]] __attribute__((used)) void BashwardStart() {
  main();  // ends the process itself
  __builtin_trap();
}

#if defined(__x86_64__)

asm(R"(
.text
.globl _start
_start:
  xor %ebp, %ebp
  and $-16, %rsp
  call BashwardStart

# int clone(int (*function)(void*), void* stack, int flags, void* argument, int* pidfd, void*, void*)
# clone(2) takes: rdi flags, rsi stack, rdx parent_tid (the pidfd), r10 child_tid, r8 tls
.globl clone
.type clone, @function
clone:
  and $-16, %rsi
  sub $16, %rsi
  mov %rdi, 0(%rsi)
  mov %rcx, 8(%rsi)
  movslq %edx, %rdi
  mov %r8, %rdx
  xor %r10d, %r10d
  xor %r8d, %r8d
  mov $56, %eax
  syscall
  test %rax, %rax
  jz 1f
  mov %rax, %rdi
  jmp BashwardResult
1:
  xor %ebp, %ebp
  pop %rax
  pop %rdi
  call *%rax
  mov %eax, %edi
  mov $60, %eax
  syscall
  hlt
.size clone, .-clone
)");

#elif defined(__aarch64__)

asm(R"(
.text
.globl _start
_start:
  mov x29, #0
  mov x30, #0
  mov x9, sp
  and sp, x9, #-16
  bl BashwardStart

// int clone(int (*function)(void*), void* stack, int flags, void* argument, int* pidfd, void*, void*)
// clone(2) takes: x0 flags, x1 stack, x2 parent_tid (the pidfd), x3 tls, x4 child_tid
.globl clone
.type clone, %function
clone:
  and x1, x1, #-16
  mov x10, x0
  mov x11, x3
  sxtw x0, w2
  mov x2, x4
  mov x3, #0
  mov x4, #0
  mov x8, #220
  svc #0
  cbz x0, 1f
  b BashwardResult
1:
  mov x29, #0
  mov x0, x11
  blr x10
  mov x8, #93
  svc #0
  brk #0
.size clone, .-clone
)");

#endif
