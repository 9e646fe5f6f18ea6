// What programs say when they get no more memory or processes, in their own words.
import { exhaustedResource } from '../../lib/sandbox/exhausted-resource.js'

const stackTrace = '    at frame (somewhere in the program:12:34)\n'.repeat(200)

describe('exhaustedResource', () => {
  test.each([
    ['bash', 'bash: xrealloc: cannot allocate 79609856 bytes\n'],
    ['bash, at a fork', 'bash: fork: Cannot allocate memory\n'],
    ['coreutils', 'sort: memory exhausted\n'],
    ['gcc', 'virtual memory exhausted: Cannot allocate memory\n'],
    ['cc1', 'cc1: out of memory allocating 65536 bytes after a total of 1048576 bytes\n'],
    ['python', 'Traceback (most recent call last):\n  File "<string>", line 1, in <module>\nMemoryError\n'],
    ['numpy', 'numpy._core._exceptions._ArrayMemoryError: Unable to allocate 7.45 GiB\nMemoryError\n'],
    ['perl', 'Out of memory!\n'],
    ['mawk', 'awk: run time error: out of memory\n\tFILENAME="" FNR=0 NR=0\n'],
    ['jq', 'error: cannot allocate memory\n'],
    ['git', 'fatal: Out of memory, malloc failed (tried to allocate 300000001 bytes)\n'],
    ['node, a buffer', 'RangeError: Array buffer allocation failed\n'],
    [
      'node, its heap',
      `FATAL ERROR: CALL_AND_RETRY_LAST Allocation failed - JavaScript heap out of memory\n${stackTrace}`,
    ],
    [
      'java, when it starts',
      '# There is insufficient memory for the Java Runtime Environment to continue.\n',
    ],
    [
      'java',
      'Exception in thread "main" java.lang.OutOfMemoryError: Java heap space\n\tat A.main(A.java:3)\n',
    ],
    ['go', `fatal error: runtime: out of memory\n\n${stackTrace}`],
    ['C++', "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\n"],
    ['rust', 'memory allocation of 3000000000 bytes failed\n'],
    ['ruby', 'failed to allocate memory (NoMemoryError)\n'],
  ])('no memory: %s', (_, output) => {
    expect(exhaustedResource(output)).toBe('memory')
  })

  test.each([
    ['bash', 'bash: fork: retry: Resource temporarily unavailable\nbash: fork: Interrupted system call\n'],
    ['bash, at last', 'bash: fork: Resource temporarily unavailable\n'],
    ['dash', 'sh: 0: Cannot fork\n'],
    ['perl', 'fork: Resource temporarily unavailable at -e line 1.\n'],
    ['xargs', 'xargs: cannot fork: Resource temporarily unavailable\n'],
    ['make', 'make: /bin/sh: Resource temporarily unavailable\nmake: *** [Makefile:2: all] Error 127\n'],
    ['gcc', 'gcc: fatal error: cannot execute \u2018as\u2019: vfork: Resource temporarily unavailable\n'],
    ['python, a thread', "RuntimeError: can't start new thread\n"],
    ['python, a process', 'BlockingIOError: [Errno 11] Resource temporarily unavailable\n'],
    ['node', 'Error: spawn true EAGAIN\n    at ChildProcess._handle.onexit\n'],
    ['java, when it starts', '# Cannot create worker GC thread. Out of system resources.\n'],
    [
      'java, starting up',
      '[warning][os,thread] Failed to start thread "G1 Service" - pthread_create failed (EAGAIN) for attributes\n',
    ],
    [
      'java',
      'java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory or process/resource limits\n',
    ],
    ['go', 'runtime: failed to create new OS thread (have 3 already; errno=11)\nfatal error: newosproc\n'],
    [
      'rust',
      'failed to spawn thread: Os { code: 11, kind: WouldBlock, message: "Resource temporarily unavailable" }\n',
    ],
    ['ruby', 'Resource temporarily unavailable - fork(2) (Errno::EAGAIN)\n'],
    ['git', 'fatal: unable to create thread: Resource temporarily unavailable\n'],
    ['OpenBLAS', 'OpenBLAS blas_thread_init: pthread_create failed for thread 3 of 8\n'],
    ['OpenMP', 'libgomp: Thread creation failed: Resource temporarily unavailable\n'],
  ])('no processes: %s', (_, output) => {
    expect(exhaustedResource(output)).toBe('processes')
  })

  test.each([
    ['nothing', ''],
    ['an ordinary failure', 'make: *** [Makefile:2: all] Error 1\n'],
    ['another shortage', 'bash: pipe error: Too many open files\n'],
    ['a socket without data', 'Resource temporarily unavailable\n'],
    ['words that came long before the end', `out of memory\n${'and so on\n'.repeat(5000)}`],
  ])('neither: %s', (_, output) => {
    expect(exhaustedResource(output)).toBeUndefined()
  })
})
