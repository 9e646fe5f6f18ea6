// A session: calls that find what earlier calls have left. Each call is a bash of its own; what lives on is state.

import { constants } from 'node:os'
import { BashError } from '../errors.js'
import { checkInteger, checkObject } from '../invalid-input.js'
import { randomHex } from '../lazy-builtins.js'
import { part } from '../load-part.js'
import { resolveDirectory } from '../resolve-directory.js'
import type { SandboxMode } from '../result.js'
import { systemError } from '../system-error.js'
import { type ByteString, decodeText, encodeText, fromBuffer, toBuffer } from './bytes.js'
import { nearestDirectory, startDirectory } from './directory.js'
import { RecordFault } from './fault.js'
import type * as Protocol from './protocol.js'
import { TurnQueue } from './queue.js'
import { freshState, type ShellState } from './state.js'

export interface BashSessionOptions {
  /** Where the first call runs. A relative path is taken from the process's own directory. */
  workingDir: string
  /** Bytes that the record of a call may take, 65536…67108864. Default 4194304. */
  stateLimit?: number | undefined
}

/** What a call of a session is executed with. */
export interface SessionRequest {
  /** The working directory to start the shell in. */
  cwd: string
  /**
   * The text that BASH_ENV is to lead to: `BASH_ENV=/dev/fd/200`, with the text at descriptor 200 and an empty file
   * at 201. POSIXLY_CORRECT must not be in the environment: bash would not read BASH_ENV.
   */
  prologue: Buffer
  /** Bytes of state to hand back at most. */
  stateLimit: number
}

/** What the session needs to know of a call that has ended. */
export interface SessionOutcome {
  /**
   * What the shell has written to the state file, at most `stateLimit` bytes. Undefined when the shell did not exit
   * by itself: it was ended by a signal, a timeout or a cancel.
   */
  state: Buffer | undefined
  /** The shell has exited by itself and written more than that: then nothing is handed back. */
  tooLarge?: boolean | undefined
  /** What is known to have cut the state, should it turn out to be missing or incomplete. */
  cut?: string | undefined
}

/** Runs the command of a call and resolves when it has ended. */
export type SessionExecutor<Outcome extends SessionOutcome> = (request: SessionRequest) => Promise<Outcome>

export interface SessionCallOptions {
  /** The mode that the command runs in; each has a state of its own. Default `'unrestricted'`. */
  sandbox?: SandboxMode | undefined
  /** Aborting it ends the waiting for earlier calls. The executor has to heed it for the rest. */
  cancelSignal?: AbortSignal | undefined
}

export interface SessionCall<Outcome extends SessionOutcome> {
  /** What the executor has resolved with. */
  outcome: Outcome
  /** Why the session is as it was before the call; undefined when it has taken over what the call left. */
  unsaved?: string
}

const defaultStateLimit = 4 * 1024 * 1024
const stateLimitRange = [64 * 1024, 64 * 1024 * 1024] as const

const names = ['workingDir', 'stateLimit'] as const satisfies readonly (keyof BashSessionOptions)[]

/**
 * Remembers, from call to call: the working directory, variables with their attributes, functions, aliases, and the
 * options of `shopt` and `set`. Not carried over: read-only variables, functions named `builtin` and `trap`, traps,
 * `set -e -u -v -x -n`, open files, limits and umask. A call that is ended by a signal, a timeout, a cancel or `exec`
 * leaves everything as it was.
 *
 * Calls wait for each other. Each sandbox mode has a state of its own, as a command in one could define what a
 * command in the other runs; they share the working directory.
 * Source: 004/FR-009.
 */
export class BashSession {
  readonly #stateLimit: number
  readonly #queue = new TurnQueue()
  readonly #states = new Map<SandboxMode, ShellState>()
  #directory: ByteString

  /** @throws {BashError} ERR_INVALID_INPUT for a wrong option; ERR_WORKING_DIR */
  constructor(options: BashSessionOptions) {
    checkObject('options', options, names)
    const { workingDir, stateLimit = defaultStateLimit } = options
    this.#directory = encodeText(resolveDirectory('workingDir', workingDir))
    this.#stateLimit = checkInteger('stateLimit', stateLimit, stateLimitRange, 'bytes')
  }

