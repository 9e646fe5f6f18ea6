// The options of a command check, and their validation.

import { BashError } from '../../base/errors.js'
import { type Checks, checkOptions, optional } from '../../base/util/check-options.js'
import { homeDirectory, resolveDirectory } from '../../base/util/directories.js'
import { checkAbsolutePath, checkObject, checkType, invalidInput } from '../../base/util/invalid-input.js'
import { synonymHint } from '../../base/util/unknown-field.js'
import type { SafetyRule } from './rule.js'
import { needsTerminal } from './rules/needs-terminal.js'
import { safetyRules } from './rules/table.js'

/** Which rules a command is checked against. */
export interface RuleOptions {
  /** Names of rules not to apply. */
  off?: readonly string[]
  /** Rules to apply after the others. */
  add?: readonly SafetyRule[]
}

export interface CheckOptions {
  /** Where the command is going to run: an absolute path. Default: this process's working directory. */
  workingDir?: string
  /** The value of HOME for the command. Default: the home directory of this process's user. */
  home?: string
  /** Default: all of `safetyRules`. */
  rules?: RuleOptions
  /** Whether the command is going to have a terminal. Without one the rule `needs-terminal` is asked. Default true. */
  terminal?: boolean
  /**
   * Whether the command's environment has a variable, and not an empty one. Asked about variables in paths that
   * the command does not set. Default: whether this process's environment has it.
   */
  hasVariable?: (name: string) => boolean
}

export interface OrderedRules {
  rules: readonly SafetyRule[]
  /** Asked when the others have found nothing: they are about worse. */
  lastRules: readonly SafetyRule[]
}

export interface ResolvedCheckOptions extends OrderedRules {
  workingDir: string
  /** The directory of the conversation. Default: `workingDir`. */
  contextDir?: string | undefined
  home: string
  hasVariable: (name: string) => boolean
  /** Called where a command is not looked at, because the others have cost too much. */
  onUnread?: () => void
}

const checks = {
  workingDir: optional(checkAbsolutePath),
  home: (field, home) => checkType<string>(field, home, 'string'),
  rules: optional((field, rules) => resolveRules(rules, field)),
  terminal: (field, terminal) => checkType<boolean>(field, terminal, 'boolean'),
  hasVariable: (field, asks) => checkType<(name: string) => boolean>(field, asks, 'function'),
} as const satisfies Checks<CheckOptions>

const optionMeant = synonymHint({ workingDir: ['cwd', 'workingdirectory', 'dir', 'directory'] })

/**
 * @throws {BashError} ERR_INVALID_INPUT naming the field, what is allowed and what came; ERR_WORKING_DIR when this
 *   process's directory is gone, and none is given
 */
export function resolveCheckOptions(options: unknown): ResolvedCheckOptions {
  const given = checkOptions(options, checks, Object.keys(checks), optionMeant)
  const { rules, lastRules } = given.rules === undefined ? defaultRules : orderRules(given.rules)
  return {
    workingDir: given.workingDir ?? resolveDirectory('workingDir', '.'),
    home: given.home ?? homeDirectory(),
    hasVariable: given.hasVariable ?? ((name) => Boolean(process.env[name])),
    rules,
    lastRules: given.terminal === false ? lastRules : [],
  }
}

export function orderRules(rules: readonly SafetyRule[]): OrderedRules {
  return {
    rules: rules.filter((rule) => rule !== needsTerminal),
    lastRules: rules.filter((rule) => rule === needsTerminal),
  }
}

const defaultRules = orderRules(safetyRules)

/** @throws {BashError} ERR_INVALID_INPUT naming the field, what is allowed and what came */
export function resolveRules(options: unknown, field: string): readonly SafetyRule[] {
  const { off = [], add = [] } = checkObject(field, options, ['off', 'add'])
  if (!Array.isArray(off)) throw invalidInput(`${field}.off`, 'must be an array of rule names', off)
  if (!Array.isArray(add)) throw invalidInput(`${field}.add`, 'must be an array of rules', add)
  const known = safetyRules.map((rule) => rule.name)
  for (const [index, name] of off.entries()) {
    if (!known.includes(name)) {
      throw invalidInput(`${field}.off[${index}]`, `must be one of ${known.join(', ')}`, name)
    }
  }
  const rules: SafetyRule[] = safetyRules.filter((rule) => !off.includes(rule.name))
  for (const [index, rule] of add.entries()) {
    checkRule(`${field}.add[${index}]`, rule)
    if (rules.some(({ name }) => name === rule.name)) {
      throw new BashError(
        'ERR_INVALID_INPUT',
        `${field}.add[${index}].name: there is a rule ${rule.name} already`,
      )
    }
    rules.push(rule)
  }
  return rules
}

function checkRule(field: string, value: unknown): asserts value is SafetyRule {
  const { name, refuses, applies, explain } = checkObject(field, value)
  if (typeof name !== 'string' || name === '') {
    throw invalidInput(`${field}.name`, 'must be a non-empty string', name)
  }
  if (refuses !== undefined && typeof refuses !== 'string') {
    throw invalidInput(`${field}.refuses`, 'must be a string', refuses)
  }
  if (typeof applies !== 'function') throw invalidInput(`${field}.applies`, 'must be a function', applies)
  if (typeof explain !== 'function') throw invalidInput(`${field}.explain`, 'must be a function', explain)
}
