// One sandbox mode of a session: what its calls are executed with, and what they leave to the next.

import { isUtf8 } from 'node:buffer'
// Not from node:fs/promises: that is loaded when `promises` is read.
import { constants as access, promises } from 'node:fs'
import { constants } from 'node:os'
import { BashError, systemError } from '../../base/errors.js'
import { crypto } from '../../base/util/lazy.js'
import { part } from '../../base/util/load-part.js'
import type * as Protocol from './protocol.js'
import type { SessionRecord } from './read-record.js'
import { inSteps, RecordFault } from './reading.js'
import type { EarlierReading } from './saved-state.js'
import type { CallMarks } from './shell-code.js'
import type { ModeContents } from './snapshot-contents.js'
import { type ByteString, decodeText, freshState, fromBuffer, type ShellState, toBuffer } from './state.js'

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
  /**
   * What the session takes over of what the call has left. Default: all. With another one, the session neither moves nor
   * starts anew for what its record says.
   */
  takes?: 'nothing' | Selection | undefined
}

/** What lives on from call to call. */
export interface KeptState {
  shell: ShellState
  directory: ByteString
}

/**
 * Says what is to be taken over. Never rejects.
 *
 * @param before what the call began with
 * @param left what it has left
 */
export type Selection = (before: KeptState, left: KeptState) => Promise<Selected>

export interface Selected extends KeptState {
  /** What was left and is not taken over, for people. */
  dropped: readonly ByteString[]
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

/** What lives on from call to call. */
export class SessionMode {
  shell = freshState
  directory: ByteString
  /** A shell has ended before the command ran, or so its record says. */
  #isDoubtful = false
  readonly #earlier: EarlierReading = {}
  readonly #named: Set<string>

  /** @param named what states are without, as far as a call has named it */
  constructor(directory: ByteString, named: Set<string>) {
    this.directory = directory
    this.#named = named
  }

  /** What a snapshot has of it. */
  get contents(): ModeContents {
    return { directory: this.directory, isDoubtful: this.#isDoubtful, shell: this.shell }
  }

  set contents({ directory, isDoubtful, shell }: ModeContents) {
    this.#set(shell, directory)
    this.#isDoubtful = isDoubtful
  }

  /**
   * Begins a call.
   *
   * @param stateLimit bytes that its record may take
   * @param release ends its turn
   */
  begin(stateLimit: number, release: () => void): SessionTurn {
    const { shell, directory } = this
    // randomUUID has its random bytes ready, twenty times as fast as randomBytes.
    const random = () => crypto().randomUUID().replaceAll('-', '').slice(0, 24)
    const marks = { nonce: random(), secret: random() }
    const turn: SessionTurn = {
      workingDir: decodeText(directory),
      // A name that is not UTF-8 does not survive in a string of JavaScript: the prologue enters that directory.
      cwd: isUtf8(toBuffer(directory)) ? decodeText(directory) : '/',
      prologue: toBuffer(protocol().buildPrologue(shell, directory, marks)),
      prologueDescriptor: protocol().prologueDescriptor,
      stateLimit,
      state: undefined,
      onState: (state) => (turn.state = state),
      leave: async (outcome) => {
        const record = await this.#read(turn, outcome, marks, shell)
        // Of a command that nobody has approved, the record may be written by a program that it has run.
        if (outcome.takes !== undefined && isFault(record)) return { unsaved: notBegun }
        if (outcome.takes === 'nothing') return {}
        return await this.#takeOver(record, stateLimit, outcome)
      },
      explain: async (error) =>
        BashError.isInstance(error) && error.code === 'ERR_WORKING_DIR'
          ? await this.#leaveDirectory(error)
          : error,
      release,
    }
    return turn
  }

  /** @returns undefined when the record is too large to be read */
  async #read(
    { state, stateLimit }: SessionTurn,
    { end, takes }: SessionOutcome,
    marks: CallMarks,
    before: ShellState,
  ): Promise<SessionRecord | RecordFault | undefined> {
    if (state === undefined || state.length > stateLimit) {
      return end === 'exited' ? undefined : { kind: 'unread' }
    }
    const earlier = takes === undefined ? this.#earlier : { ...this.#earlier }
    try {
      return await inSteps(protocol().readRecord(fromBuffer(state), marks, before, earlier))
    } catch (error) {
      if (error instanceof RecordFault) return error
      throw error
    }
  }

