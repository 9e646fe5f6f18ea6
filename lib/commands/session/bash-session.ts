// A session: calls that find what earlier calls have left. Each call is a bash of its own; what lives on is state.

import { BashError } from '../../base/errors.js'
import { resolveDirectory } from '../../base/util/directories.js'
import { checkInteger, checkObject } from '../../base/util/invalid-input.js'
import { onAbort } from '../../base/util/listeners.js'
import { part } from '../../base/util/load-part.js'
import { checkSandbox, policyKey, type SandboxMode, type SandboxPolicy } from '../../guard/sandbox/policy.js'
import { SessionMode, type SessionTurn } from './session-mode.js'
import type * as Snapshots from './snapshot.js'
import type { RestoreOptions, SessionSnapshot, SnapshotOptions } from './snapshot.js'
import { decodeText, encodeText, type ShellState } from './state.js'

export interface BashSessionOptions {
  /** Where the first call runs. A relative path is taken from the process's own directory. */
  workingDir: string
  /** Bytes that the record of a call may take, 65536…67108864. Default 4194304. */
  stateLimit?: number | undefined
}

export interface SessionCallOptions {
  /** The mode or the policy that the command runs with; each has a state of its own. Default `'unrestricted'`. */
  sandbox?: SandboxMode | SandboxPolicy | undefined
  /** Aborting it ends the waiting for earlier calls. The caller has to heed it for the rest. */
  cancelSignal?: AbortSignal | undefined
}

const defaultStateLimit = 4 * 1024 * 1024
const stateLimitRange = [64 * 1024, 64 * 1024 * 1024] as const

const names = ['workingDir', 'stateLimit'] as const satisfies readonly (keyof BashSessionOptions)[]
const callNames = ['sandbox', 'cancelSignal'] as const satisfies readonly (keyof SessionCallOptions)[]

/**
 * Remembers, from call to call: the working directory and the stack of `pushd`, variables with their attributes,
 * functions, aliases, positional parameters, the umask, and the options of `shopt` and `set`. Not carried over: that a
 * variable is read-only, functions named `builtin` and `trap`, traps, `set -e -u -v -x -n -o pipefail`, open files and limits. A
 * call that is ended by a signal, a timeout, a cancel or `exec` leaves everything as it was.
 *
 * Calls wait for each other. Each sandbox mode and each policy has a state and a directory of its own: a command in one
 * could define what a command in the other runs, and where.
 */
export class BashSession {
  /** Where it began: the relative paths of policies begin there. */
  readonly initialDirectory: string
  readonly #stateLimit: number
  /** By the name of the mode, or by what the policy says. */
  readonly #modes = new Map<string, SessionMode>()
  /** What states are without, as far as a call has named it. */
  readonly #named = new Set<string>()
  readonly #queue = new TurnQueue()
  #last = 'unrestricted'
  /** Calls that have had their turn. */
  #sequence = 0

  /** @throws {BashError} ERR_INVALID_INPUT for a wrong option */
  constructor(options: BashSessionOptions) {
    const { workingDir, stateLimit = defaultStateLimit } = checkObject('options', options, names)
    this.initialDirectory = resolveDirectory('workingDir', workingDir)
    this.#stateLimit = checkInteger('stateLimit', stateLimit, stateLimitRange, 'bytes')
  }

