// The names of the rules that are built in: those of the check, and two that hold for verdicts only.

import { safetyRules } from '../../safety/rules/table.js'

export const gitDiscard = 'git-discard'
export const pipeToShell = 'pipe-to-shell'

/** Those that `off` of a policy may name. */
export const builtInRules: readonly string[] = [
  ...safetyRules.map(({ name }) => name),
  gitDiscard,
  pipeToShell,
]
