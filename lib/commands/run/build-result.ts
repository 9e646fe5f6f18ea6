// From what the engine reports to a BashResult.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describeFailure } from '../../base/errors.js'
import { part } from '../../base/util/load-part.js'
import { signalName } from '../../base/util/signal-names.js'
import type { DenialFields } from '../../guard/sandbox/findings.js'
import { domainsOf } from '../../guard/sandbox/policy.js'
import { protectionsOf } from '../../guard/sandbox/protections.js'
import { reachedLimit } from '../../guard/sandbox/reached-limit.js'
import { denialFields } from '../../guard/sandbox/refusals.js'
import { type Completion, Outcome } from '../../processes/engine/completion.js'
import { type CommandRequest, readOnlyPlan } from '../../processes/engine/request.js'
import type { CapturedStream } from '../../processes/output/decode.js'
import type * as Encodings from '../../processes/output/encodings/readable.js'
import type { OutputProfile } from '../../processes/output/profile.js'
import { normalizeOutput } from '../../processes/output/render.js'
import type { BoundedOutput } from '../../processes/output/truncate.js'
import { isAllowedRoot } from './request.js'
import type { ResolvedOptions } from './resolved-options.js'
import { type BashResult, type BashStatus, blankResult, type SeparateStreams } from './result.js'
import { reportFields } from './sandbox-report.js'
import { startFailure } from './start-failure.js'

const statuses: Partial<Record<Outcome, BashStatus>> = {
  [Outcome.timedOut]: 'timed_out',
  [Outcome.cancelled]: 'cancelled',
  [Outcome.supervisorLost]: 'error',
  [Outcome.handedOver]: 'background',
}

export type RunResult = BashResult & Partial<SeparateStreams>

/**
 * @param hide takes secrets out of what is decoded only now
 * @throws {BashError} when the command did not start
 */
export function buildResult(
  request: CommandRequest,
  options: ResolvedOptions,
  completion: Completion,
  hide?: Encodings.Hide,
): RunResult {
  if (completion.outcome === Outcome.notStarted) throw startFailure(request, completion)
  const { exited, survivors, pid } = completion
  const exitCode = exited !== undefined && exited.signal === 0 ? exited.exitCode : null
  const signal = exited !== undefined && exited.signal !== 0 ? signalName(exited.signal) : null
  const status = statuses[completion.outcome] ?? (exitCode === 0 ? 'completed' : 'failed')
  const output = outputOf(completion.streams, options, hide)
  const result: RunResult = {
    ...blankResult(request.command, status, options.sandbox),
    ...output,
    // What else the command did is not known.
    exitCode: completion.outcome === Outcome.supervisorLost ? null : exitCode,
    signal,
    survivors: survivors.map(({ pid, command, daemon }) => ({ pid, command, daemon })),
  }
  const isHandedOver = completion.outcome === Outcome.handedOver
  // The job has what was saved, if that is all of it.
  const hasJobAll = isHandedOver && completion.savedBytes === output.outputBytes
  if (request.savePath !== '' && hasJobAll) rmSync(request.savePath, { force: true })
  else if (request.savePath !== '') Object.assign(result, savedOutput(request, completion, output.truncated))
  // What a limit ends fails; a full scratch directory may have ended what bash had left.
  if (!isHandedOver && (exitCode !== 0 || completion.scratchFull)) {
    Object.assign(result, reachedLimit(options, completion, { signal, exitCode, output: output.output }))
  }
  if (options.policy !== undefined) {
    result.enforced = protectionsOf(completion.protections)
    // Bash may have caught what a timeout sent it, and ended well.
    const ownExit = completion.outcome === Outcome.ended ? exitCode : null
    Object.assign(result, denials(request, options, completion, output.output, ownExit))
    if (completion.report !== undefined) Object.assign(result, reportFields(completion.report))
  }
  if (exited?.usage !== undefined) result.usage = exited.usage
  if (survivors.length > 0) Object.assign(result, { pid, pgid: pid })
  if ((completion.adopted || completion.isJob) && request.job !== undefined) {
    const { id, directory } = request.job
    Object.assign(result, { jobId: id, outputFile: join(directory, 'output') })
  }
  Object.assign(result, handOverFields(request, options, completion))
  if (completion.outcome === Outcome.timedOut) result.timeoutMs = options.timeoutMs
  if (completion.outcome === Outcome.supervisorLost) {
    result.error = { code: 'ERR_SUPERVISOR_LOST', message: lostMessage(completion) }
  }
  return result
}

