// Commands: from a job of the queue to the result of a tool. The order of the checks is that of the design: who, whom,
// when, whose, cancelled; and last the mark on this disk, which the tool's ledger makes.

import { relative } from 'node:path'
import type { Redis } from 'ioredis'
import { describeError } from '../../../base/errors.js'
import { invalidInput } from '../../../base/util/invalid-input.js'
import type { BashEvent, BashResult } from '../../../commands/run/result.js'
import type { ToolContext } from '../../../tools/types.js'
import type { Answer } from '../answer.js'
import { publishFleet } from '../events.js'
import { busy, cancelled, fenced, goesOn, late, noWorker, type Refusal } from '../failures.js'
import { conversationQueue } from '../limits.js'
import type { FleetRequest } from '../request.js'
import { directoryWithin } from '../workspace-dir.js'
import { claim } from './claim.js'
import { checkOwner, type Gate } from './gate.js'
import type { Notices } from './notices.js'
import type { FleetWorkerOptions } from './options.js'
import type { Room, Rooms } from './rooms.js'
import type { EndReason, Running, RunningCalls } from './running.js'
import { strictest } from './sandbox.js'

export interface CommandParts {
  options: FleetWorkerOptions
  gate: Gate
  redis: Redis
  rooms: Rooms
  calls: RunningCalls
  notices: Notices
}

export class Commands {
  readonly #parts: CommandParts

  constructor(parts: CommandParts) {
    this.#parts = parts
  }

  /** Never rejects. */
  async run(running: Running): Promise<Answer> {
    const { calls, rooms } = this.#parts
    const { request, conversation } = running
    if (running.endReason !== undefined) return refused(ended(running.endReason))
    if (calls.ofConversation(conversation) > conversationQueue + 1) {
      return refused(busy(`${conversationQueue} calls of its conversation wait already`))
    }
    const room = rooms.get(request.tenant, request.conversationId)
    room.users += 1
    let leave: (() => void) | undefined
    try {
      leave = room.tryEnter() ?? (await room.enter(running.signal, await this.#timeLeft(request.notAfter)))
      if (leave === undefined) return refused(ended(running.endReason))
      const refusal = await this.#claim(running)
      return refusal === undefined ? await this.#call(room, running) : refused(refusal)
    } catch (error) {
      return { kind: 'refused', refusal: describeError(error) }
    } finally {
      leave?.()
      room.users -= 1
    }
  }

  /** Milliseconds, by Redis's clock. */
  async #timeLeft(notAfter: number): Promise<number> {
    const [seconds, microseconds] = await this.#parts.redis.time()
    return notAfter - (Number(seconds) * 1000 + Number(microseconds) / 1000)
  }

  async #claim(running: Running): Promise<Refusal | undefined> {
    const { gate, redis, options } = this.#parts
    // Sent together, and answered in this order: a claim of what is not this worker's goes with its refusal.
    const [owner, refusal] = await Promise.all([
      checkOwner(gate, running.conversation, running.request),
      claim(redis, options.id, running),
    ])
    return owner ?? refusal
  }

  async #call(room: Room, running: Running): Promise<Answer> {
    const { notices, options, rooms } = this.#parts
    const { request } = running
    const { conversationId, toolCallId, tool, tenant, traceparent } = request
    const about = {
      worker: options.id,
      conversationId,
      toolCallId,
      tool,
      ...(tenant !== undefined && { tenant }),
      ...(traceparent !== undefined && { traceparent }),
    }
    const startedAt = performance.now()
    publishFleet({ type: 'started', ...about })
    await rooms.prepare(room, request.epoch)
    const workingDir = directoryWithin(room.directory, request.workspaceDir)
    const session = request.session ? await rooms.sessionOf(room, workingDir) : undefined
    const base = session?.initialDirectory ?? workingDir
    if (request.workspaceDir !== undefined && base !== workingDir) {
      const began = relative(room.directory, base) || '.'
      const need = `must be where the session of its conversation began (${began}), or left out: \`cd\` leads it elsewhere`
      throw invalidInput('context.workspaceDir', need, request.workspaceDir)
    }
    const onEvent = (event: BashEvent<Record<string, unknown>>) => {
      if (event.type === 'output') running.output.add(event)
      if (event.type === 'start') {
        notices.runs(running.listener, true, event.display === event.command ? undefined : event.display)
      }
    }
    const context = {
      workingDir,
      conversationId,
      toolCallId,
      sandbox: strictest(options, request.sandbox, { directory: room.directory, base }),
      cancel: running.signal,
      onEvent,
      ...(session !== undefined && { session }),
    } satisfies ToolContext<Record<string, unknown>>
    const result = await room.tools()[tool].execute(request.input, context)
    const bytes = await running.output.finish()
    const { status, error } = result as unknown as BashResult
    const code = error?.code
    publishFleet({
      type: 'finished',
      ...about,
      status,
      ...(code !== undefined && { code }),
      durationMs: performance.now() - startedAt,
    })
    if (status === 'cancelled' && (await isUnmarked(room, request))) return refused(cancelled)
    // It has waited for what a process before had started: that has an outcome of its own.
    if (code === 'ERR_CANCELLED') return refused(goesOn)
    return { kind: 'result', result: this.#told(room, result), output: { bytes } }
  }

  /** Without what the client has already. */
  #told(room: Room, result: Record<string, unknown>): Record<string, unknown> {
    const { command, display, ...told } = result
    const { sessionReset } = room
    room.sessionReset = undefined
    return {
      ...told,
      ...(display !== command && { display }),
      fleet: { worker: this.#parts.options.id, ...(sessionReset !== undefined && { sessionReset }) },
    }
  }
}

/** Whether it was cancelled so early that it has not started: the same call can be sent again. */
const isUnmarked = async (
  room: Room,
  { conversationId, toolCallId: callId }: FleetRequest,
): Promise<boolean> => (await room.ledger.status({ callId, conversationId })).status === 'never'

const refused = (refusal: Refusal): Answer => ({ kind: 'refused', refusal })

/** Of a request that was to wait for its turn. */
function ended(reason: EndReason | undefined): Refusal {
  if (reason === undefined) return late()
  if (reason === 'draining') return noWorker('its worker is about to end')
  return reason === 'fenced' ? fenced(true) : cancelled
}
