// The engine of the addon: its fields by name, its errors as ours.

import { constants } from 'node:os'
import { BashError, messageOf, systemError } from '../../../base/errors.js'
import { isWithin, realNameOf } from '../../../base/util/absolute-paths.js'
import { withoutNull } from '../../../base/util/dev-null.js'
import { preview } from '../../../base/util/schema/preview.js'
import type { CapturedStream } from '../../output/decode.js'
import type { Completion } from '../completion.js'
import type { Engine } from '../engine.js'
import type { CommandRequest, ConfinementPlan, JobPlan } from '../request.js'
import type { AdoptionFields, CompletionFields, LoadedAddon, NativeStream, Question } from './addon.js'

/** Passes on those functions of the addon that need no translation. */
export function nativeEngine({ addon, supervisor }: LoadedAddon): Engine {
  const { cancel, signalProcess, environmentVersion } = addon
  const { isReadable, protectHost, sandboxSupport, claimSandboxWarning } = addon
  const { mountsVersion, otherNames, mountsBelow } = addon
  return {
    name: 'native',
    start(request, onCompletion, onOutput) {
      const onFields = (...fields: CompletionFields | Question): AdoptionFields | undefined => {
        if (isQuestion(fields)) return fields.length === 0 ? adopt(request) : handOver(request)
        onCompletion(toCompletion(fields))
        return undefined
      }
      try {
        const [texts, numbers] = [textsOf(request, supervisor), numbersOf(request)]
        const { environment, variables, session, input } = request
        const prologue = session?.prologue
        return addon.start(
          texts,
          numbers,
          environment,
          onFields,
          onOutput,
          prologue,
          variables,
          bufferOf(input),
        )
      } catch (cause) {
        throw startError(request, cause as NotStarted)
      }
    },
    isLocked(path) {
      const answer = addon.isLocked(path)
      if (answer >= 0) return answer === 1
      return unreachable.has(-answer) ? undefined : { errno: -answer }
    },
    lockFile(path) {
      const lock = addon.lockFile(path)
      return lock < 0 ? { errno: -lock } : () => addon.unlockFile(lock)
    },
    isOwned(path) {
      const answer = addon.isOwned(path)
      if (answer >= 0) return answer === 1
      return -answer === ENOENT ? undefined : { errno: -answer }
    },
    release: (descriptor) => addon.unlockFile(descriptor),
    awaitExit(pid, onExit) {
      const id = addon.awaitExit(pid, onExit)
      return id < 0 ? undefined : () => addon.forgetExit(id)
    },
    stampOf: (paths) => addon.stampOf(paths.join('\0')),
    cancel,
    signalProcess,
    isReadable,
    makePipe() {
      const made = addon.makePipe()
      if (typeof made === 'number') return { errno: -made }
      const [reader, writer] = made
      return { reader, writer }
    },
    environmentVersion,
    protectHost,
    sandboxSupport,
    mountsVersion,
    otherNames,
    mountsBelow,
    claimSandboxWarning,
  }
}

/** Without a copy. */
function bufferOf(input: CommandRequest['input']): Buffer | number | undefined {
  if (!(input instanceof Uint8Array)) return input
  return Buffer.from(input.buffer, input.byteOffset, input.byteLength)
}

/** What the addon throws. */
interface NotStarted extends Error {
  errno?: number
  /** The step of the sandbox that failed. */
  step?: string
  /** A path that a policy cannot have, and what is wrong with it. */
  path?: string
  reason?: string
}

function startError({ confinement }: CommandRequest, cause: NotStarted): BashError {
  const { errno = 0, step, path, reason } = cause
  if (path === undefined) {
    if (step !== undefined) return systemError('ERR_SANDBOX_SETUP', { step, errno }, cause)
    return systemError('ERR_SPAWN', withoutNull(errno) ?? { step: 'start the engine', errno }, cause)
  }
  const field = confinement?.writable.includes(path) === true ? 'writable' : 'unreadable'
  const why = confinement === undefined ? '' : linkInto(path, reason, confinement)
  return new BashError('ERR_INVALID_INPUT', `${field}: ${preview(path)}: ${reason}${why}`, { path, cause })
}

/** Dotfiles are often links into a repository, where nobody who works on that thinks of them. */
function linkInto(root: string, reason = '', { unreadable }: ConfinementPlan): string {
  const link = unreadable.find(
    (path) => reason.includes(` ${path} `) && !isWithin(path, root) && isWithin(realNameOf(path), root),
  )
  if (link === undefined) return ''
  const advice = "to let commands read it, list in `unreadable` what they cannot read, without 'default'"
  return ` (${link} leads to ${realNameOf(link)}; ${advice})`
}

