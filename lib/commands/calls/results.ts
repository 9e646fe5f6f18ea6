// Results of calls, behind their marks in the same file: that takes one write. The mark alone says how a call has ended; what
// it printed is kept if there is room.

import { closeSync, constants, ftruncateSync, writeSync } from 'node:fs'
import { openRegularFile, readRegularFile } from '../../base/util/regular-file.js'
import type { BashResult } from '../run/result.js'
import { markBytes, withChecksum, withoutChecksum } from './mark.js'

const maxBytes = 256 * 1024

/**
 * One without its output counts. What fails costs nothing but the output.
 *
 * @param descriptor of the mark, for writing; undefined: it is opened
 */
export function storeResult(markPath: string, descriptor: number | undefined, result: BashResult): void {
  try {
    const file = descriptor ?? openRegularFile(markPath, constants.O_RDWR)
    try {
      write(file, result)
    } finally {
      if (descriptor === undefined) closeSync(file)
    }
  } catch {
    // It is gone, or no descriptor is left.
  }
}

function write(file: number, result: BashResult): void {
  for (const kept of [result, withoutOutput(result)]) {
    const bytes = Buffer.from(withChecksum(JSON.stringify({ version: 2, result: kept })))
    if (bytes.length <= maxBytes && writeAll(file, bytes)) return
  }
}

/** Until it is whole nobody reads it, since the call is locked; what a killed host leaves is no JSON. */
function writeAll(file: number, bytes: Buffer): boolean {
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, markBytes + at)
    return true
  } catch {
    ftruncateSync(file, markBytes)
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

/** @returns undefined when there is none */
export function readResult(markPath: string): BashResult | undefined {
  try {
    const text = readRegularFile(markPath, markBytes + maxBytes).toString('latin1', markBytes)
    const json = Buffer.from(withoutChecksum(text, ' ') ?? '', 'latin1')
    const stored = JSON.parse(json.toString())
    const isKnown = stored.version === 1 || stored.version === 2
    return isKnown && typeof stored.result?.status === 'string' ? stored.result : undefined
  } catch {
    return undefined
  }
}
