// All commands that run others, by name.

import { listCommands } from './argument-lists.js'
import { gitCommands } from './git.js'
import type { Unwrap } from './payload.js'
import { prefixCommands } from './prefixes.js'
import { shellCommands } from './shells.js'

export const wrappers: ReadonlyMap<string, Unwrap> = new Map([
  ...prefixCommands,
  ...shellCommands,
  ...listCommands,
  ...gitCommands,
])
