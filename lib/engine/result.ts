// From what the addon reports to a BashResult.

import { rmSync } from 'node:fs'
import { constants } from 'node:os'
import type { BashError } from '../errors.js'
import type { CapturedStream } from '../output/decode.js'
import { normalizeOutput } from '../output/render.js'
import { type BoundedText, maxOutputBytes, truncateMiddle } from '../output/truncate.js'
import type { BashResult, BashStatus, SeparateStreams } from '../result.js'
import { firedLimit } from './limits.js'
import { type NativeCompletion, Outcome } from './native.js'
import type { ResolvedOptions } from './options.js'
import { describeFailure, systemError } from './system-error.js'

export type RunResult = BashResult & Partial<SeparateStreams>

/** What is the same in every result of a command, whatever became of it. */
export function blankResult(command: string, status: BashStatus): BashResult {
  return {
    status,
    command,
    display: command,
    output: '',
    exitCode: null,
    signal: null,
    durationMs: 0,
    outputBytes: 0,
    truncated: false,
    binary: false,
    sandbox: 'unrestricted',
    enforced: [],
    survivors: [],
    usage: null,
    removedEnv: [],
  }
}

/** What was asked of the engine, as far as the result tells of it. */
export interface Execution {
  command: string
  options: ResolvedOptions
  /** The bash that ran. */
  shell: string
  /** Where longer output was to be saved; empty when it was not. */
  savePath: string
}

/** @throws {BashError} when the command did not start */
export function buildResult(execution: Execution, completion: NativeCompletion): RunResult {
  if (completion.outcome === Outcome.notStarted) throw startFailure(execution, completion)
  const { command, options } = execution
  const { exited, survivors, pid } = completion
  const exitCode = exited !== undefined && exited.signal === 0 ? exited.exitCode : null
  const signal = exited !== undefined && exited.signal !== 0 ? signalName(exited.signal) : null
  const output = outputOf(completion.streams, options)
  const result: RunResult = {
    ...blankResult(command, statusOf(completion.outcome, exitCode)),
    ...output,
    exitCode,
    signal,
    ...savedOutput(execution, completion, output.truncated),
    ...firedLimit(options.limits, signal, exitCode),
    survivors: survivors.map(({ pid, command, daemon }) => ({ pid, command, daemon })),
  }
  if (exited !== undefined) {
    const { userMs, systemMs, maxRssBytes } = exited
    result.usage = { userMs, systemMs, maxRssBytes }
  }
  if (survivors.length > 0) Object.assign(result, { pid, pgid: pid })
  if (completion.outcome === Outcome.timedOut) result.timeoutMs = options.timeoutMs
  if (completion.outcome === Outcome.supervisorLost) {
    const message = 'the process that watched over the command was killed, and the command with it'
    result.error = { code: 'ERR_SUPERVISOR_LOST', message }
  }
  return result
}

function statusOf(outcome: Outcome, exitCode: number | null): BashStatus {
  switch (outcome) {
    case Outcome.timedOut:
      return 'timed_out'
    case Outcome.cancelled:
      return 'cancelled'
    case Outcome.supervisorLost:
      return 'error'
    default:
      return exitCode === 0 ? 'completed' : 'failed'
  }
}

function startFailure({ options, shell }: Execution, completion: NativeCompletion): BashError {
  const { step = 'start', errno } = completion
  if (step === 'chdir') return systemError('ERR_WORKING_DIR', { step, errno, path: options.cwd })
  if (step === 'execve') return systemError('ERR_SPAWN', { step, errno, path: shell })
  return systemError('ERR_SPAWN', { step, errno })
}

function savedOutput(
  { savePath }: Execution,
  { savedBytes, saveErrno }: NativeCompletion,
  truncated: boolean,
): Pick<BashResult, 'savedOutput' | 'savedOutputBytes' | 'savedOutputError'> {
  if (savePath === '' || (savedBytes === 0 && saveErrno === 0)) return {}
  if (!truncated) {
    // What had to be saved while it came turned out short when it was rendered.
    rmSync(savePath, { force: true })
    return {}
  }
  const saved = savedBytes > 0 ? { savedOutput: savePath, savedOutputBytes: savedBytes } : {}
  if (saveErrno === 0) return saved
  return { ...saved, savedOutputError: describeFailure({ step: 'write', errno: saveErrno, path: savePath }) }
}

const empty = Buffer.alloc(0)

type OutputFields = Pick<RunResult, 'output' | 'outputBytes' | 'truncated' | 'binary'> &
  Partial<SeparateStreams>

function outputOf([first, second]: NativeCompletion['streams'], options: ResolvedOptions): OutputFields {
  const one = boundStream(first, options)
  if (!options.separateStreams) {
    return { output: one.text, outputBytes: one.bytes, truncated: one.truncated, binary: one.binary }
  }
  const two = boundStream(second, options)
  return {
    output: one.text + two.text,
    outputBytes: one.bytes + two.bytes,
    truncated: one.truncated || two.truncated,
    binary: one.binary || two.binary,
    stdout: one.text,
    stderr: two.text,
    stdoutBytes: one.bytes,
    stderrBytes: two.bytes,
  }
}

function boundStream(
  stream: CapturedStream | string,
  { normalizeOutput: normalize }: Pick<ResolvedOptions, 'normalizeOutput'>,
): BoundedText & { bytes: number } {
  if (typeof stream !== 'string') {
    const bounded = truncateMiddle(stream, normalize ? { render: normalizeOutput } : {})
    return { ...bounded, bytes: stream.total }
  }
  if (stream.length > maxOutputBytes) {
    const head = Buffer.from(stream, 'latin1')
    return boundStream({ head, tail: empty, total: head.length }, { normalizeOutput: normalize })
  }
  const text = normalize ? normalizeOutput(stream) : stream
  return { text, truncated: false, binary: false, bytes: stream.length }
}

const signalNames = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]))
// Node knows no real-time signals. SIGIOT and SIGPOLL are other names of these two.
signalNames.set(constants.signals.SIGABRT, 'SIGABRT').set(constants.signals.SIGIO, 'SIGIO')

function signalName(number: number): string {
  return signalNames.get(number) ?? `signal ${number}`
}
