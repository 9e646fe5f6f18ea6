// All commands that run others, by name.

import { unwrapFind, unwrapParallel, unwrapXargs } from './argument-lists.js'
import { unwrapGit } from './git.js'
import type { Unwrap } from './payload.js'
import { prefixCommands } from './prefixes.js'
import { shellCommands } from './shells.js'

export const wrappers: ReadonlyMap<string, Unwrap> = new Map([
  ...prefixCommands,
  ...shellCommands,
  ['find', unwrapFind],
  ['git', unwrapGit],
  ['parallel', unwrapParallel],
  ['xargs', unwrapXargs],
])
