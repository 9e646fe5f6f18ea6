// Few tools judge: what decides is loaded with their first call, and the parsers with it.

import { part } from '../../base/util/load-part.js'
import type * as Permits from './permit.js'

export const permits = part((): typeof Permits => require('./permit.js'))
