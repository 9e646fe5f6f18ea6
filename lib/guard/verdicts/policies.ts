// Rules of a host about commands: loaded from data, or from what other programs have.

import { part } from '../../base/util/load-part.js'
import type { Imported, ImportOptions } from './policy/import.js'
import type * as Loading from './policy/loading.js'
import type { Policy, PolicyData } from './policy/policy.js'

/** Few have any. */
const loading = part((): typeof Loading => require('./policy/loading.js'))

/**
 * Loads rules about commands: for `judgeCommand`.
 *
 * The strictest rule that matches a command decides (deny, ask, allow), whatever the order. `deny` and `ask` hold behind
 * any wrapper, such as `sudo`, and where it is not certain that they match: then `deny` asks. `allow` holds where it is
 * certain, and for the words of its command only: what the command writes to by a redirection, and what a substitution
 * runs, is judged as ever.
 *
 * @param data the content of a file, or of several
 * @throws {BashError} ERR_POLICY, which names the rule and the example
 */
export function loadPolicy(data: PolicyData | readonly PolicyData[]): Policy {
  return loading().loadPolicy(data)
}

/**
 * Takes over the rules about `Bash` of a `settings.json`. `Bash(npm run test:*)` and `Bash(npm run test *)` are a prefix,
 * `Bash(npm run build)` is exact.
 *
 * @param settings the parsed content of the file
 * @returns the policy, and the rules that have no counterpart
 * @throws {BashError} ERR_POLICY when the file is not of that kind, and when a rule that asks or denies has no counterpart,
 *   unless `lenient` is set: without it more would be allowed than the file says
 */
export function importClaudeSettings(settings: unknown, options: ImportOptions = {}): Imported {
  return loading().importClaudeSettings(settings, options)
}

/**
 * Takes over the `prefix_rule(…)` of a `.rules` file.
 *
 * @param text the content of the file
 * @returns the policy, and the rules that have no counterpart
 * @throws {BashError} ERR_POLICY, with the line: for anything but calls with literal arguments, and for a rule that asks or
 *   denies and has no counterpart, unless `lenient` is set
 */
export function importCodexRules(text: string, options: ImportOptions = {}): Imported {
  return loading().importCodexRules(text, options)
}
