// fleet.output(): what a command has printed, piece by piece, from the worker that has the file.

import { BashError } from '../../../base/errors.js'
import { checkIdentifier } from '../../../base/util/identifier.js'
import { checkAbortSignal, checkInteger, checkObject } from '../../../base/util/invalid-input.js'
import { randomHex } from '../../../base/util/lazy.js'
import { asError } from '../failures.js'
import { maxRangeBytes } from '../limits.js'
import type { FleetClient } from './fleet-client.js'

export interface OutputRangeOptions {
  /** The first byte. Default 0. */
  offset?: number | undefined
  /** Bytes at most, 1…262144. Default 262144. */
  maxBytes?: number | undefined
  tenant?: string | undefined
  cancel?: AbortSignal | undefined
}

export interface OutputRange {
  /** As the command has printed it: nothing is taken out. Empty at the end, and where no more is there yet. */
  data: Buffer
  offset: number
  /** Where the next piece begins. */
  nextOffset: number
  /** Bytes of the file by now. */
  size: number
}

const names = [
  ...['offset', 'maxBytes', 'tenant', 'cancel'],
] as const satisfies readonly (keyof OutputRangeOptions)[]

const limitMs = 30_000

export async function readOutputRange(
  client: FleetClient,
  conversationId: string,
  id: string,
  options: OutputRangeOptions = {},
): Promise<OutputRange> {
  const { offset = 0, maxBytes = maxRangeBytes, tenant, cancel } = checkObject('options', options, names)
  const answer = await client.send({
    operation: 'output',
    tool: 'BashOutput',
    input: {
      id: checkIdentifier('id', id),
      offset: checkInteger('options.offset', offset, [0, Number.MAX_SAFE_INTEGER], 'bytes'),
      maxBytes: checkInteger('options.maxBytes', maxBytes, [1, maxRangeBytes], 'bytes'),
    },
    conversationId: checkIdentifier('conversationId', conversationId),
    toolCallId: randomHex(8),
    tenant: tenant === undefined ? undefined : checkIdentifier('options.tenant', tenant),
    session: false,
    detached: false,
    limitMs,
    cancel: checkAbortSignal('options.cancel', cancel),
  })
  if (answer.kind === 'refused') throw asError(answer.refusal)
  if (answer.kind !== 'value') throw new BashError('ERR_INTERNAL', 'the worker has answered another question')
  const { data, offset: from, size } = answer.value as { data: string; offset: number; size: number }
  const bytes = Buffer.from(data, 'base64')
  return { data: bytes, offset: from, nextOffset: from + bytes.length, size }
}
