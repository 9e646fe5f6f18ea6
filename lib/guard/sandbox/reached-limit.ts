// Tells which limit ended a command, from its exit and from its last output.

import type { Place } from '../../base/util/check-options.js'
import type { Completion } from '../../processes/engine/completion.js'
import type { ReachedLimit } from './findings.js'
import type { SandboxName } from './policy.js'
import { type ResourceLimits, restrictedLimits } from './resource-limits.js'

interface CommandLimits {
  sandbox: SandboxName
  limits: ResourceLimits
  scratch: Place | undefined
}

type CpuTime = Pick<NonNullable<Completion['exited']>, 'usage' | 'mostCpuMs'>

/** The limit that ended a command, with its value; nothing when none did. */
export function reachedLimit(
  { sandbox, limits, scratch }: CommandLimits,
  { exited, scratchFull }: { exited?: CpuTime | undefined; scratchFull?: boolean },
  { signal, exitCode, output }: { signal: string | null; exitCode: number | null; output: string },
): ReachedLimit {
  if (scratchFull && scratch !== undefined) return { limit: 'scratch', limitValue: scratch.maxBytes }
  const inForce = sandbox === 'unrestricted' ? limits : restrictedLimits(limits)
  const usage = exited?.usage
  const cpuMs = usage === undefined ? (exited?.mostCpuMs ?? 0) : usage.userMs + usage.systemMs
  const fired = firedLimit(inForce, signal, exitCode, cpuMs, output)
  if (!isPlausible(fired.limit, limits, inForce, usage?.maxRssBytes ?? 0)) return {}
  // No single file may be larger than the directory.
  const isScratch = fired.limit === 'fileSize' && fired.limitValue === scratch?.maxBytes
  return isScratch ? { ...fired, limit: 'scratch' } : fired
}

/** Words alone may come from a log that the command printed. */
function isPlausible(
  limit: ReachedLimit['limit'],
  set: ResourceLimits,
  { memoryBytes = 0 }: ResourceLimits,
  maxRssBytes: number,
): boolean {
  // The kernel does not count the processes of root.
  if (limit === 'processes') return process.getuid?.() !== 0
  return limit !== 'memory' || set.memoryBytes !== undefined || maxRssBytes > memoryBytes / 4
}

/**
 * The limit that ended a command, as far as its end tells. bash gives 128 + n for a child ended by signal n, which a
 * command can also say itself: the CPU time that was used has the last word. Who gets no memory or no process is not
 * ended, but says so and fails.
 *
 * @param limits those in force
 * @param cpuMs in user mode and in the kernel, milliseconds
 * @param output what the command printed, or its end
 */
export function firedLimit(
  limits: ResourceLimits,
  signal: string | null,
  exitCode: number | null,
  cpuMs: number,
  output: string,
): ReachedLimit {
  const ended = (name: string, number: number) => signal === name || exitCode === 128 + number
  const { cpuSeconds, memoryBytes, fileSizeBytes, processes } = limits
  // SIGKILL comes at the hard limit to who ignores SIGXCPU.
  const cpuEnd = ended('SIGXCPU', 24) || ended('SIGKILL', 9)
  // The kernel counts what it enforces in its own way: on a loaded machine 0.8 s were seen at a limit of 1 s.
  if (cpuSeconds !== undefined && cpuEnd && cpuMs > cpuSeconds * 500) {
    return { limit: 'cpu', limitValue: cpuSeconds }
  }
  if (fileSizeBytes !== undefined && ended('SIGXFSZ', 25))
    return { limit: 'fileSize', limitValue: fileSizeBytes }
  if (exitCode === 0 || (memoryBytes === undefined && processes === undefined)) return {}
  const exhausted = exhaustedResource(output)
  if (exhausted === 'processes' && processes !== undefined) {
    return { limit: 'processes', limitValue: processes }
  }
  if (exhausted === 'memory' && memoryBytes !== undefined) return { limit: 'memory', limitValue: memoryBytes }
  return {}
}

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
