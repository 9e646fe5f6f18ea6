// Checks rules of a host, with the examples that they bring along.

import { part } from '../../../base/util/load-part.js'
import { preview } from '../../../base/util/schema/preview.js'
import type * as JudgeText from '../judge-text.js'
import type { Decision } from '../judgement.js'
import { builtInRules } from '../rules/names.js'
import { type LoadedRule, Policy, type PolicyData } from './policy.js'
import { fieldsOf, invalid, wrong } from './policy-error.js'

const dataFields = ['rules', 'off', 'from']
const ruleFields = ['prefix', 'decision', 'exact', 'why', 'name', 'match', 'notMatch']
const decisions: readonly Decision[] = ['allow', 'ask', 'deny']

const maxRules = 10_000
const maxWords = 32
/** Characters of an example. */
const maxExample = 2000

export function loadPolicy(data: PolicyData | readonly PolicyData[]): Policy {
  const several = Array.isArray(data)
  const all: readonly PolicyData[] = several ? data : [data]
  const rules: LoadedRule[] = []
  const off: string[] = []
  for (const [index, each] of all.entries()) {
    const loaded = loadOne(each, several ? `policy[${index}]` : 'policy')
    rules.push(...loaded.rules)
    off.push(...loaded.off)
  }
  if (rules.length > maxRules)
    throw invalid('policy', `must have at most ${maxRules} rules (got ${rules.length})`)
  return new Policy(rules, off)
}

function loadOne(value: unknown, byDefault: string): Pick<Policy, 'rules' | 'off'> {
  const { rules, off = [], from = byDefault } = fieldsOf(byDefault, value, dataFields)
  if (typeof from !== 'string' || from === '')
    throw wrong(`${byDefault}.from`, 'must be a non-empty string', from)
  if (!Array.isArray(rules)) throw wrong(`${from}: rules`, 'must be an array of rules', rules)
  if (!Array.isArray(off)) throw wrong(`${from}: off`, 'must be an array of names of built-in rules', off)
  for (const [index, name] of off.entries()) {
    if (!builtInRules.includes(name))
      throw wrong(`${from}: off[${index}]`, `must be one of ${builtInRules.join(', ')}`, name)
  }
  return { rules: rules.map((rule, index) => loadRule(rule, `${from}: rules[${index}]`)), off }
}

function loadRule(value: unknown, place: string): LoadedRule {
  const fields = fieldsOf(place, value, ruleFields)
  const { exact = false, why, match = [], notMatch = [] } = fields
  const prefix = checkPrefix(`${place}.prefix`, fields.prefix)
  const decision = fields.decision as Decision
  if (!decisions.includes(decision)) {
    throw wrong(`${place}.decision`, `must be one of ${decisions.join(', ')}`, decision)
  }
  if (typeof exact !== 'boolean') throw wrong(`${place}.exact`, 'must be a boolean', exact)
  if (why !== undefined && typeof why !== 'string') throw wrong(`${place}.why`, 'must be a string', why)
  const { name = prefix.map((texts) => texts.join('|')).join(' ') } = fields
  if (typeof name !== 'string' || name === '')
    throw wrong(`${place}.name`, 'must be a non-empty string', name)
  const rule = { prefix, decision, exact, why, name }
  for (const [index, example] of checkTexts(`${place}.match`, match).entries()) {
    if (isMatched(rule, example)) continue
    throw invalid(`${place}.match[${index}]`, `the rule does not match its example ${preview(example)}`)
  }
  for (const [index, example] of checkTexts(`${place}.notMatch`, notMatch).entries()) {
    if (!isMatched(rule, example)) continue
    throw invalid(`${place}.notMatch[${index}]`, `the rule matches ${preview(example)}, which it must not`)
  }
  return Object.freeze(rule)
}

function checkPrefix(field: string, value: unknown): string[][] {
  const allowed = 'must be an array of words, each a string or an array of strings'
  if (!Array.isArray(value) || value.length === 0) throw wrong(field, allowed, value)
  if (value.length > maxWords)
    throw invalid(field, `must have at most ${maxWords} words (got ${value.length})`)
  return value.map((word, index) => {
    const texts: unknown[] = Array.isArray(word) ? word : [word]
    const isRight = texts.length > 0 && texts.every((text) => typeof text === 'string')
    if (!isRight) throw wrong(`${field}[${index}]`, 'must be a string or an array of strings', word)
    const first = texts as string[]
    const isProgram = index > 0 || first.every((text) => /^[^\s/]+$/.test(text))
    if (isProgram) return first
    throw wrong(`${field}[0]`, 'must be the name of a program, without its directory', word)
  })
}

function checkTexts(field: string, value: unknown): string[] {
  if (!Array.isArray(value)) throw wrong(field, 'must be an array of commands', value)
  for (const [index, text] of value.entries()) {
    if (typeof text !== 'string') throw wrong(`${field}[${index}]`, 'must be a command', text)
    if (text.length <= maxExample) continue
    throw invalid(`${field}[${index}]`, `must have at most ${maxExample} characters (got ${text.length})`)
  }
  return value
}

/** Whether it would decide about one of the commands of the text. */
const isMatched = (rule: LoadedRule, example: string): boolean => judge().isMatched(rule, example)

/** The parsers come with it. */
const judge = part((): typeof JudgeText => require('../judge-text.js'))
