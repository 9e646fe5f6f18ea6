#!/usr/bin/env node
// Safety checks for agents with a bash tool of their own, such as Claude Code and Codex. They run this hook before a
// command: the call comes as JSON on stdin; exit status 2 stops it, and the model reads the reason on stderr.
// README.md tells how to register it. Try it:
//
//   echo '{"tool_name":"Bash","tool_input":{"command":"git add ."},"cwd":"/tmp"}' | node examples/pre-tool-use-hook.mjs

import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { checkCommand } from 'bashward'

const blocked = 2
// Any other status is shown to the person and the call goes on: a broken guardrail should not stop all work.
const failed = 1

try {
  const { tool_name: tool, tool_input: input, cwd = '' } = JSON.parse(await text(process.stdin))
  // Other tools have a `command` that is not a shell's, such as Codex's apply_patch. An allowed command gets no answer:
  // answering "allow" would skip the agent's own question to the person.
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
