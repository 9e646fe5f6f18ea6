// A session: calls that find what earlier calls have left. Each call is a bash of its own; what lives on is state.

import { isUtf8 } from 'node:buffer'
import { constants } from 'node:os'
import { BashError, systemError } from '../errors.js'
import { type SandboxMode, sandboxModes } from '../run/result.js'
import { resolveDirectory } from '../util/directories.js'
import { checkInteger, checkObject, checkOneOf } from '../util/invalid-input.js'
import { randomHex } from '../util/lazy.js'
import { part } from '../util/load-part.js'
import { nearestDirectory } from './nearest-directory.js'
import type * as Protocol from './protocol.js'
import { TurnQueue } from './queue.js'
import type { SessionRecord } from './read-record.js'
import { inSteps, RecordFault } from './reading.js'
import {
  type ByteString,
  decodeText,
  encodeText,
  freshState,
  fromBuffer,
  type ShellState,
  toBuffer,
} from './state.js'

export interface BashSessionOptions {
  /** Where the first call runs. A relative path is taken from the process's own directory. */
  workingDir: string
  /** Bytes that the record of a call may take, 65536…67108864. Default 4194304. */
  stateLimit?: number | undefined
}

export interface SessionCallOptions {
  /** The mode that the command runs in; each has a state of its own. Default `'unrestricted'`. */
  sandbox?: SandboxMode | undefined
  /** Aborting it ends the waiting for earlier calls. The caller has to heed it for the rest. */
  cancelSignal?: AbortSignal | undefined
}

/** What a call is executed with once its turn has come. The next one waits until `release` is called. */
export interface SessionTurn {
  /** Where the command is to run. */
  workingDir: string
  /** The working directory to start the shell in; the prologue may enter the other one. */
  cwd: string
  /**
   * The text that BASH_ENV is to lead to: `BASH_ENV=/dev/fd/200`, with the text at descriptor 200 and an empty file
   * at 201. POSIXLY_CORRECT must not be in the environment: bash would not read BASH_ENV.
   */
  prologue: Buffer
  /** The descriptor of the prologue, 200 unless the limit on open files is lower; the state file has the next one. */
  prologueDescriptor: number
  /** Bytes of state to hand back at most. */
  stateLimit: number
  /** What the shell has written to the state file; undefined when that is more than `stateLimit` bytes. */
  state: Buffer | undefined
  /** Sets `state`. */
  onState(state: Buffer | undefined): void
  /**
   * Takes over what a command has left.
   *
   * @throws {BashError} ERR_WORKING_DIR as `explain` gives it. ERR_SPAWN when the shell is a bash older than 4.4: the
   *   command has not run
   */
  leave(outcome: SessionOutcome): Promise<TakenOver>
  /**
   * Explains why a command did not start. When its directory cannot be entered, the session moves to the nearest
   * directory above.
   *
   * @returns the error to throw
   */
  explain(error: unknown): Promise<unknown>
  /** To be called once, in the end. */
  release(): void
}

/** What the session needs to know of a call that has ended. */
export interface SessionOutcome {
  /**
   * How the shell came to its end: by itself, by a signal, or ended from outside (by a timeout, a cancel; or it has
   * not run, or still runs).
   */
  end: 'exited' | 'signalled' | 'stopped'
  /** What is known to have cut the state, should it turn out to be missing or incomplete. */
  cut?: string | undefined
}

export interface TakenOver {
  /**
   * What the session has not taken over of what the call left, and why. Undefined when it has taken over everything, or
   * all but what an earlier call has named.
   */
  unsaved?: string
  /** The session has forgotten what earlier calls left: no shell could be given that state. `unsaved` says so. */
  isFresh?: true
}

interface ModeState {
  shell: ShellState
  directory: ByteString
  /** A shell has ended before the command ran, or so its record says. */
  isDoubtful?: true
}

const defaultStateLimit = 4 * 1024 * 1024
const stateLimitRange = [64 * 1024, 64 * 1024 * 1024] as const

const names = ['workingDir', 'stateLimit'] as const satisfies readonly (keyof BashSessionOptions)[]
const callNames = ['sandbox', 'cancelSignal'] as const satisfies readonly (keyof SessionCallOptions)[]

