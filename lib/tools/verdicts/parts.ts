// Few tools judge: what only they need is loaded when it is used.

import { part } from '../../util/load-part.js'
import type * as Options from './options.js'
import type * as Permits from './permit.js'

export const verdictOptions = part((): typeof Options => require('./options.js'))
/** The parsers come with it. */
export const permits = part((): typeof Permits => require('./permit.js'))