function handOverFields(
  { unplanned }: CommandRequest,
  { backgroundAfter }: ResolvedOptions,
  { outcome, pid, handOver }: Completion,
): Pick<BashResult, 'pid' | 'pgid' | 'backgroundAfterMs' | 'backgroundError'> {
  if (outcome !== Outcome.handedOver) {
    const backgroundError = unplanned ?? (handOver && describeFailure(handOver))
    return backgroundError === undefined ? {} : { backgroundError }
  }
  return backgroundAfter === undefined ? {} : { pid, pgid: pid, backgroundAfterMs: backgroundAfter }
}

function denials(
  request: CommandRequest,
  options: ResolvedOptions,
  { report }: Completion,
  output: string,
  exitCode: number | null,
): DenialFields {
  const { command, directory, confinement: plan = readOnlyPlan } = request
  const { sandbox, policy } = options
  const mayBeWritable = (path: string) => isAllowedRoot(path, request, options)
  const domains = policy && domainsOf(policy)
  const run = { output, exitCode, command, directory, sandbox, domains, plan, report, mayBeWritable }
  return denialFields(run)
}

const killed = 'the process that watched over the command was killed'
// A fork bomb on a slow machine ends so: thousands of processes that have been killed still take their time.
const silent =
  'the process that watched over the command did not answer in time, perhaps because the machine is overloaded, and was killed'

function lostMessage({ exited, errno }: Completion): string {
  const lost = errno === 0 ? killed : silent
  return exited === undefined
    ? `${lost}, and bash with it; what the command had moved to other process groups may still run`
    : `${lost} after bash had ended; what bash had left may still run`
}

function savedOutput(
  { savePath }: CommandRequest,
  { savedBytes, saveErrno }: Completion,
  truncated: boolean,
): Pick<BashResult, 'savedOutput' | 'savedOutputBytes' | 'savedOutputError'> {
  if (savedBytes === 0 && saveErrno === 0) return {}
  // Nothing of it is worth a file, or what had to be saved while it came turned out short when it was rendered.
  if (savedBytes === 0 || !truncated) rmSync(savePath, { force: true })
  if (!truncated) return {}
  const saved = savedBytes > 0 ? { savedOutput: savePath, savedOutputBytes: savedBytes } : {}
  if (saveErrno === 0) return saved
  return { ...saved, savedOutputError: describeFailure({ step: 'write', errno: saveErrno, path: savePath }) }
}

const empty = Buffer.alloc(0)

type OutputFields = Pick<RunResult, 'output' | 'outputBytes' | 'truncated' | 'binary' | 'readable'> &
  Partial<SeparateStreams>

function outputOf(
  [first, second]: Completion['streams'],
  options: ResolvedOptions,
  hide?: Encodings.Hide,
): OutputFields {
  const one = boundStream(first, options.output)
  if (!options.separateStreams) {
    const readable = one.binary ? readableOf(first, options.output, hide) : undefined
    return {
      output: one.text,
      outputBytes: one.bytes,
      truncated: one.truncated,
      binary: one.binary,
      ...(readable !== undefined && { readable }),
    }
  }
  const two = boundStream(second, options.output)
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

const encodings = part((): typeof Encodings => require('../../processes/output/encodings/readable.js'))

function readableOf(
  stream: CapturedStream | string,
  profile: OutputProfile,
  hide?: Encodings.Hide,
): BashResult['readable'] {
  if (typeof stream === 'string') return undefined
  try {
    return encodings().readable(stream, (decoded) => profile.bound(decoded).text, hide)
  } catch {
    // A result is not lost for want of a descriptor to load this with.
    return undefined
  }
}

function boundStream(
  stream: CapturedStream | string,
  profile: OutputProfile,
): BoundedOutput & { bytes: number } {
  if (typeof stream !== 'string') return { ...profile.bound(stream), bytes: stream.printed ?? stream.total }
  if (stream.length > profile.maxWholeText) {
    const head = Buffer.from(stream, 'latin1')
    return boundStream({ head, tail: empty, total: head.length }, profile)
  }
  const text = profile.normalize ? normalizeOutput(stream) : stream
  return { text, truncated: false, binary: false, bytes: stream.length }
}
