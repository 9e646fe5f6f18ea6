// The bash tool of the MCP server: it answers within a limit, because clients give a call up after a while. A command that
// takes longer goes on as a background job.

import type { Job } from '../../commands/jobs/job.js'
import { listeningText } from '../../commands/jobs/listening/socket.js'
import type { JobStore } from '../../commands/jobs/store.js'
import type { OutputOptions } from '../../commands/run/command-options.js'
import { type BashResult, blankResult } from '../../commands/run/result.js'
import { execution } from '../../commands/run/run.js'
import { describeTool } from '../../guard/sandbox/description.js'
import { redactOfJobs } from '../../processes/environment/redact-option.js'
import { withoutImitations } from '../../processes/output/notices.js'
import { charactersProfile, suiteMaxCharacters } from '../../processes/output/profile.js'
import { type BashMode, formatDuration, notKept } from '../../tools/bash-schema.js'
import {
  binaryNote,
  commandNotes,
  joinLines,
  resultText,
  sessionNote,
  shownOutput,
} from '../../tools/bash-text.js'
import type { Call } from '../../tools/call/call.js'
import { receive } from '../../tools/call/call-methods.js'
import { type CommandTool, checkedCall } from '../../tools/call/checked-call.js'
import { runCall } from '../../tools/call/run-call.js'
import { resolveContext } from '../../tools/context.js'
import { loginNotes } from '../../tools/login-note.js'
import { optionsFor, resolveForModes, restrictionOf } from '../../tools/modes.js'
import { describeRules } from '../../tools/safety.js'
import { sandboxNotes } from '../../tools/sandbox-notes.js'
import { defaultSaveOutput, ttyTools } from '../../tools/suite/suite.js'
import {
  checkToolOptions,
  type TimeoutsOption,
  type ToolOptions,
  type TtyOption,
  toolOptionNames,
} from '../../tools/tool-options.js'
import type { ToolNames } from '../../tools/tty/schemas.js'
import type { SeenOutput } from '../../tools/tty/seen.js'
import type { ToolContext } from '../../tools/types.js'
import { type LimitedBashSchema, limitedBashSchema } from './input.js'
import { waitForJob } from './job.js'
import { jobResult } from './job-result.js'

export interface LimitedBashOptions
  extends Pick<
      ToolOptions,
      'workspace' | 'scratch' | 'safety' | 'verdicts' | 'env' | 'calls' | 'maxOutputChars'
    >,
    Pick<OutputOptions, 'saveOutput'>,
    TimeoutsOption,
    TtyOption {
  jobs: JobStore
  /** Milliseconds of a command after which its call is answered, whether it has ended or not. */
  answerWithinMs: number
  /** Whether the context of every call has a session. */
  session?: boolean
  /** Of terminals: what the model has been given. Needed with `tty`. */
  seen?: SeenOutput | undefined
}

/** Of a command that goes on: why the call was answered before its end. */
export type LimitedBashResult = BashResult & { notice?: string }

export const toolNames: ToolNames = { input: 'bash_input', output: 'bash_output', kill: 'kill_bash' }

