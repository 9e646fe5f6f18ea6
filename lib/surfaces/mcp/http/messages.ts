// What is looked at in messages before the protocol's own library takes them.

import type { RequestId } from '@modelcontextprotocol/server'
import { callIdKey } from './conversations.js'

/** As it came: nothing of it has been checked but that it is an object. */
export interface Message {
  id?: unknown
  method?: unknown
  params?: unknown
}

/** @returns the messages of a body, which may be a batch; those that are none are left out: the library refuses the body */
export function messagesOf(body: unknown): Message[] {
  const messages = Array.isArray(body) ? body : [body]
  return messages.filter((message) => typeof message === 'object' && message !== null)
}

export function isRequest(message: Message): message is { id: RequestId; method: string } {
  const { id, method } = message
  return typeof method === 'string' && (typeof id === 'string' || typeof id === 'number')
}

export function isResponse(message: object): message is { id: unknown } {
  return 'result' in message || 'error' in message
}

/** Whether it is a call of the bash tool that may be sent again, so that nothing is lost when its connection is cut. */
export function isRepeatable({ method, params }: Message): boolean {
  const { name, _meta } = (params ?? {}) as { name?: unknown; _meta?: unknown }
  const { [callIdKey]: callId } = (_meta ?? {}) as Record<string, unknown>
  return method === 'tools/call' && name === 'bash' && typeof callId === 'string'
}

/** Whether it opens a stream of notifications, in the protocol of 2026. */
export function isListening({ method }: Message): boolean {
  return method === 'subscriptions/listen'
}