  /** Where the next call runs. Bytes of its name that are not UTF-8 show as U+FFFD. */
  get workingDir(): string {
    return decodeText(this.#directory)
  }

  /**
   * Executes a call when all earlier ones have ended.
   *
   * @returns undefined when it was cancelled before it began
   * @throws {BashError} ERR_WORKING_DIR when the working directory cannot be entered: the command has not run, and the
   *   session has moved to the nearest directory above. And whatever `execute` rejects with.
   */
  async run<Outcome extends SessionOutcome>(
    { sandbox = 'unrestricted', cancelSignal }: SessionCallOptions,
    execute: SessionExecutor<Outcome>,
  ): Promise<SessionCall<Outcome> | undefined> {
    const leave = await this.#queue.enter(cancelSignal)
    if (leave === undefined) return undefined
    try {
      return await this.#call(sandbox, execute)
    } finally {
      leave()
    }
  }

  async #call<Outcome extends SessionOutcome>(
    sandbox: SandboxMode,
    execute: SessionExecutor<Outcome>,
  ): Promise<SessionCall<Outcome>> {
    const before = this.#states.get(sandbox) ?? freshState
    const nonce = randomHex(12)
    const request: SessionRequest = {
      cwd: startDirectory(this.#directory),
      prologue: toBuffer(protocol().buildPrologue(before, this.#directory, nonce)),
      stateLimit: this.#stateLimit,
    }
    let outcome: Outcome
    try {
      outcome = await execute(request)
    } catch (error) {
      if (!BashError.isInstance(error) || error.code !== 'ERR_WORKING_DIR') throw error
      throw await this.#leaveDirectory(error)
    }
    const unsaved = await this.#takeOver(outcome, { sandbox, before, nonce })
    if (unsaved === undefined) return { outcome }
    return { outcome, unsaved: outcome.cut === undefined ? unsaved : `${unsaved}: ${outcome.cut}` }
  }

  /** @returns why nothing was taken over */
  async #takeOver(
    { state: record, tooLarge = false }: SessionOutcome,
    { sandbox, before, nonce }: { sandbox: SandboxMode; before: ShellState; nonce: string },
  ): Promise<string | undefined> {
    if (tooLarge || (record?.length ?? 0) >= this.#stateLimit) {
      return `the state is larger than ${this.#stateLimit} bytes`
    }
    if (record === undefined) return 'the shell was ended before it could save its state'
    const read = attempt(() => protocol().readRecord(fromBuffer(record), nonce, before))
    if (read instanceof RecordFault) return `the saved state is damaged: ${read.message}`
    if (read.kind === 'unread')
      return 'the shell has not read the prologue (not bash, or in POSIX mode from the start)'
    if (read.kind === 'none') return 'the shell ended without saving its state (exec, or another EXIT trap)'
    if (read.kind === 'lost') {
      const path = this.workingDir
      throw await this.#leaveDirectory(
        systemError('ERR_WORKING_DIR', { step: 'chdir', errno: constants.errno.ENOENT, path }),
      )
    }
    this.#states.set(sandbox, read.state)
    this.#directory = read.directory ?? this.#directory
    return undefined
  }

  async #leaveDirectory(cause: BashError): Promise<BashError> {
    const lost = this.workingDir
    this.#directory = await nearestDirectory(this.#directory)
    const message =
      `the session's working directory ${lost} cannot be entered (${cause.message}); ` +
      `the command has not run, and the session is now in ${this.workingDir}`
    const { step = 'chdir', errno = constants.errno.ENOENT, path = lost } = cause
    return new BashError('ERR_WORKING_DIR', message, { step, errno, path, cause })
  }
}

const protocol = part((): typeof Protocol => require('./protocol.js'))

function attempt<Value>(read: () => Value): Value | RecordFault {
  try {
    return read()
  } catch (error) {
    if (error instanceof RecordFault) return error
    throw error
  }
}
