// Most of the engine is needed by the first command, and not before.

import { once } from '../once.js'
import type * as Execution from './execution.js'

export const execution = once((): typeof Execution => require('./execution.js'))
