// The one door to unbash, the second parser.

import type * as Unbash from 'unbash'

export type * from 'unbash'

/** Loaded when it is needed, which is rarely: an ES module of 100 KB. */
export function unbash(): typeof Unbash {
  return require('unbash') as typeof Unbash
}
