// The suite's Bash (004): rendered output in at most 30,000 characters, a timeout of the caller's, background commands.

import type { ResolvedOptions } from '../../engine/options.js'
import type { BashResult } from '../../result.js'
import { callBash, type JobOptions } from '../bash-call.js'
import { resultText } from '../bash-text.js'
import { callMethods } from '../call-methods.js'
import { checkedCall } from '../checked-call.js'
import { type ResolvedContext, resolveContext } from '../context.js'
import type { Tool, ToolContext } from '../types.js'
import { bashSchema, defaultTimeoutMs, type SuiteBashInput } from './schemas.js'

export type SuiteBashTool = Tool<SuiteBashInput, BashResult>

const name = 'Bash'

/** Milliseconds after which a background command is killed (003, "Mode Semantics"). */
const backgroundLimitMs = 86_400_000

export function createSuiteBash(base: ResolvedOptions, jobs: JobOptions): SuiteBashTool {
  return {
    name,
    inputSchema: bashSchema,
    description: (context) => describe(resolveContext(context).workingDir),
    toText,
    ...callMethods<ToolContext, ResolvedContext, BashResult>({
      resolveContext,
      call: (input, getContext, context) =>
        checkedCall(name, bashSchema, input, context, async (checked) => {
          const { command, timeout = defaultTimeoutMs, run_in_background: background = false } = checked
          const { workingDir, owner, cancel, onEvent } = getContext()
          const timeoutMs = background ? backgroundLimitMs : timeout
          return await callBash(
            { command, workingDir, owner, cancel, onEvent, background, timeoutMs },
            base,
            jobs,
          )
        }),
    }),
  }
}

function describe(workingDir: string): string {
  return `Executes a bash command and returns its output (stdout and stderr, at most 30000 characters).

Environment variables and the working directory persist between calls.
The timeout is in milliseconds: 120000 by default, 600000 at most.
With run_in_background the command goes on after the call: read its output with BashOutput, end it with KillBash.

<pwd>${workingDir}</pwd>`
}

function toText(result: BashResult): string {
  if (result.status !== 'background') return resultText(result, '')
  return [
    `<bash_id>${result.jobId}</bash_id>`,
    `<pid>${result.pid}</pid>`,
    `<output_file>${result.outputFile}</output_file>`,
    '<reminder>To read its output: BashOutput. To stop: KillBash</reminder>',
  ].join('\n')
}
