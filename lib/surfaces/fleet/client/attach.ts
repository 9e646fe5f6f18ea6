// fleet.attach(): a call that was sent before, perhaps by a process that is gone.

import { BashError } from '../../../base/errors.js'
import { checkIdentifier } from '../../../base/util/identifier.js'
import { checkAbortSignal, checkObject, checkType } from '../../../base/util/invalid-input.js'
import { notify } from '../../../base/util/listeners.js'
import { type BashEvent, blankResult } from '../../../commands/run/result.js'
import type { CallState } from '../answer.js'
import { asError, workerLost } from '../failures.js'
import type { FleetClient } from './fleet-client.js'
import type { FleetResult } from './tools.js'

export interface AttachOptions {
  tenant?: string | undefined
  /** Aborting it ends the waiting; the call goes on. */
  cancel?: AbortSignal | undefined
  /** Called with the output of a call that runs, from now on; what came before counts as dropped. */
  onEvent?: ((event: BashEvent<FleetResult>) => void) | undefined
}

const names = ['tenant', 'cancel', 'onEvent'] as const satisfies readonly (keyof AttachOptions)[]

/** Whoever waits longer can attach again. */
const limitMs = 24 * 3_600_000

export async function attachToCall(
  client: FleetClient,
  identity: { conversationId: string; toolCallId: string },
  options: AttachOptions = {},
): Promise<FleetResult | undefined> {
  const { tenant, cancel, onEvent } = checkObject('options', options, names)
  const listener = checkType<(event: BashEvent<FleetResult>) => void>('options.onEvent', onEvent, 'function')
  const answer = await client.send({
    operation: 'attach',
    tool: 'bash',
    input: null,
    conversationId: checkIdentifier('conversationId', identity.conversationId),
    toolCallId: checkIdentifier('toolCallId', identity.toolCallId),
    tenant: tenant === undefined ? undefined : checkIdentifier('options.tenant', tenant),
    session: false,
    detached: false,
    limitMs,
    cancel: checkAbortSignal('options.cancel', cancel),
    onOutput: listener && ((event) => notify(listener, event)),
  })
  if (answer.kind === 'refused') throw asError(answer.refusal)
  const state: CallState =
    answer.kind === 'result' ? { state: 'result', result: answer.result } : (answer.value as CallState)
  if (state.state === 'never') return undefined
  if (state.state === 'unknown') throw asError(workerLost('its worker'))
  if (state.result === undefined)
    throw new BashError('ERR_INTERNAL', 'the worker has answered another question')
  // The command is the caller's who sent it.
  const result: FleetResult = {
    ...blankResult('', 'error'),
    ...(state.result as Partial<FleetResult>),
    replayed: true,
  }
  notify(listener, { type: 'result', result })
  return result
}
