// The check of a call against the safety rules, before its command runs.

import { homeDirectory } from '../../base/util/directories.js'
import { onAbort } from '../../base/util/listeners.js'
import type { BashResult } from '../../commands/run/result.js'
import { checkWith } from '../../guard/safety/check-command.js'
import { isCacheVariable } from '../../guard/sandbox/network-policy.js'
import { hasVariable } from '../../processes/environment/command-environment.js'
import { stateOf } from '../modes.js'
import type { Call, Plan } from './call.js'
import { cancelled, refused } from './not-run.js'

/**
 * A long command is checked while the event loop goes on.
 *
 * @returns the result of a command that may not run: `rejected`, or `cancelled` while it was being checked
 * @throws {BashError} ERR_SAFETY_RULE when a rule of the host fails
 */
export async function checkSafety(call: Call, plan: Plan): Promise<BashResult | undefined> {
  const { command, cancel, background, tool } = call
  if (tool.safety === undefined) return undefined
  if (cancel?.aborted === true) return cancelled(call, plan)
  const { rules, lastRules } = tool.safety
  // Nobody waits for a job.
  const checked = checkWith(command, {
    rules,
    lastRules: background ? [] : lastRules,
    ...placeOf(call, plan),
  })
  const verdict = checked instanceof Promise ? await unlessAborted(checked, cancel) : checked
  if (verdict === undefined) return cancelled(call, plan)
  return verdict.allowed ? undefined : refused(call, plan, verdict)
}

/** What rules know of where a command is going to run. */
export interface CommandPlace {
  workingDir: string
  contextDir: string
  home: string
  hasVariable: (name: string) => boolean
}

export function placeOf(
  { session, workingDir: contextDir }: Call,
  { workingDir, environment, options }: Plan,
): CommandPlace {
  return {
    workingDir,
    contextDir: session?.initialDirectory ?? contextDir,
    home: environment.home ?? homeDirectory(),
    hasVariable: (name) =>
      session?.holdsVariable(stateOf(options), name) ??
      (hasVariable(environment, options.scratch, name) ||
        isCacheVariable(options.policy?.network ?? false, name)),
  }
}

/** @returns undefined when the signal is aborted before */
export async function unlessAborted<Value>(
  pending: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value | undefined> {
  let release = () => {}
  const aborted = new Promise<undefined>((resolve) => {
    release = onAbort(signal, () => resolve(undefined))
  })
  try {
    return await Promise.race([pending, aborted])
  } finally {
    release()
  }
}
