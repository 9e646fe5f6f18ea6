// Filters: a regular expression that picks lines, in linear time and with bounded work for each.

import type * as Re2js from 're2js'
import { BashError, messageOf } from '../../base/errors.js'
import { part } from '../../base/util/load-part.js'
import { preview } from '../../base/util/schema/preview.js'
import { estimateSize } from './pattern-size.js'

/** Whether a line, given without its newline, is to be shown. */
export type LineFilter = (line: string) => boolean

const maxPatternLength = 1000
/** Instructions of the automaton. A pattern of 250 optional characters has as many. */
const maxPatternSize = 500
/** Characters of a line that are looked at. */
export const maxLineLength = 65_536
/**
 * Instructions times characters for one line. Ordinary text costs some nanoseconds for each, so that a line takes a few
 * milliseconds; text made to be hard for its pattern up to 200, which is 0.1 s.
 */
const maxWork = 500_000

/** Any escape; those that JavaScript writes `\u00e9` and `\u{1F600}`, and RE2 `\x{1F600}`, with the code point. */
const escapes = /\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|[\s\S])/g

const allowed = 'allowed: RE2 syntax, which is that of JavaScript without lookaround and backreferences'

/**
 * Compiles a filter. The pattern may match anywhere in a line (`^` and `$` are the line's ends, `(?i)` ignores case);
 * a carriage return at the end of the line does not count. Matching takes time in proportion to the line (RE2), whatever
 * the pattern. No more of a line is looked at than its first 65,536 characters, or 500,000 divided by the size of the
 * pattern if that is less: 25,000 for a pattern of 20 characters.
 *
 * @param name what the caller knows the pattern by
 * @throws {BashError} ERR_INVALID_FILTER
 */
export function compileFilter(pattern: unknown, name = 'filter'): LineFilter {
  if (typeof pattern !== 'string') throw invalidFilter(name, 'must be a string', pattern)
  if (pattern.length > maxPatternLength) {
    throw invalidFilter(
      name,
      `must have at most ${maxPatternLength} characters, not ${pattern.length}`,
      pattern,
    )
  }
  const expression = compile(pattern, name)
  const length = Math.min(maxLineLength, Math.floor(maxWork / expression.programSize()))
  return (line) => expression.test(lookedAt(line, length))
}

/** Loaded when it is needed: it takes as long as the rest of the package. */
const re2js = part((): typeof Re2js => require('re2js'))

function compile(pattern: string, name: string): Re2js.RE2JS {
  const { RE2JS } = re2js()
  const translated = pattern.replace(escapes, (asItIs, braced, plain) => {
    const codePoint: string | undefined = braced ?? plain
    return codePoint === undefined ? asItIs : `\\x{${codePoint}}`
  })
  const size = estimateSize(translated)
  if (size > maxPatternSize) {
    throw invalidFilter(
      name,
      `is too large: about ${size} steps, at most ${maxPatternSize} are allowed`,
      pattern,
    )
  }
  try {
    return RE2JS.compile(translated)
  } catch (cause) {
    throw invalidFilter(name, reasonOf(cause), pattern, cause)
  }
}

function reasonOf(cause: unknown): string {
  const message = messageOf(cause)
  if (/`\(\?<?[=!]/.test(message)) return 'lookaround is not supported'
  if (/invalid escape sequence: `\\[1-9k]/.test(message)) return 'backreferences are not supported'
  return message.replace('error parsing regexp: ', '')
}

function invalidFilter(name: string, reason: string, pattern: unknown, cause?: unknown): BashError {
  const message = `${name}: ${reason} (got ${preview(pattern)}; ${allowed})`
  return new BashError('ERR_INVALID_FILTER', message, { cause })
}

function lookedAt(line: string, length: number): string {
  if (line.length > length) return line.slice(0, length)
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
