// The rules of Claude Code's settings about Bash, as a policy: code.claude.com/docs/en/permissions.

import { runSync } from '../../safety/script/steps.js'
import { readWithUnbash } from '../../safety/script/unbash/read-with-unbash.js'
import type { Decision } from '../judgement.js'
import { type Imported, type ImportOptions, importWith } from './import.js'
import type { PolicyRule } from './policy.js'
import { fieldsOf, wrong } from './policy-error.js'

const lists: readonly [name: string, decision: Decision][] = [
  ['deny', 'deny'],
  ['ask', 'ask'],
  ['allow', 'allow'],
]

export function importClaudeSettings(settings: unknown, options: ImportOptions): Imported {
  return importWith(options, 'settings', (from, { add, refuse }) => {
    const { permissions = {} } = fieldsOf(from, settings)
    const fields = fieldsOf(`${from}: permissions`, permissions)
    for (const [name, decision] of lists) {
      const texts = fields[name] ?? []
      if (!Array.isArray(texts))
        throw wrong(`${from}: permissions.${name}`, 'must be an array of rules', texts)
      for (const [index, text] of texts.entries()) {
        if (typeof text !== 'string')
          throw wrong(`${from}: permissions.${name}[${index}]`, 'must be a string', text)
        const rule = ruleOf(text)
        if (typeof rule === 'string') refuse({ text, why: rule, decision })
        else add({ ...rule, decision, name: text })
      }
    }
  })
}

/** @returns why there is no such rule here, if there is not */
function ruleOf(text: string): Pick<PolicyRule, 'prefix' | 'exact'> | string {
  const [isBash, body] = /^Bash(?:\((.*)\))?$/s.exec(text) ?? []
  if (isBash === undefined) return 'is about another tool'
  if (body === undefined || body === '' || body === '*')
    return 'is about every command: that is what `default` is for'
  const [, head = body] = /^(.*?)(?::\*| \*)$/s.exec(body) ?? []
  if (head === body && body.endsWith('*'))
    return 'has a `*` without a space before it: other programs match it, too'
  if (head.includes('*')) return 'has a `*` within the text'
  const prefix = wordsOf(head)
  return prefix === undefined ? 'is not one plain command' : { prefix, exact: head === body }
}

/** Undefined: it is not one plain command. */
function wordsOf(text: string): string[] | undefined {
  const { items, unread } = runSync(readWithUnbash(text))
  const [item] = items
  if (unread !== null || items.length !== 1 || item?.kind !== 'command') return undefined
  if (item.redirects.length > 0 || item.assignments.length > 0 || item.words.length === 0) return undefined
  const words = item.words.map(({ parts }) => {
    return parts.every(({ kind }) => kind === 'literal')
      ? parts.map((part) => (part.kind === 'literal' ? part.text : '')).join('')
      : undefined
  })
  return words.includes(undefined) ? undefined : (words as string[])
}
