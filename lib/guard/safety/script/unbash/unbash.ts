// The one door to unbash, the second parser.

import type * as Unbash from 'unbash'
import { optionalPart } from '../../../../base/util/load-part.js'

export type * from 'unbash'

/**
 * Loaded when it is needed, which is rarely.
 *
 * @throws whatever `require` throws where it takes no ES modules: before Node 20.19, or under jest
 */
export const unbash = optionalPart((): typeof Unbash => require('unbash'))
