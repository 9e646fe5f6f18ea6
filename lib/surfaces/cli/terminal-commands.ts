// What the program does with terminals, loaded when it does.

import { part } from '../../base/util/load-part.js'
import type * as Commands from './terminal/commands.js'

export const terminalCommands = part((): typeof Commands => require('./terminal/commands.js'))
