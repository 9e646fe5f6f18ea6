// Goes through the commands of a script, and through those that they run in turn, and asks the rules about each. The
// first check loads it, and the parsers with it.

import { maxDepth, nestedScriptCost, newBudget } from './budget.js'
import type { ResolvedCheckOptions } from './options.js'
import type { Finding } from './rule.js'
import { mayNeedTerminal } from './rules/needs-terminal.js'
import { Scope } from './scope.js'
import { readScript } from './script/read-script.js'
import { runAsync, runSync, type Steps } from './script/steps.js'
import { type Examination, type NestedScript, ScriptWalk } from './script-walk.js'
import type { Watch } from './watch.js'

export { programCalls } from './program-calls.js'

/** Characters. A longer command is checked without holding up the event loop. */
const longCommand = 4096

/** Items between two offers to pause. */
const itemsPerStep = 32

interface ExamineOptions extends ResolvedCheckOptions {
  watch?: Watch
}

/**
 * The first thing that a rule objects to; undefined: there is nothing.
 *
 * @param longest characters of a command that is checked at once; for others a promise is returned
 */
export function findFirst(
  command: string,
  options: ExamineOptions,
  longest = longCommand,
): Finding | undefined | Promise<Finding | undefined> {
  const steps = examine(command, options)
  return command.length > longest ? runAsync(steps) : runSync(steps)
}

/** Whether a script can be read to its end: a command that goes on in the next line cannot, nor can what is none. */
export const readsToEnd = (command: string): boolean => runSync(readScript(command)).unread === null

function* examine(command: string, options: ExamineOptions): Steps<Finding | undefined> {
  const { rules, lastRules, workingDir, home, hasVariable, onUnread, watch, contextDir } = options
  const groups = lastRules.length > 0 && mayNeedTerminal(command) ? [rules, lastRules] : [rules]
  for (const group of groups) {
    const script: NestedScript = {
      text: command,
      scope: Scope.root(workingDir, home, contextDir),
      place: undefined,
      input: () => undefined,
      runner: undefined,
      unset: undefined,
      leavesUnset: (name) => !hasVariable(name),
    }
    const examination = { rules: group, budget: newBudget(command.length, onUnread), watch }
    const finding = yield* examineScript(script, examination, 0)
    if (finding !== undefined) return finding
  }
  return undefined
}

function* examineScript(
  nested: NestedScript,
  shared: Examination,
  depth: number,
): Steps<Finding | undefined> {
  const script = yield* readScript(nested.text)
  const walk = new ScriptWalk(script, nested, shared)
  for (const [index, item] of script.items.entries()) {
    if (index % itemsPerStep === itemsPerStep - 1) yield undefined
    const finding = yield* walk.visit(item, index)
    if (finding !== undefined) return finding
    // At once: what `eval` changes holds for the next command.
    for (const inner of walk.nested.splice(0)) {
      shared.budget.nestedText -= inner.text.length + nestedScriptCost
      if (depth >= maxDepth || shared.budget.nestedText < 0) {
        shared.budget.onUnread?.()
        continue
      }
      const innerFinding = yield* examineScript(inner, shared, depth + 1)
      if (innerFinding !== undefined) return innerFinding
    }
  }
  return undefined
}