/**
 * Remembers, from call to call: the working directory and the stack of `pushd`, variables with their attributes,
 * functions, aliases, positional parameters, the umask, and the options of `shopt` and `set`. Not carried over: that a
 * variable is read-only, functions named `builtin` and `trap`, traps, `set -e -u -v -x -n`, open files and limits. A
 * call that is ended by a signal, a timeout, a cancel or `exec` leaves everything as it was.
 *
 * Calls wait for each other. Each sandbox mode has a state and a directory of its own: a command in one could define
 * what a command in the other runs, and where.
 */
export class BashSession {
  readonly #initialDirectory: ByteString
  readonly #stateLimit: number
  readonly #modes = new Map<SandboxMode, ModeState>()
  readonly #named = new Set<string>()
  readonly #queue = new TurnQueue()
  #lastMode: SandboxMode = 'unrestricted'

  /** @throws {BashError} ERR_INVALID_INPUT for a wrong option */
  constructor(options: BashSessionOptions) {
    const { workingDir, stateLimit = defaultStateLimit } = checkObject('options', options, names)
    this.#initialDirectory = encodeText(resolveDirectory('workingDir', workingDir))
    this.#stateLimit = checkInteger('stateLimit', stateLimit, stateLimitRange, 'bytes')
  }

  /** Where the last call has left the session. Bytes of its name that are not UTF-8 show as U+FFFD. */
  get workingDir(): string {
    return this.workingDirIn(this.#lastMode)
  }

  /** Where the next call in this mode runs. Bytes of its name that are not UTF-8 show as U+FFFD. */
  workingDirIn(sandbox: SandboxMode): string {
    return decodeText(this.#modeState(sandbox).directory)
  }

  /** Whether the next call in this mode has a variable from an earlier one; undefined: none has set or unset it. */
  holdsVariable(sandbox: SandboxMode, name: string): boolean | undefined {
    const { variables, unsetVariables } = this.#modeState(sandbox).shell
    if (variables.has(encodeText(name))) return true
    return unsetVariables.has(encodeText(name)) ? false : undefined
  }

  /**
   * Waits until all earlier calls have ended.
   *
   * @returns undefined when the call was cancelled before its turn came
   * @throws {BashError} ERR_INVALID_INPUT for a wrong option
   */
  async enter(options: SessionCallOptions): Promise<SessionTurn | undefined> {
    const { cancelSignal, ...fields } = checkObject('options', options, callNames) as SessionCallOptions
    const sandbox = checkOneOf('sandbox', fields.sandbox, sandboxModes)
    const release = await this.#queue.enter(cancelSignal)
    if (release === undefined) return undefined
    try {
      return this.#turn(sandbox, release)
    } catch (error) {
      release()
      throw error
    }
  }

  #turn(sandbox: SandboxMode, release: () => void): SessionTurn {
    this.#lastMode = sandbox
    const { shell, directory } = this.#modeState(sandbox)
    const nonce = randomHex(12)
    const turn: SessionTurn = {
      workingDir: decodeText(directory),
      // A name that is not UTF-8 does not survive in a string of JavaScript: the prologue enters that directory.
      cwd: isUtf8(toBuffer(directory)) ? decodeText(directory) : '/',
      prologue: toBuffer(protocol().buildPrologue(shell, directory, nonce)),
      prologueDescriptor: protocol().prologueDescriptor,
      stateLimit: this.#stateLimit,
      state: undefined,
      onState: (state) => (turn.state = state),
      leave: async (outcome) => {
        const record = await this.#readRecord(turn.state, outcome.end, nonce, shell)
        return await this.#takeOver(record, sandbox, outcome)
      },
      explain: async (error) =>
        BashError.isInstance(error) && error.code === 'ERR_WORKING_DIR'
          ? await this.#leaveDirectory(sandbox, error)
          : error,
      release,
    }
    return turn
  }

  /** @returns undefined when the record is too large to be read */
  async #readRecord(
    state: Buffer | undefined,
    end: SessionOutcome['end'],
    nonce: string,
    before: ShellState,
  ): Promise<SessionRecord | RecordFault | undefined> {
    if (state === undefined || state.length > this.#stateLimit) {
      return end === 'exited' ? undefined : { kind: 'unread' }
    }
    try {
      return await inSteps(protocol().readRecord(fromBuffer(state), nonce, before))
    } catch (error) {
      if (error instanceof RecordFault) return error
      throw error
    }
  }

