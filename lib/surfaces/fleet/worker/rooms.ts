// What each conversation has on a worker: its directory, its jobs, its session, and tools that know no other's.

import { join } from 'node:path'
import { makeDirectories } from '../../../base/util/directories.js'
import { once } from '../../../base/util/lazy.js'
import { onAbort } from '../../../base/util/listeners.js'
import { CallLedger } from '../../../commands/calls/call-ledger.js'
import { JobStore } from '../../../commands/jobs/store.js'
import type { BashSession } from '../../../commands/session/bash-session.js'
import { createBashTool } from '../../../tools/bash-tool.js'
import { createBashSuite } from '../../../tools/suite/suite.js'
import type { Tool } from '../../../tools/types.js'
import { conversationName } from '../names.js'
import type { ToolName } from '../request.js'
import type { Holdings } from './holdings.js'
import type { FleetWorkerOptions } from './options.js'
import type { Removals } from './removals.js'
import type { Sessions } from './sessions.js'
import type { WorkerState } from './state.js'

/** Those of the most recent conversations. The others are made anew when they are needed. */
const most = 2000
/** Ended jobs of one conversation. */
const maxJobs = 50
const maxSavedBytes = 256 * 1024 * 1024

type AnyTool = Tool<never, Record<string, unknown>>

export class Room {
  /** Of the conversation. */
  readonly name: string
  readonly directory: string
  readonly outputs: string
  readonly jobs: JobStore
  readonly ledger: CallLedger
  readonly tools: () => Readonly<Record<ToolName, AnyTool>>
  session: BashSession | undefined
  /** Told with the next result. */
  sessionReset: string | undefined
  /** Of the binding that its calls have had since this process began; undefined: it had none. */
  epoch: string | undefined
  #turn: Promise<void> = Promise.resolve()
  /** Calls that run or wait. */
  #entered = 0
  users = 0

  constructor(name: string, tenant: string | undefined, { options, state, sessions }: RoomParts) {
    this.name = name
    this.directory = join(options.workspaces, name)
    this.outputs = join(state.directory, 'output', name)
    this.jobs = new JobStore({ directory: join(state.directory, 'jobs', name), maxJobs })
    this.ledger = new CallLedger({
      directory: state.calls,
      ...(tenant !== undefined && { tenant }),
      // Nothing of a session is lost then that a result has told of.
      beforeResult: async () => {
        if (this.session !== undefined) await sessions.save(name, this.session)
      },
    })
    this.tools = once(() => this.#makeTools(options))
  }

  #makeTools({ tool, sandbox, workspace }: FleetWorkerOptions) {
    const writable = [this.directory, ...(workspace?.writable ?? [])]
    const common = {
      ...tool,
      jobs: this.jobs,
      calls: this.ledger,
      saveOutput: { directory: this.outputs, maxBytes: maxSavedBytes },
      ...(sandbox !== 'unrestricted' && { workspace: { ...workspace, writable } }),
    }
    const suite = createBashSuite({ ...common, session: false })
    const tools = {
      bash: createBashTool(common),
      Bash: suite.bash,
      BashOutput: suite.bashOutput,
      KillBash: suite.killBash,
    }
    return tools as unknown as Record<ToolName, AnyTool>
  }

  /** It was released. */
  reset(): void {
    this.session = undefined
    this.sessionReset = undefined
    this.epoch = undefined
  }

  /** @returns what ends the turn; undefined when other calls run or wait */
  tryEnter(): (() => void) | undefined {
    return this.#entered > 0 ? undefined : this.#take()
  }

  #take(): () => void {
    let end = () => {}
    this.#turn = new Promise<void>((resolve) => {
      end = resolve
    })
    this.#entered += 1
    return () => {
      this.#entered -= 1
      end()
    }
  }

  /**
   * Waits until the calls that came before have ended.
   *
   * @returns what ends the turn; undefined when `signal` was aborted, or the time was over, before it came
   */
  async enter(signal: AbortSignal, forMs: number): Promise<(() => void) | undefined> {
    const before = this.#turn
    const leave = this.#take()
    let stop = () => {}
    const tooLate = new Promise<false>((resolve) => {
      const timer = setTimeout(resolve, Math.max(forMs, 0), false)
      const release = onAbort(signal, () => resolve(false))
      stop = () => {
        clearTimeout(timer)
        release()
      }
    })
    const isTurn = await Promise.race([before.then(() => true), tooLate])
    stop()
    if (isTurn && !signal.aborted) return leave
    // Those behind it still wait for those before it.
    before.then(leave)
    return undefined
  }
}

export interface RoomParts {
  options: FleetWorkerOptions
  state: WorkerState
  sessions: Sessions
  holdings: Holdings
  removals: Removals
}

export class Rooms {
  readonly #parts: RoomParts
  readonly #rooms = new Map<string, Room>()

  constructor(parts: RoomParts) {
    this.#parts = parts
  }

  get(tenant: string | undefined, conversationId: string): Room {
    const name = conversationName(tenant, conversationId)
    const room = this.#rooms.get(name) ?? new Room(name, tenant, this.#parts)
    this.#rooms.delete(name)
    this.#rooms.set(name, room)
    this.#forgetOldest()
    return room
  }

  /** Whether one of its calls waits or runs. */
  isUsed(conversation: string): boolean {
    return (this.#rooms.get(conversation)?.users ?? 0) > 0
  }

  /** With its session, if the call takes part in that. */
  async sessionOf(room: Room, workingDir: string): Promise<BashSession> {
    if (room.session === undefined) {
      const { session, reset } = await this.#parts.sessions.open(room.name, workingDir)
      room.session = session
      room.sessionReset = reset
    }
    return room.session
  }

  /**
   * Ends a conversation, as {@link Removals.release}. The caller has its turn: whoever waits for that finds it empty, since it
   * stays the conversation's.
   */
  async release(room: Room, epoch: string): Promise<void> {
    await this.#parts.removals.release(room.name, epoch)
    room.reset()
  }

  /** Before a call of this binding, in its turn. @throws {BashError} ERR_BUSY; the system's error */
  async prepare(room: Room, epoch: string): Promise<void> {
    const { removals, holdings } = this.#parts
    if (room.epoch !== epoch) {
      if (await removals.finish(room.name)) room.reset()
      holdings.hold(room.name, epoch)
      room.epoch = epoch
    }
    for (const directory of [room.directory, room.outputs]) makeDirectories(directory, 0o700)
  }

  #forgetOldest(): void {
    for (const [name, room] of this.#rooms) {
      if (this.#rooms.size <= most) return
      if (room.users > 0) continue
      // What is not kept elsewhere is kept here.
      if (room.session !== undefined && !this.#parts.sessions.areKept) continue
      this.#rooms.delete(name)
    }
  }
}
