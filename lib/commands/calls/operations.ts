// What a ledger does, loaded with its first call.

import { join } from 'node:path'
import type { BashResult } from '../run/result.js'
import { callName } from './identity.js'
import { ledgerEngine } from './ledger-engine.js'
import type { CallIdentity, CallStatus, LedgerSettings } from './ledger-options.js'
import { awaitEnd, isOwned, resultOf, unknownResult } from './look.js'
import { readMark } from './mark.js'

export { cleanUpCalls } from './clean-up.js'
export { runOnce } from './run-once.js'

/** The commands of earlier calls are not kept. */
const asked = { command: '' }

export async function callStatus(ledger: LedgerSettings, identity: CallIdentity): Promise<CallStatus> {
  const engine = await ledgerEngine()
  const path = join(ledger.directory, callName(ledger.tenant, identity))
  if (readMark(path) === undefined) return { status: 'never' }
  if (isOwned(engine, path)) return { status: 'started' }
  const result = await resultOf(path, asked)
  return result === undefined ? { status: 'unknown' } : { status: 'result', result }
}

export async function attachToCall(
  ledger: LedgerSettings,
  identity: CallIdentity,
  cancel: AbortSignal | undefined,
): Promise<BashResult | undefined> {
  const engine = await ledgerEngine()
  const path = join(ledger.directory, callName(ledger.tenant, identity))
  if (readMark(path) === undefined) return undefined
  await awaitEnd(engine, path, cancel)
  return (await resultOf(path, asked)) ?? unknownResult(asked)
}
