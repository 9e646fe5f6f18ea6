// What the model reads where start-up files could not be asked: programs that it expects may be missing.

import type { BashResult } from '../commands/run/result.js'

/** A line, or none. */
export function loginNotes({ loginError }: Pick<BashResult, 'loginError'>): string[] {
  return loginError === undefined ? [] : [`[without what start-up files set: ${loginError}]`]
}
