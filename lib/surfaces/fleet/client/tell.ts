// What a client tells on the fleet's channel.

import type { Answer } from '../answer.js'
import { hasFleetListener, publishFleet } from '../events.js'
import { unknownCodes } from '../failures.js'
import type { FleetRequest } from '../request.js'

type Named = Pick<FleetRequest, 'tenant' | 'conversationId' | 'toolCallId' | 'tool' | 'traceparent'>

export function tellQueued(request: FleetRequest): void {
  if (hasFleetListener()) publishFleet({ type: 'queued', worker: request.worker, ...about(request) })
}

/** @param worker undefined: it was sent to none */
export function tellAnswered(
  asked: Named,
  answer: Answer,
  { worker = '', durationMs, dropped }: { worker?: string | undefined; durationMs: number; dropped: number },
): void {
  if (!hasFleetListener()) return
  const common = { type: 'answered', worker, ...about(asked), durationMs, dropped } as const
  publishFleet({ ...common, ...outcomeOf(answer) })
}

/** @param request undefined: it is about no call */
export function tellFault(request: FleetRequest | undefined, error: unknown): void {
  if (!hasFleetListener()) return
  const named = request === undefined ? {} : about(request)
  publishFleet({ type: 'faulted', worker: request?.worker ?? '', ...named, code: faultOf(error) })
}

/** Never the message: it may have what a command was given, or has printed. */
function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return 'Error'
  const { code } = error as { code?: unknown }
  if (typeof code === 'string') return code
  const [word = ''] = error.message.split(' ', 1)
  return error.name === 'ReplyError' && /^[A-Z]+$/.test(word) ? word : error.name
}

function outcomeOf(answer: Answer) {
  if (answer.kind === 'value') return {}
  if (answer.kind === 'refused') return coded(answer.refusal.code)
  const { status, error } = answer.result as { status?: unknown; error?: { code?: string } }
  return { status: String(status), ...(error?.code !== undefined && coded(error.code)) }
}

const coded = (code: string) => ({ code, unknown: (unknownCodes as readonly string[]).includes(code) })

function about({ tenant, conversationId, toolCallId, tool, traceparent }: Named) {
  return {
    conversationId,
    toolCallId,
    tool,
    ...(tenant !== undefined && { tenant }),
    ...(traceparent !== undefined && { traceparent }),
  }
}
