// The addon: where it is, and what it offers. Everything else in lib/ knows the engine only through this file.

import { AsyncResource } from 'node:async_hooks'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BashError } from '../errors.js'
import { systemError } from '../system-error.js'
import {
  type CompletionFields,
  encodeRequest,
  type NativeCompletion,
  type NativeOutputListener,
  type NativeRequest,
  toCompletion,
} from './call.js'

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
  sandboxSupport(): SandboxSupport
}

/** What the kernel has of the means of Restricted mode. */
export interface SandboxSupport {
  /** The version of Landlock's ABI, or the negative error number: -ENOSYS, -EOPNOTSUPP, -EPERM. */
  landlock: number
  /** Whether it confines signals. */
  signals: boolean
  /** Whether there are seccomp filters. */
  seccomp: boolean
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
    const { texts, numbers } = encodeRequest(request, this.#supervisor)
    const onFields = (...fields: CompletionFields) => onCompletion(toCompletion(fields))
    try {
      const { environment, session } = request
      return this.#addon.start(texts, numbers, environment, onFields, onOutput, session?.prologue)
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

  sandboxSupport(): SandboxSupport {
    return this.#addon.sandboxSupport()
  }
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
