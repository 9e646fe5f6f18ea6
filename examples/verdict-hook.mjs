#!/usr/bin/env node
// Verdicts for Claude Code: fewer questions about commands that only read, and none forgotten about others. Claude Code
// runs this hook before each command: the call comes as JSON on stdin, and the decision goes to stdout.
//
//   --policy FILE        rules of your own (docs/verdicts.md); may be given several times
//   --allow              commands that are allowed run without a question. Default: Claude Code's own rules decide
//   --trust-repository   so do those of git whose configuration may name programs to run. Default: they ask
//
// README.md tells how to register it. Try it:
//
//   echo '{"tool_name":"Bash","tool_input":{"command":"npm test | tail"},"cwd":"/tmp"}' | node examples/verdict-hook.mjs

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { judgeCommand, loadPolicy } from 'bashward'

const options = {
  policy: { type: 'string', multiple: true, default: [] },
  allow: { type: 'boolean', default: false },
  'trust-repository': { type: 'boolean', default: false },
}

try {
  const { values } = parseArgs({ options })
  const { tool_name: tool, tool_input: input, cwd = '' } = JSON.parse(await text(process.stdin))
  if (tool === 'Bash') {
    const policy = loadPolicy(
      values.policy.map((from) => ({ from, ...JSON.parse(readFileSync(from, 'utf8')) })),
    )
    const judgement = await judgeCommand(input.command, { workingDir: resolve(cwd), policy })
    // Who may leave Claude Code's own sandbox is its question.
    const allow = values.allow && input.dangerouslyDisableSandbox !== true
    answer(judgement, { ...values, allow })
  }
} catch (error) {
  // Rules that cannot be read may be those that deny.
  decide('ask', `the command was not judged: ${error.message}`)
}

function answer({ decision, reasons, repository }, { allow, 'trust-repository': trusted }) {
  const reason = reasons.map(({ message }) => message).join('; ')
  if (decision !== 'allow') decide(decision, reason)
  else if (repository && !trusted)
    decide('ask', 'what git runs may depend on the configuration of the repository')
  // No answer at all leaves it to Claude Code.
  else if (allow) decide('allow', reason === '' ? 'every command is known to only read' : reason)
}

function decide(permissionDecision, permissionDecisionReason) {
  const hookSpecificOutput = { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason }
  console.log(JSON.stringify({ hookSpecificOutput }))
}
