// The one door to unbash, the second parser.

import type * as Unbash from 'unbash'

export type * from 'unbash'

let loaded: typeof Unbash | undefined

/**
 * Loaded when it is needed, which is rarely.
 *
 * @throws whatever `require` throws where it takes no ES modules: before Node 20.19, or under jest
 */
export function unbash(): typeof Unbash {
  loaded ??= require('unbash') as typeof Unbash
  return loaded
}
