// Most of the engine is needed by the first command, and not before.

import { part } from '../util/load-part.js'
import type * as Execution from './execution.js'

export const execution = part((): typeof Execution => require('./execution.js'))
