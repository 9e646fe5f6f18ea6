// Goes through the commands of a script, and through those that they run in turn, and asks the rules about each.

import type { Finding } from './ask-rules.js'
import { maxDepth, nestedScriptCost, newBudget } from './budget.js'
import type { ResolvedCheckOptions } from './options.js'
import type { SafetyRule } from './rule.js'
import { mayNeedTerminal } from './rules/needs-terminal.js'
import { Scope } from './scope.js'
import { readScript } from './script/read-script.js'
import type { Steps } from './script/steps.js'
import { type NestedScript, ScriptWalk } from './script-walk.js'

/** Items between two offers to pause. */
const itemsPerStep = 32

/** The first thing that a rule objects to; null: there is nothing. */
export function* examine(command: string, options: ResolvedCheckOptions): Steps<Finding | null> {
  const finding = yield* examineWith(options.rules, command, options)
  if (finding !== null || options.lastRules.length === 0 || !mayNeedTerminal(command)) return finding
  return yield* examineWith(options.lastRules, command, options)
}

function* examineWith(
  rules: readonly SafetyRule[],
  command: string,
  { workingDir, home, hasVariable }: ResolvedCheckOptions,
): Steps<Finding | null> {
  const script: NestedScript = {
    text: command,
    scope: Scope.root(workingDir, home),
    place: null,
    input: () => null,
    unset: null,
    leavesUnset: (name) => !hasVariable(name),
  }
  return yield* examineScript(script, { rules, budget: newBudget(command.length) }, 0)
}

type Shared = Pick<ScriptWalk, 'rules' | 'budget'>

function* examineScript(nested: NestedScript, shared: Shared, depth: number): Steps<Finding | null> {
  const script = yield* readScript(nested.text)
  const walk = new ScriptWalk(script, nested, shared.rules, shared.budget)
  for (let index = 0; index < script.items.length; index++) {
    if (index % itemsPerStep === itemsPerStep - 1) yield undefined
    const finding = yield* walk.visit(index)
    if (finding !== null) return finding
    // At once: what `eval` changes holds for the next command.
    for (const inner of walk.takeNested()) {
      shared.budget.nestedText -= inner.text.length + nestedScriptCost
      if (depth >= maxDepth || shared.budget.nestedText < 0) continue
      const innerFinding = yield* examineScript(inner, shared, depth + 1)
      if (innerFinding !== null) return innerFinding
    }
  }
  return null
}
