// Recognising a limit in the end of a command: by its exit, and by what programs say in their own words.
import { exhaustedResource, firedLimit } from '../../../lib/guard/sandbox/reached-limit.js'

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

describe('firedLimit', () => {
  const cpu = { limit: 'cpu', limitValue: 60 }
  const fileSize = { limit: 'fileSize', limitValue: 1024 }

  test.each([
    ['bash is ended by SIGXCPU', 'SIGXCPU', null, 60_000, cpu],
    ['the clock ticks lack a little of the last second', 'SIGXCPU', null, 59_950, cpu],
    ['a child of bash is ended by SIGXCPU', null, 152, 60_004, cpu],
    ['bash ignores SIGXCPU, and is ended by SIGKILL', 'SIGKILL', null, 65_000, cpu],
    ['a child of bash ignores SIGXCPU, and is ended by SIGKILL', null, 137, 65_000, cpu],
    ['bash is ended by SIGXFSZ', 'SIGXFSZ', null, 3, fileSize],
    ['a child of bash is ended by SIGXFSZ', null, 153, 3, fileSize],
    ['another signal', 'SIGSEGV', null, 60_000, {}],
    ['a failure', null, 1, 60_000, {}],
    ['success', null, 0, 60_000, {}],
  ])('%s', (_, signal, exitCode, cpuMs, expected) => {
    expect(firedLimit({ cpuSeconds: 60, fileSizeBytes: 1024 }, signal, exitCode, cpuMs, '')).toEqual(expected)
  })

  test.each([
    ['`exit 152`', null, 152],
    ['`exit 137`', null, 137],
    ['a SIGXCPU that somebody sent', 'SIGXCPU', null],
    ['a SIGKILL that somebody sent', 'SIGKILL', null],
  ])('%s long before the limit of CPU time is not that limit', (_, signal, exitCode) => {
    expect(firedLimit({ cpuSeconds: 60 }, signal, exitCode, 12, '')).toEqual({})
  })

  test('a limit that was not set has not fired', () => {
    expect(firedLimit({}, 'SIGXCPU', null, 60_000, '')).toEqual({})
    expect(firedLimit({ cpuSeconds: 60 }, 'SIGXFSZ', null, 3, '')).toEqual({})
  })

  test.each(['memory exhausted', "RuntimeError: can't start new thread"])(
    'a failure that says "%s" is that of the limit',
    (words) => {
      const limits = { memoryBytes: 1_048_576, processes: 4096 }
      const expected = words.startsWith('memory')
        ? { limit: 'memory', limitValue: 1_048_576 }
        : { limit: 'processes', limitValue: 4096 }

      expect(firedLimit(limits, null, 1, 12, `${words}\n`)).toEqual(expected)
      expect(firedLimit(limits, 'SIGABRT', null, 12, `${words}\n`)).toEqual(expected)
      expect(firedLimit(limits, null, 0, 12, `${words}\n`)).toEqual({})
      expect(firedLimit({ cpuSeconds: 60 }, null, 1, 12, `${words}\n`)).toEqual({})
    },
  )

  test('no thread for want of memory is that of the one limit that is set', () => {
    const words = 'java.lang.OutOfMemoryError: unable to create native thread'

    expect(firedLimit({ processes: 4096 }, null, 1, 12, words)).toMatchObject({ limit: 'processes' })
    expect(firedLimit({ memoryBytes: 1_048_576 }, null, 1, 12, words)).toEqual({})
  })
})
