// The rules that are applied unless the host says otherwise, in the order in which they are asked.

import type { SafetyRule } from '../rule.js'
import { gitAddBlind, gitPushForce } from './git.js'
import { needsTerminal } from './needs-terminal.js'
import { rmDangerous } from './rm-dangerous.js'

/**
 * The built-in rules: `git-add-blind`, `git-push-force`, `rm-dangerous` and `needs-terminal`. `{rules: {off, add}}` of
 * {@link checkCommand} switches some of them off and adds others.
 */
export const safetyRules: readonly SafetyRule[] = Object.freeze([
  gitAddBlind,
  gitPushForce,
  rmDangerous,
  needsTerminal,
])
