// The addon: where it is, and what it offers. Everything else in lib/ knows the engine only through this file.

import { AsyncResource } from 'node:async_hooks'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BashError } from '../errors.js'
import type { CapturedStream } from '../output/decode.js'
import { systemError } from './system-error.js'

/** What the addon runs. Checked by the caller: the addon reads a field of another type as empty or 0. */
export interface NativeRequest {
  /** Absolute path of the shell. */
  shell: string
  command: string
  /** Absolute path of the working directory. */
  directory: string
  /** `NAME=value` entries, each ended by a NUL. */
  environment: Buffer
  separateStreams: boolean
  /** Bytes kept from the start of each stream. */
  headBytes: number
  /** Bytes kept from its end. */
  tailBytes: number
  /** Milliseconds; 0 for none. */
  timeoutMs: number
  /** Milliseconds from SIGTERM to SIGKILL. */
  graceMs: number
  killSurvivors: boolean
  /** A file to be created for output longer than `headBytes`; empty for none. */
  savePath: string
  /** Bytes of output that go there at most. */
  saveLimit: number
  /** Background job: the completion comes as soon as it runs. Otherwise `job` is for survivors. */
  background: boolean
  /** Where the supervisor keeps the job; undefined when the command can become none. */
  job: JobPlan | undefined
  /** For the shell of a session. */
  session: SessionPlan | undefined
  /** Resource, soft and hard limit of setrlimit(2), three numbers each. */
  limits: number[]
}

export interface SessionPlan {
  prologue: Buffer
  /** Bytes; a longer state counts as none. */
  stateLimit: number
  /** Called once at the end of the command, before its result. Undefined when there is no state. */
  onState: (state: Buffer | undefined) => void
}

export interface JobPlan {
  id: string
  /** The job's own directory, which the supervisor makes; an absolute path. */
  directory: string
  /** The beginning of job.json. */
  description: string
  /** Milliseconds after which a background job is killed; 0 for never. */
  limitMs: number
  /** Bytes in its output file. */
  outputLimit: number
}

/** How a command came to its end: the values of `process::Outcome`. */
export enum Outcome {
  ended = 0,
  timedOut = 1,
  cancelled = 2,
  notStarted = 3,
  supervisorLost = 4,
  /** A background job that runs. */
  detached = 5,
}

export interface NativeSurvivor {
  pid: number
  command: string
  daemon: boolean
  holdsOutput: boolean
}

export interface NativeCompletion {
  outcome: Outcome
  /** Of the shell; 0 when it did not start. */
  pid: number
  /** For `notStarted`: the step that failed, and its error number. */
  step: string | undefined
  errno: number
  /** How the shell ended, when it is known. */
  exited:
    | {
        /** -1 when it was ended by a signal. */
        exitCode: number
        /** 0 when it exited. */
        signal: number
        userMs: number
        systemMs: number
        maxRssBytes: number
      }
    | undefined
  /** Merged output and nothing, or stdout and stderr. A string when all of it is there, ASCII without NUL. */
  streams: [CapturedStream | string, CapturedStream | string]
  survivors: NativeSurvivor[]
  /** Whether the survivors are a job now. */
  adopted: boolean
  /** What the shell of a session has written. */
  state: Buffer | undefined
  /** Bytes in the file for long output. */
  savedBytes: number
  /** 0, or why that file is missing or incomplete. */
  saveErrno: number
}

export type NativeOutputListener = (stream: number, bytes: Buffer, dropped: number) => void

/** The fields of a completion in the order of native/napi/convert.h. */
type CompletionFields = [
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
  survivors: NativeSurvivor[] | undefined,
  adopted: boolean,
  state: Buffer | undefined,
]

type NativeStream = string | [head: Buffer, tail: Buffer, total: number]

interface Addon {
  start(
    texts: string[],
    numbers: number[],
    environment: Buffer,
    onCompletion: (...fields: CompletionFields) => void,
    onOutput: NativeOutputListener | undefined,
    prologue: Buffer | undefined,
  ): number
  signalProcess(pid: number, startTime: number, signal: number): number
  cancel(id: number): void
  environmentVersion(): number
  protectHost(): { environmentWiped: boolean; notDumpable: boolean }
}