export function createLimitedBash({
  answerWithinMs,
  session: persists = false,
  seen,
  ...options
}: LimitedBashOptions) {
  const { jobs: store } = options
  const {
    command: commandOptions,
    safety,
    verdicts,
    calls,
    timeouts,
    jobs,
    tty: ttyOption,
  } = checkToolOptions(options, toolOptionNames)
  const saveOutput = options.saveOutput === undefined ? defaultSaveOutput() : commandOptions.saveOutput
  const save = saveOutput !== undefined
  const { maxOutputChars } = commandOptions
  const maxChars = maxOutputChars ?? suiteMaxCharacters
  const wholeLines = maxOutputChars !== undefined
  const output = charactersProfile({ maxChars, wholeLines, normalize: true, save })
  // Live output is only counted, and a line that has no end yet counts as well.
  const profile = { output: { ...output, normalizeLive: false } }
  const all = { ...commandOptions, saveOutput }
  const modes = resolveForModes(all, profile)
  const terminals =
    ttyOption &&
    ttyTools().createTtyTools({
      ...{ store: () => store, safety, verdicts, maxChars, explain: all.explain, seen },
      redact: redactOfJobs(all.redact, all.env),
      names: toolNames,
      longestWaitMs: answerWithinMs,
      modes: () => resolveForModes(all, profile, ttyOption.size),
      asking: ttyOption.asking,
    })
  const schema = limitedBashSchema(timeouts, terminals?.bash.property)
  const tool: CommandTool<LimitedBashSchema> = { name: 'bash', schema, modes, safety, verdicts, calls, jobs }

  /** Of a command that goes on as a job: the notice. */
  async function told(
    result: BashResult,
    timeoutMs: number,
    cancel: AbortSignal | undefined,
    onUnfinished: () => void,
  ): Promise<LimitedBashResult> {
    const { jobId, backgroundAfterMs, command, display, sandbox } = result
    if (jobId === undefined || backgroundAfterMs === undefined) return result
    if (cancel?.aborted === true) {
      // Nobody would learn of the job.
      await store.kill(jobId).catch(() => {})
      return { ...blankResult(command, 'cancelled', sandbox), display }
    }
    onUnfinished()
    const notice = unfinished(jobId, answerWithinMs, timeoutMs)
    return { ...result, notice }
  }

  return {
    inputSchema: schema,
    /** Undefined: commands have no terminals. */
    terminals,

    description(context: ToolContext): string {
      const { workingDir, ...asked } = resolveContext(context)
      const about = describe(timeouts, answerWithinMs, persists, maxChars)
      const rules = describeRules(tool)
      return describeTool(
        terminals === undefined ? about : `${about}\n\n${terminals.bash.description}`,
        workingDir,
        restrictionOf(modes, asked),
        terminals?.bash.describeRefusals(rules) ?? rules,
      )
    },

    /**
     * Never rejects.
     *
     * @param onJob told of the job that the command runs as from its beginning: its output is not told
     * @param onUnfinished told when the call is answered before its command has ended, which goes on as a job
     */
    execute(
      input: unknown,
      given: ToolContext,
      onJob: (id: string) => void,
      onUnfinished: () => void = () => {},
    ): Promise<LimitedBashResult> {
      const received = receive(input, given, resolveContext<BashResult>)
      return checkedCall(tool, received, async ({ command, mode = 'default', timeout, tty }, context) => {
        const { cancel } = context
        if (terminals !== undefined && tty === true) {
          const tools = { ...tool, modes: terminals.bash.modes() }
          const timeoutMs = timeout ?? timeouts.background
          const call: Call = { ...context, tool: tools, command, timeoutMs, background: true }
          return await terminals.bash.show(await runCall(call), call, mode === 'background')
        }
        const timeoutMs = timeout ?? timeouts[mode]
        const call = { ...context, tool, command, timeoutMs }
        if (mode === 'background') return await runCall({ ...call, background: true })
        if (await execution().canHandOver()) {
          const result = await runCall({ ...call, background: false, backgroundAfter: answerWithinMs })
          return await told(result, timeoutMs, cancel, onUnfinished)
        }
        // There a command that may take longer is a job from its beginning.
        const started = await runCall({ ...call, background: timeoutMs > answerWithinMs })
        const { jobId } = started
        if (started.status !== 'background' || jobId === undefined) return started
        // Of the command: a person may have taken time before it.
        const deadline = performance.now() + answerWithinMs
        onJob(jobId)
        const options = { ...optionsFor(modes, context), cwd: context.workingDir }
        const unfinishedNotice = unfinished(jobId, answerWithinMs, timeoutMs)
        if (context.session !== undefined) started.sessionUnsaved = portableUnsaved
        return await waitForJob(store, started, {
          jobId,
          deadline,
          cancel,
          timeoutMs,
          options,
          unfinishedNotice,
          onUnfinished,
        })
      })
    },

    /**
     * The result of a command that went on as a job, now that this has ended: as if it had been waited for.
     *
     * @param answer the fields of what the call was answered with; undefined when that is not known any more
     * @throws {BashError} (rejects) when the job cannot be read
     */
    async ended(
      job: Job,
      given: ToolContext,
      answer?: Partial<LimitedBashResult>,
    ): Promise<LimitedBashResult> {
      const { id: jobId, record, endedAt } = job
      const { command = '', createdAt = 0, timeoutMs = 0 } = record ?? {}
      const { workingDir: cwd, ...asked } = resolveContext(given)
      const blank: LimitedBashResult = blankResult(command, 'background', record?.sandbox?.name)
      const { notice, listening, backgroundAfterMs, ...started } = { ...blank, ...answer, jobId }
      const options = { ...optionsFor(modes, asked), cwd }
      const result = await jobResult(store, started, job, timeoutMs, options)
      return { ...result, durationMs: Math.max(0, (endedAt ?? createdAt) - createdAt) }
    },

    toText(result: LimitedBashResult): string {
      const ofTerminal = terminals?.bash.text(result)
      if (ofTerminal !== undefined) return ofTerminal
      const replayed = result.replayed ? '[the call was made before: nothing has run again]' : ''
      if (result.status !== 'background') {
        return joinLines(
          resultText(result, '', (id) => `kill_bash ${id}`),
          replayed,
        )
      }
      const { notice, jobId, pid, outputFile, binary, listening, sessionUnsaved } = result
      return [
        ...(notice === undefined ? [] : [`[${notice}]`]),
        `<bash_id>${jobId}</bash_id>`,
        `<pid>${pid}</pid>`,
        `<output_file>${outputFile}</output_file>`,
        '<reminder>To read its output: bash_output. To stop: kill_bash</reminder>',
        ...(notice === undefined
          ? []
          : ['Output so far:', withoutImitations(shownOutput(result), result.truncated) || '[none]']),
        ...(binary ? [binaryNote(result)] : []),
        ...(listening === undefined ? [] : [listeningText(listening)]),
        ...(sessionUnsaved === undefined ? [] : [sessionNote(sessionUnsaved)]),
        ...commandNotes(result),
        ...loginNotes(result),
        ...sandboxNotes(result),
        ...(replayed === '' ? [] : [replayed]),
      ].join('\n')
    },
  }
}

