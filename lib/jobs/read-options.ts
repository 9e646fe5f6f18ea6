// The options of JobStore.read, checked.

import { checkAbortSignal, checkFlag, checkInteger, checkObject } from '../util/invalid-input.js'
import { leastMaxBytes } from './extent.js'
import { compileFilter, type LineFilter } from './filter.js'

export interface ReadJobOptions {
  /** The byte of the output file to begin with: 0, or the `nextOffset` of an earlier read. Default 0. */
  offset?: number | undefined
  /** Bytes of the file to read, at most; 4 or more. `nextOffset` follows them. Default: up to its end. */
  maxBytes?: number | undefined
  /** Characters of output (UTF-16 code units): of more the first and last half are given. 2…10,000,000, default 30,000. */
  maxChars?: number | undefined
  /**
   * A regular expression: only lines that it matches anywhere are given. RE2 syntax: that of JavaScript without
   * lookaround and backreferences. It is tried on the first 65,536 characters of a line, on fewer if it is large.
   */
  filter?: string | undefined
  /** Milliseconds that a filter may take; what it has not come to is left out, and `nextOffset` is where it stopped.
   * 1…600,000, default 10,000. */
  filterTimeoutMs?: number | undefined
  /** Strip escape sequences and render progress lines as a terminal would, before the filter. Default false. */
  normalizeOutput?: boolean | undefined
  /** Ends the read; it rejects with the reason. */
  signal?: AbortSignal | undefined
}

export interface CheckedReadOptions {
  offset: number
  maxBytes: number
  maxChars: number
  filter: LineFilter | undefined
  filterTimeoutMs: number
  normalizeOutput: boolean
  signal: AbortSignal | undefined
}

const fields = ['offset', 'maxBytes', 'maxChars', 'filter', 'filterTimeoutMs', 'normalizeOutput', 'signal']
const anyOffset = [0, Number.MAX_SAFE_INTEGER] as const
const anySize = [leastMaxBytes, Number.MAX_SAFE_INTEGER] as const

/** @throws {BashError} ERR_INVALID_INPUT, ERR_INVALID_FILTER */
export function checkReadOptions(value: unknown): CheckedReadOptions {
  const options = checkObject('options', value, fields) as ReadJobOptions
  const {
    offset = 0,
    maxBytes = Number.MAX_SAFE_INTEGER,
    maxChars = 30_000,
    filterTimeoutMs = 10_000,
  } = options
  checkAbortSignal('options.signal', options.signal)
  return {
    offset: checkInteger('options.offset', offset, anyOffset, 'bytes'),
    maxBytes: checkInteger('options.maxBytes', maxBytes, anySize, 'bytes'),
    maxChars: checkInteger('options.maxChars', maxChars, [2, 10_000_000], 'characters'),
    filter: options.filter === undefined ? undefined : compileFilter(options.filter),
    filterTimeoutMs: checkInteger('options.filterTimeoutMs', filterTimeoutMs, [1, 600_000], 'milliseconds'),
    normalizeOutput: checkFlag('options.normalizeOutput', options.normalizeOutput),
    signal: options.signal,
  }
}
