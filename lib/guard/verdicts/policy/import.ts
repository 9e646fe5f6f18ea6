// What importers of other programs' rules have in common.

import { preview } from '../../../base/util/schema/preview.js'
import type { Decision } from '../judgement.js'
import { loadPolicy } from './load-policy.js'
import type { Policy, PolicyRule } from './policy.js'
import { fieldsOf, invalid, wrong } from './policy-error.js'

export interface ImportOptions {
  /** What errors call the file. */
  from?: string
  /** Whether rules that ask or deny may be left out where they have no counterpart. Default false. */
  lenient?: boolean
}

/** A rule that has no counterpart. */
export interface RefusedRule {
  /** As it is written in the file. */
  text: string
  why: string
}

export interface Imported {
  policy: Policy
  refused: RefusedRule[]
}

interface Sink {
  add(rule: PolicyRule): void
  refuse(rule: RefusedRule & { decision: Decision }): void
}

/** @throws {BashError} ERR_POLICY for a rule that asks or denies and is refused, unless that is wanted */
export function importWith(
  options: ImportOptions,
  byDefault: string,
  read: (from: string, sink: Sink) => void,
): Imported {
  const { from = byDefault, lenient = false } = fieldsOf('options', options, ['from', 'lenient'])
  if (typeof from !== 'string' || from === '') throw wrong('options.from', 'must be a non-empty string', from)
  if (typeof lenient !== 'boolean') throw wrong('options.lenient', 'must be a boolean', lenient)
  const rules: PolicyRule[] = []
  const refused: RefusedRule[] = []
  read(from, {
    add: (rule) => rules.push(rule),
    refuse({ text, why, decision }) {
      refused.push({ text, why })
      if (decision === 'allow' || lenient) return
      throw invalid(from, `${preview(text)} ${why}; left out, more would be allowed than the file says`)
    },
  })
  return { policy: loadPolicy({ rules, from }), refused }
}
