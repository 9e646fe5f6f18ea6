// What is asked of a worker, and everything that is needed before it can be sent.

import type { Redis } from 'ioredis'
import { randomHex } from '../../../base/util/lazy.js'
import { callName } from '../../../commands/calls/identity.js'
import { busy, noWorker, type Refusal, tooLarge, unbound } from '../failures.js'
import { jobIdOf } from '../job-id.js'
import { controlQueueMs, maxInputBytes, workerQueue } from '../limits.js'
import { controlQueue, execQueue, type QueueName, waitKey } from '../names.js'
import type { FleetRequest, Operation, ToolName } from '../request.js'
import { Call, type Following } from './call.js'
import type { Nodes } from './nodes.js'
import type { CheckedFleetOptions } from './options.js'
import type { Placement } from './placement.js'
import type { Queues } from './queues.js'
import type { Tenants } from './tenants.js'

/** What is asked of a worker. */
export interface Asked
  extends Following,
    Pick<
      FleetRequest,
      | 'tenant'
      | 'conversationId'
      | 'toolCallId'
      | 'workspaceDir'
      | 'sandbox'
      | 'session'
      | 'detached'
      | 'traceparent'
    > {
  operation: Operation
  tool: ToolName
  input: unknown
  /** Milliseconds that it may take once it has begun. */
  limitMs: number
  cancel?: AbortSignal | undefined
  /** Of the state directory that its worker must have; undefined: whichever. */
  disk?: string | undefined
}

export interface SenderParts {
  client: string
  redis: Redis
  nodes: Nodes
  placement: Placement
  queues: Queues
  tenants: Tenants
  options: CheckedFleetOptions
}

/** Commands wait in a queue, and what must not wait behind them in another one. */
export const queueOf = ({ operation, tool }: Pick<Asked, 'operation' | 'tool'>): QueueName =>
  operation === 'run' && (tool === 'bash' || tool === 'Bash') ? execQueue : controlQueue

/** Milliseconds that it may wait: for Redis, for its worker, and for others of its conversation, all together. */
export const queueMsOf = (asked: Asked, { queueMs }: CheckedFleetOptions): number =>
  queueOf(asked) === execQueue ? queueMs : controlQueueMs

async function timeOf(redis: Redis): Promise<number> {
  const [seconds, microseconds] = await redis.time()
  return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000)
}

/** Another machine has taken the name, or the disk was replaced. An earlier sending may have run there, so nothing is said of that. */
export const otherDisk: Refusal = {
  code: 'ERR_NO_WORKER',
  message:
    'nothing was started: its worker has another disk than before, which has nothing of this conversation. ' +
    'release() with abandon: true gives it up, and it begins anew',
}

/**
 * Everything before the queue. What fails here has not been sent.
 *
 * @param startBy milliseconds of performance.now(): until then it has to have started
 * @param settledAt likewise: until then a worker that is not there may only be late
 */
export async function prepareCall(
  { client, redis, nodes, placement, tenants, options }: SenderParts,
  asked: Asked,
  sending: string,
  { startBy, settledAt }: { startBy: number; settledAt: number },
): Promise<Call | Refusal> {
  const { tenant, conversationId, limitMs, cancel: _, onStart, onOutput, ...fields } = asked
  const input = Buffer.byteLength(JSON.stringify(asked.input ?? null))
  if (input > maxInputBytes) return tooLarge('the command', input, maxInputBytes)
  const queue = queueOf(asked)
  // A question binds nothing: nobody would ever release that.
  const isCommand = queue === execQueue
  const binding = await (isCommand
    ? placement.bind(tenant, conversationId)
    : placement.find(tenant, conversationId))
  if (binding === undefined) return unbound
  const { worker, epoch } = binding
  const [node, depth] = await Promise.all([
    nodes.await(worker, settledAt),
    redis.llen(waitKey(worker, queue)),
  ])
  if (node === undefined) return noWorker(`worker ${worker}, which has this conversation, is not there`)
  if (asked.disk !== undefined && node.state !== asked.disk) return otherDisk
  // What another disk has never seen may have run all the same, and what is there is not this conversation's.
  const disk =
    binding.disk === '' ? await placement.settle(tenant, conversationId, epoch, node.state) : binding.disk
  if (disk !== node.state) return otherDisk
  // What asks about its calls, or ends them, it still takes.
  if (node.draining && isCommand)
    return noWorker(`worker ${worker}, which has this conversation, takes no more calls`)
  if (depth >= workerQueue) return busy(`${depth} calls wait for worker ${worker} already`)
  // What asks about a call that is admitted already needs no place of its own.
  const now = asked.operation === 'run' ? await tenants.admit(tenant, sending) : await timeOf(redis)
  if (now === undefined) return busy(`its tenant has ${options.perTenant} calls already`)
  // Measured afterwards: a worker must not have longer than this client.
  const left = startBy - performance.now()
  const { toolCallId, workspaceDir, sandbox, session, detached, traceparent, operation, tool } = fields
  const request: FleetRequest = {
    version: 1,
    operation,
    worker,
    incarnation: node.incarnation,
    epoch,
    notAfter: now + Math.max(Math.floor(left), 0),
    client,
    reply: randomHex(16),
    sending,
    tenant,
    conversationId,
    toolCallId,
    tool,
    input: asked.input,
    workspaceDir,
    sandbox,
    session,
    live: onOutput !== undefined,
    detached,
    traceparent,
  }
  const call = callName(tenant, { callId: toolCallId, conversationId })
  const sent = {
    request,
    queue,
    disk: node.state,
    jobId: queue === execQueue ? jobIdOf(request, call) : sending,
    call,
    startBy,
    answerBy: startBy + limitMs + options.timings.answerSlackMs,
    queueMs: queueMsOf(asked, options),
    admittedAt: now,
    onStart,
    onOutput,
  }
  return new Call(sent)
}