  async #takeOver(
    record: SessionRecord | RecordFault | undefined,
    sandbox: SandboxMode,
    { end, cut }: SessionOutcome,
  ): Promise<TakenOver> {
    const because = (reason: string) => ({ unsaved: cut === undefined ? reason : `${reason}: ${cut}` })
    if (record === undefined) return because(`the state is larger than ${this.#stateLimit} bytes`)
    if (record instanceof RecordFault) {
      return because(end === 'exited' ? `the saved state is damaged: ${record.message}` : endedEarly)
    }
    const { directory } = this.#modeState(sandbox)
    switch (record.kind) {
      case 'unread':
        return because(end === 'exited' ? notSourced : endedEarly)
      case 'old':
        throw new BashError('ERR_SPAWN', oldShell(record.version))
      case 'lost':
        throw await this.#leaveDirectory(
          sandbox,
          systemError('ERR_WORKING_DIR', {
            step: 'chdir',
            errno: constants.errno.ENOENT,
            path: decodeText(directory),
          }),
        )
      case 'unready':
        return this.#giveUp(sandbox, end, because(endedRestoring))
      case 'none':
        return because(
          end === 'exited'
            ? 'the shell ended without saving its state (exec, another EXIT trap, a limit, FUNCNEST, set -n, or its descriptors taken)'
            : endedEarly,
        )
      case 'saved':
        // A shell that a signal ends may have run its EXIT trap, but not to its own end.
        if (end !== 'exited') return because(endedEarly)
        this.#modes.set(sandbox, { shell: record.state, directory: record.directory ?? directory })
        return this.#name(record.dropped)
    }
  }

  /** The next shell would end in the same way. One that exits may have had its record overwritten by a child, once. */
  #giveUp(
    sandbox: SandboxMode,
    end: SessionOutcome['end'],
    unsaved: { unsaved: string },
  ): { unsaved: string; isFresh?: true } {
    const { shell, directory, isDoubtful } = this.#modeState(sandbox)
    if (end === 'stopped' || shell === freshState) return unsaved
    if (end === 'exited' && !isDoubtful) {
      this.#modes.set(sandbox, { shell, directory, isDoubtful: true })
      return unsaved
    }
    this.#modes.set(sandbox, { shell: freshState, directory })
    return { unsaved: `${unsaved.unsaved}; the session is as new, but for its directory`, isFresh: true }
  }

  /** What a state is without is named once. */
  #name(dropped: readonly ByteString[]): TakenOver {
    const unnamed = dropped.map(decodeText).filter((name) => !this.#named.has(name))
    for (const name of unnamed) this.#named.add(name)
    return unnamed.length === 0 ? {} : { unsaved: `${unnamed.join(', ')} (all else is kept)` }
  }

  #modeState(sandbox: SandboxMode): ModeState {
    return this.#modes.get(sandbox) ?? { shell: freshState, directory: this.#initialDirectory }
  }

  async #leaveDirectory(sandbox: SandboxMode, cause: BashError): Promise<BashError> {
    const { shell, directory } = this.#modeState(sandbox)
    const lost = decodeText(directory)
    this.#modes.set(sandbox, { shell, directory: await nearestDirectory(directory) })
    const message =
      `the session's working directory ${lost} cannot be entered (${cause.message}); ` +
      `the command has not run, and the session is now in ${this.workingDirIn(sandbox)}`
    const { step = 'chdir', errno = constants.errno.ENOENT, path = lost } = cause
    return new BashError('ERR_WORKING_DIR', message, { step, errno, path, cause })
  }
}

const endedEarly = 'the shell was ended before it could save its state'
const notSourced = 'the shell has not read the prologue (not bash, or in POSIX mode from the start)'
const endedRestoring = 'the shell ended while it was given what earlier calls left'
const oldShell = (version: ByteString) =>
  `sessions need bash 4.4 or newer (the shell is bash ${decodeText(version)}); the command has not run`

const protocol = part((): typeof Protocol => require('./protocol.js'))
