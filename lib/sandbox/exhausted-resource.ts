// Tells from the last words of a command that the system gave it no more memory, or no more processes.

/** What follows the words may be a stack trace: node and go print some kilobytes of it. */
const lastCharacters = 16 * 1024

// The kernel says EAGAIN to fork and clone at RLIMIT_NPROC. Programs word that in their own way.
const noProcess = new RegExp(
  [
    // bash retries for a while before it gives up; gcc calls vfork.
    'fork: (?:retry: )?Resource temporarily unavailable',
    'make: .{1,200}: Resource temporarily unavailable',
    // dash, xargs, git
    'cannot fork',
    // ruby
    'Resource temporarily unavailable - fork',
    // python: os.fork, subprocess; threading
    'BlockingIOError: \\[Errno 11\\]',
    "can't start new thread",
    // node
    'spawn [^ ]{1,200} EAGAIN',
    'uv_thread_create',
    // java: it goes on with "possibly out of memory or process/resource limits reached"
    'unable to create (?:new )?native thread',
    'Cannot create worker GC thread',
    // go
    'failed to create new OS thread',
    // rust
    'failed to spawn thread',
    // git index-pack and others
    'unable to create thread',
    // OpenMP, BLAS and whoever prints the name of the function
    'pthread_create(?:\\(\\))?:? .{0,40}(?:failed|error|Resource temporarily unavailable)',
    'Thread creation failed',
  ].join('|'),
  'i',
)

const noMemory = new RegExp(
  [
    // The C library's ENOMEM, in whatever program
    'Cannot allocate memory',
    '\\bENOMEM\\b',
    // bash
    'x(?:m|re)alloc: .{0,80}cannot allocate ',
    // coreutils; gcc says "virtual memory exhausted"
    'memory exhausted',
    // perl, git, cc1, go, node ("JavaScript heap out of memory", "Fatal process out of memory")
    'out of memory',
    'java\\.lang\\.OutOfMemoryError',
    'insufficient memory for the Java Runtime',
    'Could not reserve enough space',
    // python
    '\\bMemoryError\\b',
    // node
    'Array buffer allocation failed',
    'ERR_WORKER_OUT_OF_MEMORY',
    // C++
    'std::bad_alloc',
    // rust
    'memory allocation of \\d{1,20} bytes failed',
    // ruby
    'NoMemoryError',
  ].join('|'),
  'i',
)

/** @param output of a command that has failed */
export function exhaustedResource(output: string): 'memory' | 'processes' | undefined {
  const end = output.slice(-lastCharacters)
  if (noProcess.test(end)) return 'processes'
  return noMemory.test(end) ? 'memory' : undefined
}
