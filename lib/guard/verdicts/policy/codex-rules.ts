// The rules of codex (`.rules` files), as a policy: the calls of Starlark that such a file consists of, with literal
// arguments. A file that computes anything is refused as a whole.

import { quote } from '../../../base/util/bash-quotes.js'
import type { Decision } from '../judgement.js'
import { type Call, readCalls, type Value } from './codex-syntax.js'
import { type Imported, type ImportOptions, importWith } from './import.js'
import type { PolicyRule } from './policy.js'
import { invalid } from './policy-error.js'

const decisions: Readonly<Record<string, Decision>> = { allow: 'allow', prompt: 'ask', forbidden: 'deny' }
const ruleArguments = ['pattern', 'decision', 'justification', 'match', 'not_match']

/** Calls that have no counterpart. */
const refusals: Readonly<Record<string, string>> = {
  network_rule: 'is about a host: a sandbox has a list of them',
  host_executable: 'is about the paths of a program: a program by its path asks',
}

export function importCodexRules(text: string, options: ImportOptions): Imported {
  return importWith(options, 'rules', (from, { add, refuse }) => {
    for (const call of readCalls(text, from)) {
      const { name, line, values } = call
      const why = refusals[name]
      if (name === 'prefix_rule') add(ruleOf(call, from))
      else if (why === undefined) throw invalid(`${from}:${line}`, `${name} is not known`)
      else
        refuse({
          text: `${name} at line ${line}`,
          why,
          decision: decisionOf(values.get('decision')) ?? 'ask',
        })
    }
  })
}

function decisionOf(value: Value = 'allow'): Decision | undefined {
  if (value === 'deny') return 'deny'
  return typeof value === 'string' ? decisions[value] : undefined
}

function ruleOf({ line, values }: Call, from: string): PolicyRule {
  const fail = (message: string) => invalid(`${from}:${line}`, message)
  for (const name of values.keys()) {
    if (!ruleArguments.includes(name)) throw fail(`prefix_rule has no argument ${name}`)
  }
  const decision = values.get('decision') ?? 'allow'
  if (typeof decision !== 'string' || decisions[decision] === undefined) {
    throw fail(`decision must be one of ${Object.keys(decisions).join(', ')}`)
  }
  const pattern = values.get('pattern')
  if (!Array.isArray(pattern)) throw fail('pattern must be a list')
  const justification = values.get('justification') ?? null
  if (justification !== null && typeof justification !== 'string')
    throw fail('justification must be a string')
  const examples = (name: string) => {
    const list = values.get(name) ?? []
    if (!Array.isArray(list)) throw fail(`${name} must be a list`)
    return list.map((each) => {
      if (typeof each === 'string') return each
      if (Array.isArray(each) && each.every((word) => typeof word === 'string'))
        return each.map(quote).join(' ')
      throw fail(`${name} must have commands, each a string or a list of words`)
    })
  }
  return {
    // What is wrong with it is told when it is loaded.
    prefix: pattern as PolicyRule['prefix'],
    decision: decisions[decision] as Decision,
    match: examples('match'),
    notMatch: examples('not_match'),
    ...(justification !== null && { why: justification }),
  }
}
