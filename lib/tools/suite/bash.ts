// The suite's Bash: rendered output in at most 30,000 characters, a timeout of the caller's, background commands.

import type { BashResult } from '../../run/result.js'
import { describeTool, type Restriction } from '../../sandbox/description.js'
import { callBash, type JobOptions } from '../bash-call.js'
import { defaultTimeouts, notKept } from '../bash-schema.js'
import { resultText } from '../bash-text.js'
import { callMethods } from '../call-methods.js'
import { checkedCall } from '../checked-call.js'
import { type ResolvedContext, resolveContext } from '../context.js'
import { displayBeforehand } from '../display.js'
import { type ModeOptions, restrictionOf } from '../mode-options.js'
import { describeSafety, type Safety } from '../safety.js'
import type { Tool, ToolContext } from '../types.js'
import { bashSchema, defaultTimeoutMs, maxTimeoutMs, type SuiteBashInput } from './schemas.js'
import type { SuiteSession } from './session.js'

export type SuiteBashTool = Tool<SuiteBashInput, BashResult>

const name = 'Bash'

export interface SuiteBashParts {
  modeOptions: ModeOptions
  jobs: JobOptions
  safety: Safety
  /** The session of calls whose context has none; without it such calls share nothing. */
  own: SuiteSession | undefined
  /** What the model is told of the input, where that is not the suite's. */
  input?: InputNotes
}

export interface InputNotes {
  /** Lines of the description. */
  description: string
  /** What gives a command more time than so many milliseconds; undefined: nothing. */
  moreTimeThan(timeoutMs: number): string | undefined
}

export function createSuiteBash({
  modeOptions,
  jobs,
  safety,
  own,
  input: notes = ownInputNotes,
}: SuiteBashParts): SuiteBashTool {
  const withSession = (context: ResolvedContext) => context.session ?? own?.get(context.workingDir)
  return {
    name,
    inputSchema: bashSchema,
    description: (context) => {
      const resolved = resolveContext(context)
      const session = withSession(resolved)
      const workingDir = session?.workingDirIn(resolved.sandbox) ?? resolved.workingDir
      const restriction = restrictionOf(modeOptions, resolved.sandbox)
      const refusals = describeSafety(safety)
      return describeSuiteBash(workingDir, session !== undefined, restriction, refusals, notes.description)
    },
    toText,
    ...callMethods<ToolContext, ResolvedContext, BashResult>({
      resolveContext,
      call: (input, getContext, context) =>
        checkedCall({
          tool: name,
          schema: bashSchema,
          input,
          context,
          display: own === undefined ? displayBeforehand(modeOptions, getContext) : (command) => command,
          async run({ command, timeout = defaultTimeoutMs, run_in_background: background = false }) {
            const resolved = getContext()
            const { workingDir, sandbox, owner, cancel, onEvent } = resolved
            const session = withSession(resolved)
            const timeoutMs = background ? defaultTimeouts.background : timeout
            const moreTime = notes.moreTimeThan(timeoutMs)
            const place = { workingDir, owner, session, cancel, onEvent }
            const call = { command, ...place, background, timeoutMs, moreTime }
            return await callBash(call, { options: modeOptions[sandbox], jobs, safety })
          },
        }),
    }),
  }
}

const opening =
  'Executes a bash command and returns its output (stdout and stderr, at most 30000 characters).'

const stateless = 'Environment variables and the working directory do not persist between calls.'

const stateful = `Environment variables and the working directory persist between calls.\n${notKept}`

export const ownInputNotes: InputNotes = {
  description: `The timeout is in milliseconds: ${defaultTimeoutMs} by default, ${maxTimeoutMs} at most.
With run_in_background the command goes on after the call: read its output with BashOutput, end it with KillBash.`,
  moreTimeThan: (timeoutMs) =>
    `${timeoutMs < maxTimeoutMs ? `timeout (up to ${maxTimeoutMs}) or ` : ''}run_in_background`,
}

export function describeSuiteBash(
  workingDir: string,
  persists: boolean,
  restriction?: Restriction,
  refusals?: string,
  inputDescription = ownInputNotes.description,
): string {
  const text = `${opening}\n\n${persists ? stateful : stateless}\n${inputDescription}`
  return describeTool(text, workingDir, restriction, refusals)
}

function toText(result: BashResult): string {
  if (result.status !== 'background') return resultText(result, '', (id) => `KillBash ${id}`)
  return [
    `<bash_id>${result.jobId}</bash_id>`,
    `<pid>${result.pid}</pid>`,
    `<output_file>${result.outputFile}</output_file>`,
    '<reminder>To read its output: BashOutput. To stop: KillBash</reminder>',
  ].join('\n')
}