  /** Where the last call has left the session. Bytes of its name that are not UTF-8 show as U+FFFD. */
  get workingDir(): string {
    return decodeText(this.#mode(this.#last).directory)
  }

  /** Where the next call in this mode, or with this policy, runs. Bytes of its name that are not UTF-8 show as U+FFFD. */
  workingDirIn(sandbox: SandboxMode | SandboxPolicy): string {
    return decodeText(this.#mode(keyOf(sandbox)).directory)
  }

  /** What the state for this mode or policy is told apart by. */
  stateName(sandbox: SandboxMode | SandboxPolicy): string {
    return keyOf(sandbox)
  }

  /** Whether the next call in this mode has a variable from an earlier one; undefined: none has set or unset it. */
  holdsVariable(sandbox: SandboxMode | SandboxPolicy, name: string): boolean | undefined {
    const { variables, unsetVariables } = this.#mode(keyOf(sandbox)).shell
    if (variables.has(encodeText(name))) return true
    return unsetVariables.has(encodeText(name)) ? false : undefined
  }

  /** What the next call in this mode, or with this policy, begins with. */
  shellIn(sandbox: SandboxMode | SandboxPolicy): ShellState {
    return this.#mode(keyOf(sandbox)).shell
  }

  /**
   * Waits until all earlier calls have ended.
   *
   * @returns undefined when the call was cancelled before its turn came
   * @throws {BashError} ERR_INVALID_INPUT for a wrong option
   */
  async enter(options: SessionCallOptions): Promise<SessionTurn | undefined> {
    const { cancelSignal, ...fields } = checkObject('options', options, callNames) as SessionCallOptions
    const key = keyOf(fields.sandbox)
    const release = await this.#queue.enter(cancelSignal)
    if (release === undefined) return undefined
    try {
      this.#last = key
      this.#sequence += 1
      return this.#mode(key).begin(this.#stateLimit, release)
    } catch (error) {
      release()
      throw error
    }
  }

  /**
   * Everything that the session keeps, for a later process: sealed with the host's key. Waits until all earlier calls
   * have ended.
   *
   * @throws {BashError} ERR_INVALID_INPUT for a wrong option; ERR_TOO_LARGE; ERR_CANCELLED
   */
  async snapshot(options: SnapshotOptions): Promise<SessionSnapshot> {
    const { cancel, ...sealing } = snapshots().checkSnapshotOptions(options)
    const release = await this.#queue.enter(cancel)
    if (release === undefined) {
      throw new BashError('ERR_CANCELLED', 'cancelled while the snapshot waited for the calls of its session')
    }
    // States are never changed, only replaced: once they are collected, the next call may begin.
    const modes = new Map([...this.#modes].map(([key, mode]) => [key, mode.contents]))
    const contents = {
      sequence: this.#sequence,
      stateLimit: this.#stateLimit,
      initialDirectory: this.initialDirectory,
      last: this.#last,
      named: [...this.#named],
      modes,
    }
    release()
    return snapshots().seal(contents, sealing)
  }

  /**
   * A session like the one that the snapshot was taken of. Its next call defines the functions and variables that the
   * snapshot holds: whoever can make one that is accepted here can run commands here.
   *
   * @param snapshot the `data` that {@link snapshot} gave
   * @throws {BashError} ERR_INVALID_INPUT for a wrong argument; ERR_SNAPSHOT when it has been changed or cut, or was made
   *   with another key or for another conversation; ERR_SNAPSHOT_VERSION; ERR_SNAPSHOT_STALE; ERR_TOO_LARGE
   */
  static async restore(snapshot: Uint8Array, options: RestoreOptions): Promise<BashSession> {
    const contents = snapshots().open(snapshot, options)
    const { initialDirectory: workingDir, stateLimit } = contents
    const session = new BashSession({ workingDir, stateLimit })
    for (const name of contents.named) session.#named.add(name)
    for (const [key, mode] of contents.modes) session.#mode(key).contents = mode
    session.#last = contents.last
    session.#sequence = contents.sequence
    return session
  }

  #mode(key: string): SessionMode {
    let mode = this.#modes.get(key)
    if (mode === undefined) {
      mode = new SessionMode(encodeText(this.initialDirectory), this.#named)
      this.#modes.set(key, mode)
    }
    return mode
  }
}

/** @throws {BashError} ERR_INVALID_INPUT */
function keyOf(sandbox: unknown): string {
  const checked = checkSandbox('sandbox', sandbox)
  return typeof checked === 'string' ? checked : policyKey(checked)
}

/** Turns, one at a time, in the order of asking. */
class TurnQueue {
  #busy = false
  readonly #waiting = new Set<() => void>()

  /**
   * Waits for a turn.
   *
   * @returns a function that ends the turn; undefined when `signal` was aborted before it came
   */
  async enter(signal: AbortSignal | undefined): Promise<(() => void) | undefined> {
    if (signal?.aborted === true) return undefined
    if (!this.#busy) {
      this.#busy = true
      return this.#leave
    }
    return await new Promise((resolve) => {
      const start = () => {
        release()
        resolve(this.#leave)
      }
      this.#waiting.add(start)
      const release = onAbort(signal, () => {
        this.#waiting.delete(start)
        resolve(undefined)
      })
    })
  }

  readonly #leave = (): void => {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#busy = false
      return
    }
    this.#waiting.delete(next)
    next()
  }
}

const snapshots = part((): typeof Snapshots => require('./snapshot.js'))
