// The engine: starting and ending commands, and what else only native code can do to processes.

import { constants } from 'node:os'
import { systemError } from '../../util/system-error.js'
import type { CommandRequest, Completion, OutputListener } from '../call.js'
import type { Engine, SandboxSupport } from '../engine.js'
import { type Addon, loadAddon } from './addon.js'
import { type CompletionFields, encodeRequest, toCompletion } from './call.js'

/** The engine of the addon, behind named fields. */
export class NativeEngine implements Engine {
  readonly name = 'native'
  readonly #addon: Addon
  readonly #supervisor: string

  constructor(addon: Addon, supervisor: string) {
    this.#addon = addon
    this.#supervisor = supervisor
  }

  start(
    request: CommandRequest,
    onCompletion: (completion: Completion) => void,
    onOutput?: OutputListener,
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

  cancel(id: number): void {
    this.#addon.cancel(id)
  }

  signalProcess(pid: number, startTime: number, signal: number): number {
    return this.#addon.signalProcess(pid, startTime, signal)
  }

  isLocked(path: string): boolean | undefined | { errno: number } {
    const answer = this.#addon.isLocked(path)
    if (answer >= 0) return answer === 1
    return unreachable.has(-answer) ? undefined : { errno: -answer }
  }

  environmentVersion(): number {
    return this.#addon.environmentVersion()
  }

  protectHost(): { environmentWiped: boolean; notDumpable: boolean } {
    return this.#addon.protectHost()
  }

  sandboxSupport(): SandboxSupport {
    return this.#addon.sandboxSupport()
  }

  claimSandboxWarning(): boolean {
    return this.#addon.claimSandboxWarning()
  }
}

const { EACCES, ELOOP, ENOENT, ENOLCK, ENOTDIR, ENXIO, EOPNOTSUPP } = constants.errno
const unreachable: ReadonlySet<number> = new Set([EACCES, ELOOP, ENOENT, ENOLCK, ENOTDIR, ENXIO, EOPNOTSUPP])

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
