// The names of everything that a fleet keeps in Redis. What one script touches has one hash tag, as a cluster wants it.

import { invalidInput } from '../../base/util/invalid-input.js'
import { callName } from '../../commands/calls/identity.js'

/** Commands wait here until there is room for them. */
export const execQueue = 'exec'
/** What must not wait behind commands: reading and killing jobs, asking about calls, releasing conversations. */
export const controlQueue = 'ctl'

export type QueueName = typeof execQueue | typeof controlQueue

/** Names of workers that are, or lately were, there. */
export const nodesKey = 'bw:nodes'

/** Since when which of them are not there, as a client has seen it. In the same slot. */
export const missingNodesKey = `{${nodesKey}}:missing`

/** Since when Redis knows what it knows. */
export const sinceKey = 'bw:since'

export const workerPrefix = (worker: string): string => `{bw:${worker}}`

export const nodeKey = (worker: string): string => `${workerPrefix(worker)}:node`
/** As BullMQ names it. */
export const jobKey = (worker: string, queue: QueueName, jobId: string): string =>
  `${workerPrefix(worker)}:${queue}:${jobId}`
/** Ids of the jobs that nobody has taken yet. */
export const waitKey = (worker: string, queue: QueueName): string => `${workerPrefix(worker)}:${queue}:wait`
/** Ids of the jobs that have ended. */
export const completedKey = (worker: string, queue: QueueName): string =>
  `${workerPrefix(worker)}:${queue}:completed`
export const failedKey = (worker: string, queue: QueueName): string =>
  `${workerPrefix(worker)}:${queue}:failed`
/** Set while a call runs: from then on nobody is told that it has not started. */
export const claimKey = (worker: string, jobId: string): string => `${workerPrefix(worker)}:claim:${jobId}`
/** What a call has come to. */
export const resultKey = (worker: string, call: string): string => `${workerPrefix(worker)}:res:${call}`
/** What one sending is answered, where that is no result of a call. */
export const answerKey = (worker: string, sending: string): string => `${workerPrefix(worker)}:ans:${sending}`
/** Holds the sending that was cancelled. */
export const cancelKey = (worker: string, jobId: string): string => `${workerPrefix(worker)}:cancel:${jobId}`
/** Of sharded publish/subscribe: ids of jobs that were cancelled. */
export const cancelChannel = (worker: string): string => `${workerPrefix(worker)}:cancel`

export const clientPrefix = (client: string): string => `{bw:in:${client}}`
export const inboxKey = (client: string): string => clientPrefix(client)
export const outputKey = (client: string): string => `${clientPrefix(client)}:out`
export const aliveKey = (client: string): string => `${clientPrefix(client)}:alive`

export const bindingKey = (conversation: string): string => `bw:conv:{${conversation}}`
export const tenantKey = (tenant: string): string => `bw:tenant:{${tenant}}`

/** 64 hexadecimal digits: of a conversation of a tenant. Ids of others can be anything, and only this stands in names. */
export const conversationName = (tenant: string | undefined, conversationId: string): string =>
  // No call has an empty id.
  callName(tenant, { callId: '', conversationId })

/** Likewise of a tenant; those that name none share one. */
export const tenantName = (tenant: string | undefined): string => callName(tenant, { callId: '' })

const workerName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** @throws {BashError} ERR_INVALID_INPUT */
export function checkWorkerName(field: string, value: unknown): string {
  if (typeof value !== 'string' || !workerName.test(value)) {
    throw invalidInput(field, 'must be 1 to 64 letters, digits, dots, dashes or underscores', value)
  }
  return value
}