  async #takeOver(
    record: SessionRecord | RecordFault | undefined,
    stateLimit: number,
    { end, cut, takes }: SessionOutcome,
  ): Promise<TakenOver> {
    const because = (reason: string) => ({ unsaved: cut === undefined ? reason : `${reason}: ${cut}` })
    if (record === undefined) return because(`the state is larger than ${stateLimit} bytes`)
    if (record instanceof RecordFault) {
      return because(end === 'exited' ? `the saved state is damaged: ${record.message}` : endedEarly)
    }
    switch (record.kind) {
      case 'unread':
        return because(end === 'exited' ? notSourced : endedEarly)
      case 'old':
        throw new BashError('ERR_SPAWN', oldShell(record.version))
      case 'lost':
        throw await this.#leaveDirectory(
          systemError('ERR_WORKING_DIR', {
            step: 'chdir',
            errno: constants.errno.ENOENT,
            path: decodeText(this.directory),
          }),
        )
      case 'unready':
        return this.#giveUp(end, because(endedRestoring))
      case 'none':
        return because(
          end === 'exited'
            ? 'the shell ended without saving its state (exec, another EXIT trap, a limit, FUNCNEST, set -n, or its descriptors taken)'
            : endedEarly,
        )
      case 'saved':
        // A shell that a signal ends may have run its EXIT trap, but not to its own end.
        if (end !== 'exited') return because(endedEarly)
        return await this.#keep(record, takes)
    }
  }

  async #keep(
    { state: shell, directory = this.directory, dropped }: SessionRecord & { kind: 'saved' },
    takes: SessionOutcome['takes'],
  ): Promise<TakenOver> {
    const left = { shell, directory, dropped }
    const before = { shell: this.shell, directory: this.directory }
    const kept = typeof takes === 'function' ? await takes(before, left) : left
    this.#set(kept.shell, kept.directory)
    return this.#name([...new Set([...dropped, ...kept.dropped])])
  }

  /** The next shell would end in the same way. One that exits may have had its record overwritten by a child, once. */
  #giveUp(end: SessionOutcome['end'], unsaved: { unsaved: string }): TakenOver {
    if (end === 'stopped' || this.shell === freshState) return unsaved
    if (end === 'exited' && !this.#isDoubtful) {
      this.#isDoubtful = true
      return unsaved
    }
    this.#set(freshState)
    return { unsaved: `${unsaved.unsaved}; the session is as new, but for its directory`, isFresh: true }
  }

  /** What a state is without is named once. */
  #name(dropped: readonly ByteString[]): TakenOver {
    const unnamed = dropped.map(decodeText).filter((name) => !this.#named.has(name))
    for (const name of unnamed) this.#named.add(name)
    return unnamed.length === 0 ? {} : { unsaved: `${unnamed.join(', ')} (all else is kept)` }
  }

  #set(shell: ShellState, directory = this.directory): void {
    this.shell = shell
    this.directory = directory
    this.#isDoubtful = false
  }

  async #leaveDirectory(cause: BashError): Promise<BashError> {
    const lost = decodeText(this.directory)
    this.#set(this.shell, await nearestDirectory(this.directory))
    const message =
      `the session's working directory ${lost} cannot be entered (${cause.message}); ` +
      `the command has not run, and the session is now in ${decodeText(this.directory)}`
    const { step = 'chdir', errno = constants.errno.ENOENT, path = lost } = cause
    return new BashError('ERR_WORKING_DIR', message, { step, errno, path, cause })
  }
}

/** Whether the command has not run, or the session has to be changed before it can run another one. */
function isFault(record: SessionRecord | RecordFault | undefined): boolean {
  if (record === undefined || record instanceof RecordFault) return false
  return record.kind === 'old' || record.kind === 'lost' || record.kind === 'unready'
}

/** The nearest directory above that exists and may be entered. */
async function nearestDirectory(directory: ByteString): Promise<ByteString> {
  for (let path = parentOf(directory); path !== '/'; path = parentOf(path)) {
    if (await canEnter(path)) return path
  }
  return '/'
}

function parentOf(path: ByteString): ByteString {
  const end = path.replace(/\/+$/, '').lastIndexOf('/')
  return end <= 0 ? '/' : path.slice(0, end)
}

async function canEnter(path: ByteString): Promise<boolean> {
  try {
    await promises.access(toBuffer(path), access.X_OK)
    return (await promises.stat(toBuffer(path))).isDirectory()
  } catch {
    return false
  }
}

const endedEarly = 'the shell was ended before it could save its state'
const notSourced = 'the shell has not read the prologue (not bash, or in POSIX mode from the start)'
const notBegun =
  'by its record the shell has not come to the command, or something has changed that record; the session is as before the call'
const endedRestoring = 'the shell ended while it was given what earlier calls left'
const oldShell = (version: ByteString) =>
  `sessions need bash 4.4 or newer (the shell is bash ${decodeText(version)}); the command has not run`

const protocol = part((): typeof Protocol => require('./protocol.js'))
