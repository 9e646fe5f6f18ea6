// The engine: starting and ending commands, and what else only native code can do to processes.

import { systemError } from '../system-error.js'
import { type Addon, loadAddon, type SandboxSupport } from './addon.js'
import {
  type CompletionFields,
  encodeRequest,
  type NativeCompletion,
  type NativeOutputListener,
  type NativeRequest,
  toCompletion,
} from './call.js'

/** The engine of the addon, behind named fields. */
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

  /** True for the first call in this process, whichever thread makes it. */
  claimSandboxWarning(): boolean {
    return this.#addon.claimSandboxWarning()
  }
}

let engine: NativeEngine | undefined

/**
 * The engine; loads the addon at the first call.
 *
 * @throws {BashError} ERR_UNSUPPORTED_PLATFORM when it cannot be loaded; `cause` says why
 */
export function nativeEngine(): NativeEngine {
  if (engine === undefined) {
    const { addon, supervisor } = loadAddon()
    engine = new NativeEngine(addon, supervisor)
  }
  return engine
}
