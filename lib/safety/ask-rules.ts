// Asks the rules about one command.

import { BashError } from '../errors.js'
import type { Field } from './expansion/field.js'
import type { CheckedCommand, SafetyRule } from './rule.js'
import type { Scope } from './scope.js'
import type { Span } from './script/script.js'

/** What a rule has found, and where in the original command. */
export interface Finding extends Span {
  rule: string
  message: string
}

/** @throws {BashError} ERR_SAFETY_RULE when a rule throws, or answers with something else than it should */
export function askRules(
  rules: readonly SafetyRule[],
  program: string,
  words: readonly [Field, ...Field[]],
  scope: Scope,
  script?: string,
): Finding | null {
  const { workingDir, startDir, home } = scope
  const command: CheckedCommand = { program, words, workingDir, startDir, home, script }
  for (const rule of rules) {
    const message = ask(rule, command)
    if (message === null) continue
    let { start, end } = words[0]
    for (const word of words) {
      if (word.start < start) start = word.start
      if (word.end > end) end = word.end
    }
    return { rule: rule.name, message, start, end }
  }
  return null
}

function ask(rule: SafetyRule, command: CheckedCommand): string | null {
  let message: unknown
  try {
    const argument = rule.applies(command)
    if (argument === null || argument === undefined) return null
    message = rule.explain(command, argument)
  } catch (cause) {
    throw new BashError('ERR_SAFETY_RULE', `safety rule ${rule.name} failed: ${reason(cause)}`, { cause })
  }
  if (typeof message === 'string') return message
  throw new BashError('ERR_SAFETY_RULE', `safety rule ${rule.name}: explain() must return a string`)
}

function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