const portableUnsaved =
  'on the portable engine, a command that may take so long leaves nothing to the session'

function describe(
  { default: quick, slow }: Readonly<Record<BashMode, number>>,
  answerWithinMs: number,
  persists: boolean,
  maxChars: number,
): string {
  const state = persists
    ? `The working directory, variables and functions persist between calls.\n${notKept}`
    : 'Nothing persists between calls: not the working directory, not variables.'
  return `Executes a command with bash -c and returns its output (stdout and stderr, at most ${maxChars} characters).
${state}

mode: default is for quick commands (killed after ${formatDuration(quick)}), slow for builds, tests, downloads and the
like (${formatDuration(slow)}), background for servers and whatever has to stay running: it returns at once.
A timeout, in milliseconds, takes the place of the mode's.

A command that still runs after ${formatDuration(answerWithinMs)} goes on as a background job, and the result says so.
It has not failed: read its output with bash_output, end it with kill_bash, and do not run it again.`
}

function unfinished(jobId: string, answerWithinMs: number, timeoutMs: number): string {
  return (
    `STILL RUNNING after ${formatDuration(answerWithinMs)}: the command has NOT finished. ` +
    `It goes on as background job ${jobId}, for up to ${formatDuration(timeoutMs)} in all. Do not run it again`
  )
}
