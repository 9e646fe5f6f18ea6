// The option `safety` of the tools: REQ-BASH-007 (docs/requirements.md).

import { checkObject, invalidInput } from '../base/util/invalid-input.js'
import { type OrderedRules, orderRules, type RuleOptions, resolveRules } from '../guard/safety/options.js'
import type { SafetyRule } from '../guard/safety/rule.js'
import { safetyRules } from '../guard/safety/rules/table.js'
import type { Verdicts } from './verdicts/options.js'
import { verdictOptions } from './verdicts/parts.js'

export interface SafetyOptions {
  /** Rules of `safetyRules` to do without, and rules to add. Default: all of those, and no other. */
  rules?: RuleOptions | undefined
}

/** What commands of a tool are checked against; undefined: they are not. */
export type Safety = (OrderedRules & { readonly refusals: readonly string[] }) | undefined

/** @throws {BashError} ERR_INVALID_INPUT */
export function resolveSafety(safety: unknown = true): Safety {
  if (safety === false) return undefined
  if (safety !== true && (typeof safety !== 'object' || safety === null)) {
    throw invalidInput('safety', 'must be a boolean or an object', safety)
  }
  const { rules: given } = safety === true ? {} : checkObject('safety', safety, ['rules'])
  const rules = given === undefined ? safetyRules : resolveRules(given, 'safety.rules')
  return { ...orderRules(rules), refusals: rules.map(refusalOf) }
}

/** The line of a tool's description that saves a model from trying; empty when nothing is refused. */
function describeSafety(safety: Safety): string {
  const refusals = safety?.refusals ?? []
  return refusals.length === 0 ? '' : `Refused before they run: ${refusals.join('; ')}.`
}

/**
 * What of the tool's rules its description tells.
 *
 * @param context `isApproved`: a framework asks a person about calls
 */
export function describeRules(
  { safety, verdicts }: { safety: Safety; verdicts?: Verdicts | undefined },
  { isApproved }: { isApproved: boolean } = { isApproved: false },
): string {
  const lines = verdicts === undefined ? [] : [verdictOptions().describeVerdicts(verdicts, isApproved)]
  return [...lines, describeSafety(safety)].filter((line) => line !== '').join('\n')
}

/** A rule that takes the place of a built-in one refuses the same, unless it says otherwise. */
function refusalOf({ name, refuses }: SafetyRule): string {
  return refuses ?? safetyRules.find((rule) => rule.name === name)?.refuses ?? name
}
