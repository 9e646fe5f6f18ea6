// Whether there is a Workspace mode here: tried out once, with a broker and a directory to write to. Loaded when somebody
// asks for it.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { messageOf, systemError } from '../../base/errors.js'
import { isWithin, realNameOf } from '../../base/util/absolute-paths.js'
import { homeDirectory } from '../../base/util/directories.js'
import { provenEngine } from '../../processes/engine/choose.js'
import { type Completion, Outcome } from '../../processes/engine/completion.js'
import { readOnlyPlan } from '../../processes/engine/request.js'
import { trialRequest } from '../../processes/engine/self-test.js'
import { protectionsOf } from './protections.js'
import { encodeLimits } from './resource-limits.js'
import { sandboxSupport, workspaceRefusal } from './support.js'

interface WorkspaceReport {
  available: boolean
  reason?: string
}

let cached: Promise<WorkspaceReport> | undefined

export function probeWorkspace(): Promise<WorkspaceReport> {
  cached ??= probe()
  return cached
}

async function probe(): Promise<WorkspaceReport> {
  const refusal = workspaceRefusal(sandboxSupport())
  if (refusal !== undefined) return { available: false, reason: refusal }
  try {
    const reason = obstacleIn(await withDirectory(runProbe))
    return reason === undefined ? { available: true } : { available: false, reason }
  } catch (error) {
    // No more processes, no more descriptors, no directory: next time it may be different.
    cached = undefined
    return { available: false, reason: `it could not be tried out: ${messageOf(error)}` }
  }
}

/** With a file outside of what can be written, and a directory that can be. @throws when none can be made */
async function withDirectory<Result>(use: (place: Trial) => Promise<Result>): Promise<Result> {
  const place = makePlace()
  try {
    return await use(place)
  } finally {
    rmSync(place.directory, { recursive: true, force: true })
  }
}

interface Trial {
  directory: string
  outside: string
  writable: string
}

/** Where there is one that is not missing, full or read-only: nothing in it takes a block of a disk that has files. */
function makePlace(): Trial {
  let failure: unknown
  // No directory in /dev is ever writable by a policy, also where that of temporary files is /dev/shm.
  const places = [tmpdir(), '/tmp', '/var/tmp', homeDirectory(), runtimeDirectory(), '/run/lock', '/run']
  const parents = places.filter((path) => isAbsolute(path) && !isWithin(realNameOf(path), '/dev'))
  for (const parent of new Set(parents)) {
    let directory: string | undefined
    try {
      directory = mkdtempSync(join(parent, 'bashward-probe-'))
      const place = { directory, outside: join(directory, 'outside'), writable: join(directory, 'writable') }
      writeFileSync(place.outside, '')
      mkdirSync(place.writable)
      return place
    } catch (error) {
      if (directory !== undefined) rmSync(directory, { recursive: true, force: true })
      failure ??= error
    }
  }
  throw new Error(`${messageOf(failure)}; set TMPDIR to a directory that has space`)
}

/** Of the user, in memory. */
const runtimeDirectory = (): string => process.env.XDG_RUNTIME_DIR ?? ''

async function runProbe({ outside, writable }: Trial): Promise<Completion> {
  const request = trialRequest({
    shell: '',
    command: outside,
    directory: '/',
    limits: encodeLimits({}, 'workspace'),
    confinement: { ...readOnlyPlan, writable: [writable], probe: true },
  })
  const { engine } = await provenEngine()
  return await new Promise((resolve) => engine.start(request, resolve))
}

/**
 * @returns undefined when everything that was promised holds
 * @throws when it may be different next time
 */
function obstacleIn({
  outcome,
  step = 'start',
  errno,
  protections,
  confirmed,
}: Completion): string | undefined {
  if (outcome !== Outcome.ended) {
    const reason = failureOf(step, errno)
    if (reason === undefined) throw systemError('ERR_SANDBOX_SETUP', { step, errno })
    return reason
  }
  const names = protectionsOf(protections & ~confirmed)
  if (names.length === 0) return undefined
  return names.includes('metadata')
    ? (readingObstacle() ?? unanswered)
    : `the kernel did not enforce what it promised: ${names.join(', ')}`
}

const { EACCES, EBUSY, EINVAL, ENOENT, ENOSYS, ENOTDIR, EPERM, E2BIG } = constants.errno

/** Why a step fails, where it will fail again. */
function failureOf(step: string, errno: number): string | undefined {
  const isRefused = errno === EPERM || errno === EACCES
  switch (step) {
    case 'seccomp listener':
      if (errno === EBUSY) return listened
      if (errno === EINVAL || errno === ENOSYS) return 'the kernel has no seccomp listeners (Linux 5.0)'
      return isRefused
        ? 'seccomp listeners are refused, probably by the seccomp profile of a container'
        : undefined
    case 'open writable root':
      // The filter of a command that may write answers so.
      return errno === ENOSYS || isRefused ? `openat2 is refused: ${nested}` : undefined
    case 'start broker':
      if (isRefused) return readingObstacle() ?? unreadable
      return errno === ENOENT || errno === ENOTDIR ? noProc : undefined
    case 'landlock_restrict_self':
      return errno === E2BIG ? tooManyDomains : undefined
    default:
      return undefined
  }
}

const tooManyDomains =
  'this process is in as many Landlock domains as the kernel allows, which is 16; a command with something writable needs two'
const nested =
  'this runs in a command of bashward that may write, or in a container whose seccomp profile does not allow it'
const listened =
  'another seccomp listener supervises this process already, and the kernel allows one: this runs in a command of bashward that may write, in WSL2 with mirrored networking, or in a container whose seccomp profile notifies'
const noProc = '/proc is not mounted'
const unreadable =
  'process_vm_readv and /proc/PID/mem are both refused, probably by the seccomp profile of a container; one of them has to be allowed'
const unanswered = `the mode of a file in a writable directory could not be changed, or that of one outside could; perhaps ${unreadable}`

/** Why nothing may read the arguments of a command's system calls. */
function readingObstacle(): string | undefined {
  const status = textOf('/proc/self/status')
  if (status === undefined) return noProc
  const scope = Number(textOf('/proc/sys/kernel/yama/ptrace_scope') ?? 0)
  if (scope < 2 || (scope === 2 && canTrace(status))) return undefined
  const needs = scope === 2 ? '0 or 1, or this process needs CAP_SYS_PTRACE' : '0 or 1, which takes a restart'
  return `kernel.yama.ptrace_scope is ${scope}, so no process may read what another one asks the kernel for; it has to be ${needs}`
}

function canTrace(status: string): boolean {
  const sysPtrace = 19n
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'
  return ((BigInt(`0x${effective}`) >> sysPtrace) & 1n) === 1n
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
