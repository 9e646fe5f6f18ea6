// The engine of a ledger: the one that can mark a call before it starts.

import { BashError } from '../../base/errors.js'
import { provenEngine } from '../../processes/engine/choose.js'
import type { Engine } from '../../processes/engine/engine.js'

/** @throws {BashError} ERR_UNSUPPORTED_PLATFORM */
export async function ledgerEngine(): Promise<Engine> {
  const { engine } = await provenEngine()
  if (engine.name === 'native') return engine
  const message = 'a CallLedger needs the native engine: the portable one cannot mark a call before it starts'
  throw new BashError('ERR_UNSUPPORTED_PLATFORM', message)
}
