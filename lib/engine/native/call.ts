// A command's request and completion as they cross the Node-API boundary: in a fixed order, without names.

import type { CapturedStream } from '../../output/decode.js'
import type { CommandRequest, Completion, Outcome, RunningProcess } from '../call.js'

/** The fields of a completion in the order of native/napi/convert.h. */
export type CompletionFields = [
  outcome: Outcome,
  pid: number,
  step: string | undefined,
  errno: number,
  exitCode: number | undefined,
  signal: number,
  userMs: number,
  systemMs: number,
  maxRssBytes: number,
  savedBytes: number,
  saveErrno: number,
  first: NativeStream | undefined,
  second: NativeStream | undefined,
  survivors: RunningProcess[] | undefined,
  adopted: boolean,
  state: Buffer | undefined,
  protections: number,
  confirmed: number,
  scratchFull: boolean,
]

export type NativeStream = string | [head: Buffer, tail: Buffer, total: number]

/** The request as the addon takes it, in the order of native/napi/convert.h. */
export function encodeRequest(
  request: CommandRequest,
  supervisor: string,
): { texts: string[]; numbers: number[] } {
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
    request.background ? (job?.limitMs ?? 0) : 0,
    job?.outputLimit ?? 0,
    session?.stateLimit ?? 0,
    session?.prologueDescriptor ?? 0,
    Number(restricted !== undefined),
    Number(restricted?.probe ?? false),
    restricted?.scratchLimit ?? 0,
    ...request.limits,
  ]
  return { texts, numbers }
}

export function toCompletion(fields: CompletionFields): Completion {
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
