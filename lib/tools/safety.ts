// The option `safety` of the tools, and the check of a command before it runs: REQ-BASH-007 (docs/requirements.md).

import { blankResult } from '../run/blank-result.js'
import type { BashResult, SandboxMode } from '../run/result.js'
import { checkCommand } from '../safety/check-command.js'
import { type RuleOptions, resolveRules } from '../safety/options.js'
import type { SafetyRule } from '../safety/rule.js'
import { safetyRules } from '../safety/rules/table.js'
import type { Verdict } from '../safety/verdict.js'
import { checkObject, invalidInput } from '../util/invalid-input.js'
import { onAbort } from '../util/listeners.js'

export interface SafetyOptions {
  /** Rules of `safetyRules` to do without, and rules to add. Default: all of those, and no other. */
  rules?: RuleOptions | undefined
}

/** What commands of a tool are checked against; undefined: they are not. */
export type Safety =
  | { readonly options: { rules?: RuleOptions }; readonly refusals: readonly string[] }
  | undefined

/** @throws {BashError} ERR_INVALID_INPUT */
export function resolveSafety(safety: unknown = true): Safety {
  if (safety === false) return undefined
  if (safety !== true && (typeof safety !== 'object' || safety === null)) {
    throw invalidInput('safety', 'must be a boolean or an object', safety)
  }
  const { rules } = safety === true ? {} : checkObject('safety', safety, ['rules'])
  if (rules === undefined) return { options: {}, refusals: safetyRules.map(refusalOf) }
  const refusals = resolveRules(rules, 'safety.rules').map(refusalOf)
  // A copy: the caller's object may change.
  const { off = [], add = [] } = rules as RuleOptions
  return { options: { rules: { off: [...off], add: [...add] } }, refusals }
}

export interface CommandToCheck {
  command: string
  /** Where it is going to run, an absolute path. */
  workingDir: string
  /** Its HOME. */
  home: string | undefined
  sandbox: SandboxMode
  cancel: AbortSignal | undefined
  /** Whether its environment has a variable, and not an empty one. */
  hasVariable: (name: string) => boolean
  /** False for a command that a call waits for, and that would wait for a terminal itself. */
  terminal: boolean
}

/**
 * The result of a command that may not run: `rejected`, or `cancelled` while it was being checked. A long command is
 * checked while the event loop goes on.
 *
 * @returns undefined for a command that may run
 * @throws {BashError} ERR_SAFETY_RULE when a rule of the host fails
 */
export async function refuse(safety: Safety, call: CommandToCheck): Promise<BashResult | undefined> {
  const { command, workingDir, home, sandbox, cancel, terminal, hasVariable } = call
  if (safety === undefined) return undefined
  if (cancel?.aborted === true) return blankResult(command, 'cancelled', sandbox)
  const place = home === undefined ? { workingDir } : { workingDir, home }
  const checked = checkCommand(command, { ...safety.options, ...place, terminal, hasVariable })
  const verdict = checked instanceof Promise ? await unlessCancelled(checked, cancel) : checked
  if (verdict === undefined) return blankResult(command, 'cancelled', sandbox)
  if (verdict.allowed) return undefined
  const { rule, match, message } = verdict
  return {
    ...blankResult(command, 'rejected', sandbox),
    rejection: { rule, match },
    error: { code: 'ERR_COMMAND_REJECTED', message },
  }
}

async function unlessCancelled(
  checked: Promise<Verdict>,
  cancel: AbortSignal | undefined,
): Promise<Verdict | undefined> {
  let release = () => {}
  const cancelled = new Promise<undefined>((resolve) => {
    release = onAbort(cancel, () => resolve(undefined))
  })
  try {
    return await Promise.race([checked, cancelled])
  } finally {
    release()
  }
}

/** The line of a tool's description that saves a model from trying; empty when nothing is refused. */
export function describeSafety(safety: Safety): string {
  const refusals = safety?.refusals ?? []
  return refusals.length === 0 ? '' : `Refused before they run: ${refusals.join('; ')}.`
}

/** A rule that takes the place of a built-in one refuses the same, unless it says otherwise. */
function refusalOf({ name, refuses }: SafetyRule): string {
  return refuses ?? safetyRules.find((rule) => rule.name === name)?.refuses ?? name
}
