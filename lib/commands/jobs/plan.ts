// What the supervisor is told of a job before it starts.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { crypto } from '../../base/util/lazy.js'
import { bootId, pidNamespace } from '../../base/util/process-identity.js'
import { watchPaths } from '../../processes/engine/job-format/watch-layout.js'
import type { JobPlan, TerminalSize } from '../../processes/engine/request.js'
import { checkJobsDirectory } from './directory.js'
import type { JobSandbox } from './job-sandbox.js'
import type { JobDescription } from './record.js'
import { briefOf } from './watch/brief.js'

/** Who started a job. */
export interface JobOwner {
  conversationId?: string | undefined
  toolCallId?: string | undefined
}

/** The size that a job's output file is kept below unless something else is asked for, bytes. */
export const defaultOutputLimit = 1024 ** 3

export interface PlannedCommand {
  command: string
  /** Absolute path. */
  workingDir: string
  owner: JobOwner
  /** As Date.now() gives it. */
  startedAt: number
  /** Milliseconds after which it is killed; 0 for never. */
  limitMs: number
  /** The size that its output file is kept below, bytes. */
  outputLimit: number
  /** For the survivors of a foreground command: there is a job only if it leaves some. */
  adopted: boolean
  terminal?: TerminalSize | undefined
}

/**
 * A new id in the directory of jobs, and the description that goes with it. Nothing is written: the supervisor makes
 * the directory when there is a job.
 *
 * @throws {BashError} ERR_JOB_DIRECTORY when the directory is not this user's alone
 */
export function planJob(root: string, planned: PlannedCommand): JobPlan {
  checkJobsDirectory(root)
  const id = newJobId(root)
  const { command, workingDir, owner, startedAt, limitMs, outputLimit, adopted, terminal } = planned
  const described: JobDescription = {
    id,
    command,
    workingDir,
    conversationId: owner.conversationId ?? null,
    toolCallId: owner.toolCallId ?? null,
    createdAt: startedAt,
    bootId: bootId(),
    pidNamespace: pidNamespace(),
    timeoutMs: limitMs,
    maxOutputBytes: outputLimit,
    adopted,
    ...(terminal !== undefined && { terminal }),
  }
  const brief = briefOf(described)
  return { id, directory: join(root, id), description: jobPrefix(described), brief, limitMs, outputLimit }
}

/**
 * The beginning of job.json, up to and including `"adopted":…,`; the supervisor appends the processes and the closing
 * brace. The command may be any string: lone surrogates and control characters are escaped.
 */
export function jobPrefix(job: JobDescription): string {
  const { id, command, workingDir, conversationId, toolCallId, createdAt, bootId, pidNamespace } = job
  const { timeoutMs, maxOutputBytes, adopted, terminal } = job
  const text = JSON.stringify({
    version: 1,
    id,
    command,
    workingDir,
    conversationId,
    toolCallId,
    createdAt,
    bootId,
    pidNamespace,
    timeoutMs,
    maxOutputBytes,
    adopted,
    terminal,
  })
  return `${text.slice(0, -1)},`
}

/** Digits of an id: letters and digits, as numbers to this base are written. */
const idBase = 36
const idLength = 6

/** The plan of a job that is confined. */
export function confinedPlan(plan: JobPlan, sandbox: JobSandbox): JobPlan {
  return { ...plan, description: `${plan.description}"sandbox":${JSON.stringify(sandbox)},` }
}

/** An id such as `bash_k3v9x2`, one of two thousand million. It is taken once its directory exists. */
function randomJobId(random: (below: number) => number = crypto().randomInt): string {
  return `bash_${random(idBase ** idLength)
    .toString(idBase)
    .padStart(idLength, '0')}`
}

/** An id that no job in `root` has. */
export function newJobId(root: string, random?: (below: number) => number): string {
  for (;;) {
    const id = randomJobId(random)
    // What is told of a job outlives it.
    const { running, ended } = watchPaths(root)
    if (![root, running, ended].some((directory) => existsSync(join(directory, id)))) return id
  }
}

/**
 * The job that a foreground command becomes while it runs.
 *
 * @throws {BashError} ERR_JOB_DIRECTORY when there is no directory that can be used
 */
export function planHandOver(
  directory: () => string,
  call: Pick<PlannedCommand, 'command' | 'workingDir' | 'owner' | 'startedAt' | 'limitMs'>,
  outputLimit: number,
): JobPlan {
  return planJob(directory(), { ...call, outputLimit, adopted: false })
}

/**
 * The job that survivors of a foreground command become. Without a directory that can be used they are listed, and no
 * more: the command itself did not need one.
 */
export function planAdoption(
  directory: () => string,
  call: Pick<PlannedCommand, 'command' | 'workingDir' | 'owner' | 'startedAt'>,
  outputLimit: number,
): JobPlan | undefined {
  try {
    return planJob(directory(), { ...call, limitMs: 0, outputLimit, adopted: true })
  } catch {
    return undefined
  }
}
