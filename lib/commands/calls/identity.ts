// The name of a call on this machine, and the digest of what it asks for.

import { crypto } from '../../base/util/lazy.js'
import type { CallIdentity } from './ledger-options.js'

/** 64 hexadecimal digits. What names a call can be anything: only this stands in paths. */
export function callName(tenant: string | undefined, { callId, conversationId }: CallIdentity): string {
  const hash = crypto().createHash('sha256').update('bw1')
  for (const part of [tenant, conversationId, callId]) {
    // One that is not there has a length that none has.
    const bytes = part === undefined ? undefined : Buffer.from(part)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes === undefined ? 0xffffffff : bytes.length)
    hash.update(length)
    if (bytes !== undefined) hash.update(bytes)
  }
  return hash.digest('hex')
}

/**
 * What a call asks for, as it was given: nothing of the host's environment or state. Not the rules of its conversation:
 * they say whether it may run, and what a person has allowed for good is added to them.
 */
export interface CallRequest {
  tool: string
  input: unknown
  workingDir: unknown
  sandbox: unknown
  /** Where the session began; true: the one that the tool's calls share; null: none. */
  session: string | true | null
}

/** Of the same request the same, in whatever order its fields come. */
export function requestDigest(request: CallRequest): string {
  return crypto()
    .createHash('sha256')
    .update(JSON.stringify(canonical({ version: 1, ...request })))
    .digest('hex')
}

function canonical(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(canonical)
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  // As pairs: an object would put keys that are numbers first. With a name, which no list of pairs has.
  return {
    fields: fields.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, field]) => [key, canonical(field)]),
  }
}
