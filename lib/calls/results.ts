// Results of calls, beside their marks. The mark alone says how a call has ended; what it printed is kept if there is room.

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { BashResult } from '../run/result.js'
import { randomHex } from '../util/lazy.js'
import type { MarkRecord } from './mark.js'

const maxBytes = 256 * 1024

export const resultPath = (markPath: string): string => `${markPath}.result`

/** @returns whether it is there; one without its output counts */
export function storeResult(markPath: string, { nonce }: MarkRecord, result: BashResult): boolean {
  const text = (kept: BashResult) => JSON.stringify({ version: 1, nonce, result: kept })
  const whole = text(result)
  if (Buffer.byteLength(whole) <= maxBytes && write(markPath, whole)) return true
  return write(markPath, text(withoutOutput(result)))
}

function write(markPath: string, text: string): boolean {
  const temporary = `${markPath}.${randomHex(6)}.tmp`
  try {
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' })
    renameSync(temporary, resultPath(markPath))
    return true
  } catch {
    rmSync(temporary, { force: true })
    return false
  }
}

/** Those of the exec tool have streams. */
type AnyResult = BashResult & { stdout?: string; stderr?: string }

function withoutOutput(result: AnyResult): AnyResult {
  if (result.output === '') return result
  const { stdout, stderr } = result
  const streams = stdout === undefined && stderr === undefined ? {} : { stdout: '', stderr: '' }
  return { ...result, ...streams, output: '', outputLost: true }
}

/** @returns undefined when there is none that belongs to this mark */
export function readResult(markPath: string, { nonce }: MarkRecord): BashResult | undefined {
  try {
    const stored = JSON.parse(readFileSync(resultPath(markPath), 'utf8'))
    const isOfMark = stored.version === 1 && stored.nonce === nonce
    return isOfMark && typeof stored.result?.status === 'string' ? stored.result : undefined
  } catch {
    return undefined
  }
}
