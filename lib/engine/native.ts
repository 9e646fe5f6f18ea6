// The addon: where it is, and what it offers. Everything else in lib/ knows the engine only through this file.

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BashError } from '../errors.js'
import type { CapturedStream } from '../output/decode.js'

/** What the addon runs. Checked by the caller: the addon reads a field of another type as empty or 0. */
export interface NativeRequest {
  /** Path of the supervisor's executable. */
  supervisor: string
  /** Absolute path of the shell. */
  shell: string
  command: string
  /** Absolute path of the working directory. */
  directory: string
  /** `NAME=value` entries, each ended by a NUL. */
  environment: string
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
  /** Resource, soft and hard limit of setrlimit(2), three numbers each. */
  limits: number[]
}

/** How a command came to its end: the values of `process::Outcome`. */
export enum Outcome {
  ended = 0,
  timedOut = 1,
  cancelled = 2,
  notStarted = 3,
  supervisorLost = 4,
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
  /** For `notStarted`: the step that failed. */
  step?: string
  errno?: number
  /** How the shell ended, when it is known. */
  exited?: {
    /** -1 when it was ended by a signal. */
    exitCode: number
    /** 0 when it exited. */
    signal: number
    userMs: number
    systemMs: number
    maxRssBytes: number
  }
  /** One for merged output, else stdout and stderr; none when the supervisor could not be started. */
  streams: CapturedStream[]
  survivors: NativeSurvivor[]
  /** Bytes in the file, when it was needed. */
  savedBytes?: number
  /** 0, or why it is missing or incomplete. */
  saveErrno?: number
}

export type NativeOutputListener = (stream: number, bytes: Buffer, dropped: number) => void

interface Addon {
  start(
    request: NativeRequest,
    onCompletion: (completion: NativeCompletion) => void,
    onOutput?: NativeOutputListener,
  ): number
  cancel(id: number): void
  protectHost(): { environmentWiped: boolean; notDumpable: boolean }
}

export interface NativeEngine extends Addon {
  supervisor: string
}

const packageRoot = join(__dirname, '..', '..')
let loaded: NativeEngine | undefined

/**
 * The engine, loaded at the first call.
 *
 * @throws {BashError} ERR_UNSUPPORTED_PLATFORM when it cannot be loaded; `cause` says why
 */
export function nativeEngine(): NativeEngine {
  loaded ??= load()
  return loaded
}

function load(): NativeEngine {
  try {
    if (process.platform !== 'linux') throw new Error(`the engine needs Linux (this is ${process.platform})`)
    const nodeGypBuild = require('node-gyp-build') as { (root: string): Addon; path(root: string): string }
    const supervisor = join(dirname(nodeGypBuild.path(packageRoot)), 'bashward-supervisor')
    if (!existsSync(supervisor)) throw new Error(`${supervisor} is missing`)
    return { ...nodeGypBuild(packageRoot), supervisor }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new BashError('ERR_UNSUPPORTED_PLATFORM', `bashward's native engine cannot be loaded: ${reason}`, {
      cause,
    })
  }
}
