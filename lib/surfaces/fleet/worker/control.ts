// Requests that must not wait behind commands: about calls, jobs, output, and the end of a conversation. Each is claimed like
// a command, so that none begins late, or after its client was told that it did not start; and each is taken once. One that
// began twice would do no harm: status, attach, output and BashOutput change nothing, no other job ever gets the id that
// KillBash names, and release is about one binding, which does not come again. But one that was refused must stay so.

import { describeError } from '../../../base/errors.js'
import { onAbort } from '../../../base/util/listeners.js'
import type { ToolContext } from '../../../tools/types.js'
import type { Answer, CallState } from '../answer.js'
import { busy, cancelled } from '../failures.js'
import { claim } from './claim.js'
import type { CommandParts } from './commands.js'
import { checkOwner, checkReleasable } from './gate.js'
import { checkRange, readRange } from './output-range.js'
import type { Room } from './rooms.js'
import type { Running } from './running.js'
import { strictest } from './sandbox.js'

/** A call that a process before has left behind ends in this time, or is taken for running. */
const leftBehindMs = 3000

export class Control {
  readonly #parts: CommandParts

  constructor(parts: CommandParts) {
    this.#parts = parts
  }

  /** Never rejects. */
  async run(running: Running): Promise<Answer> {
    const { request, conversation } = running
    const { gate, redis, options, notices } = this.#parts
    try {
      const isRelease = request.operation === 'release'
      const owner = isRelease ? undefined : await checkOwner(gate, conversation, request)
      const refusal = owner ?? (await claim(redis, options.id, running))
      if (refusal !== undefined) return { kind: 'refused', refusal }
      notices.runs(running.listener, false)
      const room = this.#parts.rooms.get(request.tenant, request.conversationId)
      room.users += 1
      try {
        return await this.#do(room, running)
      } finally {
        room.users -= 1
      }
    } catch (error) {
      return { kind: 'refused', refusal: describeError(error) }
    }
  }

  async #do(room: Room, running: Running): Promise<Answer> {
    const { request } = running
    switch (request.operation) {
      case 'status':
        return value(await this.#state(room, running))
      case 'attach':
        return await this.#attach(room, running)
      case 'output':
        return value(await readRange(room, checkRange(request.input)))
      case 'release':
        return await this.#release(room, running)
      case 'run':
        return await this.#callTool(room, running)
    }
  }

  /** BashOutput and KillBash. */
  async #callTool(room: Room, { request, signal, endReason }: Running): Promise<Answer> {
    const { conversationId, toolCallId, tool, input } = request
    const { directory } = room
    if (endReason !== undefined) return { kind: 'refused', refusal: cancelled }
    const sandbox = strictest(this.#parts.options, request.sandbox, { directory, base: directory })
    const context: ToolContext<Record<string, unknown>> = {
      workingDir: '/',
      conversationId,
      toolCallId,
      sandbox,
      cancel: signal,
    }
    return { kind: 'result', result: await room.tools()[tool].execute(input, context) }
  }

  async #state(room: Room, running: Running): Promise<CallState> {
    if (this.#parts.calls.find(running.call) !== undefined) return { state: 'running' }
    const { toolCallId: callId, conversationId } = running.request
    const identity = { callId, conversationId }
    const found = await room.ledger.status(identity)
    if (found.status === 'never' || found.status === 'unknown') return { state: found.status }
    if (found.status === 'result') return { state: 'result', result: untold(found.result) }
    const patience = AbortSignal.timeout(leftBehindMs)
    try {
      const result = await room.ledger.attach(identity, { cancel: patience })
      return result === undefined ? { state: 'never' } : { state: 'result', result: untold(result) }
    } catch (error) {
      if (patience.aborted) return { state: 'running' }
      throw error
    }
  }

  /** Waits for it. */
  async #attach(room: Room, running: Running): Promise<Answer> {
    const call = this.#parts.calls.find(running.call)
    if (call === undefined) return value(await this.#state(room, running))
    call.output.follow(running.listener)
    const isOver = new Promise<undefined>((resolve) => onAbort(running.signal, () => resolve(undefined)))
    const answer = await Promise.race([call.ended, isOver])
    call.output.unfollow(running.listener)
    return answer ?? { kind: 'refused', refusal: cancelled }
  }

  async #release(room: Room, { request, conversation }: Running): Promise<Answer> {
    const { calls, rooms, gate } = this.#parts
    // Calls that come meanwhile wait for its turn.
    const leave = calls.ofConversation(conversation) > 0 ? undefined : room.tryEnter()
    if (leave === undefined)
      return { kind: 'refused', refusal: busy('calls of its conversation wait or run') }
    try {
      // Not before its turn: whatever of a newer binding has run until then is not its own to remove.
      const refusal = await checkReleasable(gate, conversation, request)
      if (refusal !== undefined) return { kind: 'refused', refusal }
      await rooms.release(room, request.epoch)
      return value({ released: true })
    } finally {
      leave()
    }
  }
}

const value = (value: unknown): Answer => ({ kind: 'value', value })

/** The ledger does not know the command. */
function untold(result: object): Record<string, unknown> {
  const { command: _, display: __, ...told } = result as Record<string, unknown>
  return told
}
