#!/usr/bin/env node
// The command checks for agents that have a bash tool of their own and call a hook before they use it, as Claude Code
// and Codex do: the call comes as JSON on stdin, and exit status 2 stops it, with the reason for the model on stderr.
// How to register it is in README.md. To see it work:
//
//   echo '{"tool_name":"Bash","tool_input":{"command":"git add ."},"cwd":"/tmp"}' | node examples/pre-tool-use-hook.mjs

import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { checkCommand } from 'bashward'

const blocked = 2
// Anything else is shown to the person, and the call goes on: this is a guardrail, and no reason to stop all work.
const failed = 1

try {
  const { tool_name: tool, tool_input: input, cwd = '' } = JSON.parse(await text(process.stdin))
  // Other tools have a `command` too, such as Codex's apply_patch, and it is no shell's. What is allowed is not said to
  // be: that would spare the person the agent's own question.
  if (tool === 'Bash' && typeof input?.command === 'string') {
    const { allowed, rule, message } = await checkCommand(input.command, { workingDir: resolve(cwd) })
    if (!allowed) {
      console.error(`[command rejected: ${rule}] ${message}`)
      process.exitCode = blocked
    }
  }
} catch (error) {
  console.error(`the command was not checked: ${error.message}`)
  process.exitCode = failed
}