/** The addon, behind named fields. */
export class NativeEngine {
  readonly #addon: Addon
  readonly #supervisor: string

  constructor(addon: Addon, supervisor: string) {
    this.#addon = addon
    this.#supervisor = supervisor
  }

  /**
   * Starts a command and keeps the event loop alive until its completion.
   *
   * @returns an id for {@link cancel}
   * @throws {BashError} ERR_SPAWN when the engine's thread cannot be started
   */
  start(
    request: NativeRequest,
    onCompletion: (completion: NativeCompletion) => void,
    onOutput?: NativeOutputListener,
  ): number {
    const { job, session } = request
    const texts = [
      this.#supervisor,
      request.shell,
      request.command,
      request.directory,
      request.savePath,
      job?.directory ?? '',
      job?.description ?? '',
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
      ...request.limits,
    ]
    const onFields = (...fields: CompletionFields) => onCompletion(toCompletion(fields))
    try {
      return this.#addon.start(texts, numbers, request.environment, onFields, onOutput, session?.prologue)
    } catch (cause) {
      const { errno = 0 } = cause as { errno?: number }
      throw systemError('ERR_SPAWN', { step: 'start the engine', errno }, cause)
    }
  }

  /** Kills a command and everything it started. Nothing happens when it has ended already. */
  cancel(id: number): void {
    this.#addon.cancel(id)
  }

  /**
   * Signals a process that is known by its pid and start time (field 22 of /proc/PID/stat).
   *
   * @returns 0, or the errno; ESRCH when that process is gone, also when its pid belongs to another one by now
   */
  signalProcess(pid: number, startTime: number, signal: number): number {
    return this.#addon.signalProcess(pid, startTime, signal)
  }

  /** Another number after each change of the process's environment. Main thread only. */
  environmentVersion(): number {
    return this.#addon.environmentVersion()
  }

  protectHost(): { environmentWiped: boolean; notDumpable: boolean } {
    return this.#addon.protectHost()
  }
}

function toCompletion(fields: CompletionFields): NativeCompletion {
  const [outcome, pid, step, errno, exitCode, signal, userMs, systemMs, maxRssBytes, ...rest] = fields
  const [savedBytes, saveErrno, first, second, survivors = [], adopted, state] = rest
  return {
    outcome,
    pid,
    step,
    errno,
    exited: exitCode === undefined ? undefined : { exitCode, signal, userMs, systemMs, maxRssBytes },
    streams: [toStream(first), toStream(second)],
    survivors,
    adopted,
    state,
    savedBytes,
    saveErrno,
  }
}

function toStream(stream: NativeStream = ''): CapturedStream | string {
  if (typeof stream === 'string') return stream
  const [head, tail, total] = stream
  return { head, tail, total }
}

const packageRoot = join(__dirname, '..', '..')
let loaded: NativeEngine | undefined

/**
 * The engine, loaded at the first call.
 *
 * @throws {BashError} ERR_UNSUPPORTED_PLATFORM when it cannot be loaded; `cause` says why
 */
export function nativeEngine(): NativeEngine {
  // Loaded in the context in which this module was: the addon keeps the one it finds, for good.
  loaded ??= moduleContext.runInAsyncScope(load)
  return loaded
}

const moduleContext = new AsyncResource('bashward')

function load(): NativeEngine {
  try {
    if (process.platform !== 'linux') throw new Error(`the engine needs Linux (this is ${process.platform})`)
    const nodeGypBuild = require('node-gyp-build') as { (root: string): Addon; path(root: string): string }
    const supervisor = join(dirname(nodeGypBuild.path(packageRoot)), 'bashward-supervisor')
    if (!existsSync(supervisor)) throw new Error(`${supervisor} is missing`)
    return new NativeEngine(nodeGypBuild(packageRoot), supervisor)
  } catch (cause) {
    // The first line says what is wrong; node-gyp-build's message goes on with where it has looked.
    const [reason] = (cause instanceof Error ? cause.message : String(cause)).split('\n')
    throw new BashError(
      'ERR_UNSUPPORTED_PLATFORM',
      `bashward's native engine cannot be loaded: ${reason}; in a checkout, build it with: npm run build`,
      {
        cause,
      },
    )
  }
}
