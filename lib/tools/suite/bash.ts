// The suite's Bash: rendered output in at most 30,000 characters, a timeout of the caller's, background commands.

import type { ReadJobOptions } from '../../commands/jobs/read.js'
import type { BashResult } from '../../commands/run/result.js'
import { BashSession } from '../../commands/session/bash-session.js'
import { describeTool, type Restriction } from '../../guard/sandbox/description.js'
import { suiteMaxCharacters } from '../../processes/output/profile.js'
import { defaultTimeouts, describeSoftLimit, notKept } from '../bash-schema.js'
import { commandNotes, resultText } from '../bash-text.js'
import type { Call, ToolParts } from '../call/call.js'
import { callMethods } from '../call/call-methods.js'
import { type CommandInput, type CommandTool, checkedCall, judgeMethod } from '../call/checked-call.js'
import { runCall } from '../call/run-call.js'
import { type ResolvedContext, resolveContext } from '../context.js'
import { startedBy, tellNews } from '../job-news.js'
import { loginNotes } from '../login-note.js'
import { directoryFor, restrictionOf } from '../modes.js'
import { describeRules } from '../safety.js'
import type { JobOptions } from '../tool-options.js'
import type { BashTerminals } from '../tty/tools.js'
import type { Tool, ToolContext } from '../types.js'
import { bashSchema, defaultTimeoutMs, maxTimeoutMs, type SuiteBashInput } from './schemas.js'

export type SuiteBashTool = Tool<SuiteBashInput, BashResult>

export interface SuiteBashParts extends ToolParts {
  jobs: JobOptions
  /** Whether calls whose context has no session share one, which begins in the directory of the first. */
  sharesSession: boolean
  /** What the model is told of the input, where that is not the suite's. */
  input?: InputNotes
  /** Characters of output that a call gives. */
  maxChars?: number
  /** What is taken out of what it tells of jobs. */
  redact: ReadJobOptions['redact']
  /** Where commands can have terminals. */
  terminals?: BashTerminals | undefined
}

export interface InputNotes {
  /** Lines of the description. */
  description: string
  /** What gives a command more time than so many milliseconds; undefined: nothing. */
  moreTimeThan(timeoutMs: number): string | undefined
}

export function createSuiteBash({ input: notes = ownInputNotes, ...parts }: SuiteBashParts): SuiteBashTool {
  const { modes, sharesSession, maxChars, terminals } = parts
  const jobs = { store: parts.jobs.store, redact: parts.redact }
  // With a property more.
  const schema = (terminals?.schema ?? bashSchema) as typeof bashSchema
  const tool: CommandTool<typeof bashSchema> = { name: 'Bash', schema, ...parts }
  let shared: BashSession | undefined
  const sessionOf = ({ session, workingDir }: ResolvedContext<never>) => {
    if (session !== undefined || !sharesSession) return session
    shared ??= new BashSession({ workingDir })
    return shared
  }
  const callOf = (input: CommandInput<typeof bashSchema>, context: ResolvedContext<never>): Call => {
    const { command, timeout, run_in_background = false, tty = false } = input as SuiteBashInput
    const background = run_in_background || tty
    const timeoutMs = timeout ?? (background ? defaultTimeouts.background : defaultTimeoutMs)
    const moreTime = () => notes.moreTimeThan(timeoutMs)
    const tools = tty && terminals !== undefined ? { ...tool, modes: terminals.modes() } : tool
    return { ...context, tool: tools, session: sessionOf(context), command, timeoutMs, background, moreTime }
  }
  return {
    name: tool.name,
    inputSchema: schema,
    description: (context) => {
      const resolved = resolveContext<never>(context)
      const session = sessionOf(resolved)
      const workingDir = directoryFor(modes, { ...resolved, session })
      const restriction = restrictionOf(modes, resolved, session)
      const told = describeRules(tool, resolved)
      const refusals = terminals?.describeRefusals(told) ?? told
      const persists = session !== undefined
      const { backgroundAfter } = modes.unrestricted
      const softLimit = backgroundAfter === undefined ? [] : [describeSoftLimit(backgroundAfter)]
      const ttyNotes = terminals === undefined ? [] : [terminals.description]
      const inputNotes = [notes.description, ...ttyNotes, ...softLimit].join('\n')
      return describeSuiteBash(workingDir, persists, restriction, refusals, inputNotes, maxChars)
    },
    toText: (result) => terminals?.text(result) ?? suiteText(result),
    ...callMethods<ToolContext, BashResult>(resolveContext, async (received) => {
      const result = await checkedCall(tool, received, async (input, context) => {
        const call = callOf(input, context)
        const result = await runCall(call)
        if (terminals === undefined) return result
        if ((input as SuiteBashInput).tty !== true) return terminals.hint(result)
        return await terminals.show(result, call, input.run_in_background === true)
      })
      return await tellNews(result, received.context, jobs, startedBy(result))
    }),
    ...judgeMethod(tool, resolveContext<BashResult>, callOf),
  }
}

const openingFor = (maxChars: number) =>
  `Executes a bash command and returns its output (stdout and stderr, at most ${maxChars} characters).`

const stateless = 'Environment variables and the working directory do not persist between calls.'

const stateful = `Environment variables and the working directory persist between calls.\n${notKept}`

export const ownInputNotes: InputNotes = {
  description: `The timeout is in milliseconds: ${defaultTimeoutMs} by default, ${maxTimeoutMs} at most.
With run_in_background the command goes on after the call, for ${defaultTimeouts.background / 3_600_000} hours or until its timeout, if it has one: read its
output with BashOutput, end it with KillBash.`,
  moreTimeThan: (timeoutMs) =>
    `${timeoutMs < maxTimeoutMs ? `timeout (up to ${maxTimeoutMs}) or ` : ''}run_in_background`,
}

export function describeSuiteBash(
  workingDir: string,
  persists: boolean,
  restriction?: Restriction,
  refusals?: string,
  inputDescription = ownInputNotes.description,
  maxChars = suiteMaxCharacters,
): string {
  const text = `${openingFor(maxChars)}\n\n${persists ? stateful : stateless}\n${inputDescription}`
  return describeTool(text, workingDir, restriction, refusals)
}

export function suiteText(result: BashResult): string {
  const reminder = '<reminder>To read its output: BashOutput. To stop: KillBash</reminder>'
  if (result.status !== 'background' || result.backgroundAfterMs !== undefined) {
    const id = `<bash_id>${result.jobId}</bash_id>`
    return resultText(result, '', (id) => `KillBash ${id}`, [id, reminder])
  }
  return [
    `<bash_id>${result.jobId}</bash_id>`,
    `<pid>${result.pid}</pid>`,
    `<output_file>${result.outputFile}</output_file>`,
    reminder,
    ...commandNotes(result),
    ...loginNotes(result),
    ...(result.news ?? []),
  ].join('\n')
}
