// The engine of the addon: its fields by name, its errors as ours.

import { constants } from 'node:os'
import { systemError } from '../../errors.js'
import type { CapturedStream } from '../../output/decode.js'
import type { CommandRequest, Completion, Engine } from '../engine.js'
import type { AdoptionFields, CompletionFields, LoadedAddon, NativeStream } from './addon.js'

/** Passes on those functions of the addon that need no translation. */
export function nativeEngine({ addon, supervisor }: LoadedAddon): Engine {
  const { cancel, signalProcess, environmentVersion } = addon
  const { protectHost, sandboxSupport, claimSandboxWarning } = addon
  return {
    name: 'native',
    start(request, onCompletion, onOutput) {
      const { texts, numbers } = encodeRequest(request, supervisor)
      const onFields = (...fields: CompletionFields | []): AdoptionFields | undefined => {
        if (isAdoption(fields)) return adopt(request)
        onCompletion(toCompletion(fields))
        return undefined
      }
      try {
        return addon.start(texts, numbers, request.environment, onFields, onOutput, request.session?.prologue)
      } catch (cause) {
        const { errno = 0 } = cause as { errno?: number }
        throw systemError('ERR_SPAWN', { step: 'start the engine', errno }, cause)
      }
    },
    isLocked(path) {
      const answer = addon.isLocked(path)
      if (answer >= 0) return answer === 1
      return unreachable.has(-answer) ? undefined : { errno: -answer }
    },
    cancel,
    signalProcess,
    environmentVersion,
    protectHost,
    sandboxSupport,
    claimSandboxWarning,
  }
}

const { EACCES, ELOOP, ENOENT, ENOLCK, ENOTDIR, ENXIO, EOPNOTSUPP } = constants.errno
const unreachable: ReadonlySet<number> = new Set([EACCES, ELOOP, ENOENT, ENOLCK, ENOTDIR, ENXIO, EOPNOTSUPP])

/** The request as the addon takes it, in the order of native/napi/convert.h. */
function encodeRequest(request: CommandRequest, supervisor: string): { texts: string[]; numbers: number[] } {
  const { job, session, restricted } = request
  const texts = [
    supervisor,
    request.shell,
    request.command,
    request.directory,
    request.savePath,
    job?.directory ?? '',
    job?.description ?? '',
    restricted?.scratchDirectory ?? '',
  ]
  const numbers = [
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
    Number(restricted !== undefined),
    Number(restricted?.probe ?? false),
    restricted?.scratchLimit ?? 0,
    Number(request.adoption !== undefined),
    ...request.limits,
  ]
  return { texts, numbers }
}

/** Whether the addon asks for the job that survivors become. */
const isAdoption = (fields: CompletionFields | []): fields is [] => fields.length === 0

function adopt(request: CommandRequest): AdoptionFields | undefined {
  const job = request.adoption?.()
  request.job = job
  return job && [job.directory, job.description, job.outputLimit]
}

function toCompletion(fields: CompletionFields): Completion {
  const [outcome, pid, step, errno, exitCode, signal, userMs, systemMs, maxRssBytes, ...rest] = fields
  const [savedBytes, saveErrno, first, second, survivors = [], adopted, state, ...sandbox] = rest
  const [protections, confirmed, scratchFull] = sandbox
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
    state,
    savedBytes,
    saveErrno,
    protections,
    confirmed,
    scratchFull,
  }
}

function toStream(stream: NativeStream = ''): CapturedStream | string {
  if (typeof stream === 'string') return stream
  const [head, tail, total] = stream
  return { head, tail, total }
}