const { EACCES, ELOOP, ENOENT, ENOLCK, ENOTDIR, ENXIO, EOPNOTSUPP } = constants.errno
const unreachable: ReadonlySet<number> = new Set([EACCES, ELOOP, ENOENT, ENOLCK, ENOTDIR, ENXIO, EOPNOTSUPP])

/** The texts of a request, each ended by a NUL, in the order of native/napi/convert.h. */
function textsOf(
  { shell, command, directory, savePath, job, confinement, mark }: CommandRequest,
  supervisor: string,
): string {
  const ofJob = job === undefined ? '\0\0' : `${job.directory}\0${describedBy(job)}\0`
  const policy = confinement === undefined ? '\0\0\0\0\0' : policyTexts(confinement)
  return `${supervisor}\0${shell}\0${command}\0${directory}\0${savePath}\0${ofJob}${policy}${mark?.text ?? ''}\0`
}

/** What the supervisor writes of a job: a line for the record of its end, and then job.json. */
const describedBy = ({ brief, description }: JobPlan): string =>
  brief === undefined ? description : `${brief}\n${description}`

function policyTexts(plan: ConfinementPlan): string {
  const { scratchDirectory, writable, watched, unreadable, usuallyUnreadable = 0, proxy } = plan
  const own = unreadable.length - usuallyUnreadable
  const usual = own === 0 ? unreadable : unreadable.slice(own)
  const paths = `${listOf(unreadable.slice(0, own))}\x01${listOf(usual)}`
  return `${scratchDirectory}\0${proxy?.grant ?? ''}\0${listOf(writable)}\0${listOf(watched)}\0${paths}\0`
}

/** Most commands have the lists of the one before; that of unreadable paths has a hundred. */
const known = new WeakMap<readonly string[], string>()

function listOf(paths: readonly string[]): string {
  let list = known.get(paths)
  if (list === undefined) {
    list = paths.map((path) => `\x01${path}`).join('')
    known.set(paths, list)
  }
  return list
}

/** Used again by each command: the addon has read it when it returns. */
const numbers = new Float64Array(64)

/** Its numbers, in the same order. */
function numbersOf(request: CommandRequest): Float64Array {
  const { job, session, confinement, limits } = request
  numbers.set([
    Number(request.separateStreams),
    request.headBytes,
    request.tailBytes,
    request.timeoutMs,
    request.graceMs,
    Number(request.killSurvivors),
    request.saveLimit,
    Number(request.background),
    job?.limitMs ?? 0,
    job?.outputLimit ?? 0,
    session?.stateLimit ?? 0,
    session?.prologueDescriptor ?? 0,
    Number(confinement !== undefined),
    Number(confinement?.probe ?? false),
    confinement?.scratchLimit ?? 0,
    Number(confinement?.sharedMemory ?? false),
    Number(confinement?.loopback ?? false),
    Number(confinement?.unixSockets ?? false),
    confinement?.proxy?.port ?? 0,
    confinement?.proxy?.controlPort ?? 0,
    Number(request.adoption !== undefined),
    request.backgroundAfterMs ?? 0,
    Number(request.mark?.durable ?? false),
    request.terminal?.rows ?? 0,
    request.terminal?.cols ?? 0,
    limits.length / 3,
    ...limits,
  ])
  return numbers
}

/** Whether the addon asks for a job. */
const isQuestion = (fields: CompletionFields | Question): fields is Question => fields.length <= 1

function adopt(request: CommandRequest): AdoptionFields | undefined {
  const job = request.adoption?.()
  request.job = job
  return job && [job.directory, describedBy(job), job.outputLimit]
}

function handOver(request: CommandRequest): AdoptionFields | undefined {
  try {
    const job = request.handOver?.()
    request.job = job
    return job && [job.directory, describedBy(job), job.outputLimit]
  } catch (error) {
    request.unplanned = messageOf(error)
    return undefined
  }
}

function toCompletion(fields: CompletionFields): Completion {
  const [outcome, pid, step, errno, exitCode, signal, userMs, systemMs, maxRssBytes, ...rest] = fields
  const [savedBytes, saveErrno, first, second, survivors = [], adopted, state, ...sandbox] = rest
  const [protections, confirmed, scratchFull, report, handOverStep, handOverErrno, isJob, mark] = sandbox
  return {
    outcome,
    pid,
    step,
    errno,
    exited:
      exitCode === undefined ? undefined : { exitCode, signal, usage: { userMs, systemMs, maxRssBytes } },
    streams: [toStream(first), toStream(second)],
    survivors,
    adopted,
    isJob,
    state,
    savedBytes,
    saveErrno,
    protections,
    confirmed,
    scratchFull,
    report,
    mark,
    handOver: handOverStep === undefined ? undefined : { step: handOverStep, errno: handOverErrno },
  }
}

function toStream(stream: NativeStream = ''): CapturedStream | string {
  if (typeof stream === 'string') return stream
  const [head, tail, total] = stream
  return { head, tail, total }
}
