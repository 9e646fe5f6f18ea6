// bashward/fleet: the tools of the package, with commands that run on one of many machines. Peers: bullmq, ioredis.

import { BashError, messageOf } from '../../base/errors.js'
import { checkFlag, checkObject } from '../../base/util/invalid-input.js'
import type { BashInput } from '../../tools/bash-schema.js'
import type { BashOutputResult } from '../../tools/suite/bash-output-result.js'
import type { KillBashResult } from '../../tools/suite/kill-bash.js'
import type { BashOutputInput, KillBashInput, SuiteBashInput } from '../../tools/suite/schemas.js'
import type { NodeInfo } from './answer.js'
import { type AttachOptions, attachToCall } from './client/attach.js'
import { checkDefaults, type FleetCallDefaults } from './client/context.js'
import { FleetClient } from './client/fleet-client.js'
import { inTime } from './client/in-time.js'
import { checkFleetOptions, type FleetOptions } from './client/options.js'
import { type OutputRange, type OutputRangeOptions, readOutputRange } from './client/output.js'
import { type ReleaseOptions, releaseConversation } from './client/release.js'
import { bashOutputTemplate, bashTemplate, killBashTemplate, suiteBashTemplate } from './client/templates.js'
import {
  type FleetResult,
  type FleetTool,
  type FleetToolOptions,
  fleetTool,
  type ToolHost,
} from './client/tools.js'

export type { NodeInfo as FleetWorkerInfo } from './answer.js'
export type { AttachOptions } from './client/attach.js'
export type { FleetCallDefaults, FleetContext } from './client/context.js'
export type { FleetLimits, FleetOptions, PlacedConversation } from './client/options.js'
export type { OutputRange, OutputRangeOptions } from './client/output.js'
export type { ReleaseOptions } from './client/release.js'
export type { FleetResult, FleetRun, FleetTool, FleetToolOptions } from './client/tools.js'
export { type FleetEvent, fleetChannel } from './events.js'
export type { ClientTimings as FleetTimings } from './limits.js'
export type { FleetConnection } from './redis/connection.js'

export interface FleetSuite {
  bash: FleetTool<SuiteBashInput, FleetResult>
  bashOutput: FleetTool<BashOutputInput, BashOutputResult>
  killBash: FleetTool<KillBashInput, KillBashResult>
}

export interface Fleet {
  /** The bash tool. @throws {BashError} ERR_INVALID_INPUT for a wrong option */
  tool(options?: FleetToolOptions): FleetTool<BashInput, FleetResult>
  /** The tools `Bash`, `BashOutput` and `KillBash`. @throws {BashError} ERR_INVALID_INPUT for a wrong option */
  suite(options?: FleetToolOptions): FleetSuite
  /**
   * Waits for a call that was sent before, by this or another process: its result, and what it prints from now on.
   *
   * @returns undefined when it has never started, and does not wait for its start
   * @throws {BashError} ERR_INVALID_INPUT; ERR_CANCELLED; ERR_NO_WORKER, also when the conversation is bound to none;
   *   ERR_WORKER_LOST; ERR_NO_ANSWER
   */
  attach(
    conversationId: string,
    toolCallId: string,
    options?: AttachOptions,
  ): Promise<FleetResult | undefined>
  /**
   * A piece of what a command has printed, as it is: of a background job, or of the file that a result names.
   *
   * @param id a `jobId`, or the `savedOutput` of a result
   * @throws {BashError} ERR_INVALID_INPUT; ERR_JOB_NOT_FOUND; ERR_NO_WORKER; ERR_WORKER_LOST
   */
  output(conversationId: string, id: string, options?: OutputRangeOptions): Promise<OutputRange>
  /**
   * Ends a conversation: its background jobs are killed, its session and its directory removed, and the next call begins
   * anew, wherever there is room.
   *
   * @returns whether there was anything
   * @throws {BashError} ERR_INVALID_INPUT; ERR_BUSY while one of its calls runs; ERR_NO_WORKER, unless it is abandoned;
   *   ERR_NO_ANSWER when it may have been done
   */
  release(conversationId: string, options?: ReleaseOptions): Promise<boolean>
  /** The workers that are there. @throws {BashError} ERR_NO_ANSWER while Redis is away */
  workers(): Promise<NodeInfo[]>
  /** Cancels the calls that are not detached, and closes all connections. */
  close(): Promise<void>
}

/** Milliseconds. */
const openMs = 10_000

const toolOptionNames = [
  ...['session', 'tenant', 'workspaceDir', 'detached'],
] as const satisfies readonly (keyof FleetToolOptions)[]

/**
 * Connects to a fleet of `bashward worker`s. Resolves when calls can be sent; workers may come later.
 *
 * @throws {BashError} (rejects) ERR_INVALID_INPUT for a wrong option; ERR_NO_WORKER when Redis refuses its credentials, or is
 *   not there within ten seconds
 */
export async function createFleet(options: FleetOptions): Promise<Fleet> {
  const client = new FleetClient(checkFleetOptions(options))
  try {
    await inTime(client.open(), openMs)
  } catch (cause) {
    await client.close()
    const isSilent = BashError.isInstance(cause)
    const reason = isSilent ? `it did not answer within ${openMs / 1000} seconds` : messageOf(cause)
    throw new BashError('ERR_NO_WORKER', `Redis cannot be used: ${reason}`, { cause })
  }
  const host: ToolHost = { send: (asked) => client.send(asked), sandbox: () => client.sandbox }
  return {
    tool(options = {}) {
      const { session, defaults } = checkToolOptions(options, false)
      return fleetTool(host, bashTemplate(session), defaults, session)
    },
    suite(options = {}) {
      const { session, defaults } = checkToolOptions(options, true)
      return {
        bash: fleetTool(host, suiteBashTemplate(session), defaults, session),
        bashOutput: fleetTool(host, bashOutputTemplate(), defaults, false),
        killBash: fleetTool(host, killBashTemplate(), defaults, false),
      }
    },
    attach: (conversationId, toolCallId, options) =>
      attachToCall(client, { conversationId, toolCallId }, options),
    output: (conversationId, id, options) => readOutputRange(client, conversationId, id, options),
    release: (conversationId, options) => releaseConversation(client, conversationId, options),
    workers: () => client.workers(),
    close: () => client.close(),
  }
}

function checkToolOptions(
  options: unknown,
  sharesByDefault: boolean,
): { session: boolean; defaults: FleetCallDefaults } {
  const { session = sharesByDefault, ...defaults } = checkObject('options', options, toolOptionNames)
  return { session: checkFlag('options.session', session), defaults: checkDefaults('options', defaults) }
}
