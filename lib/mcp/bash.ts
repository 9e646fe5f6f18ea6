// The bash tool of the MCP server: it answers within a limit, because clients give a call up after a while. A command
// that may take longer is a background job from its beginning, which the call waits for up to the limit.

import { type ListeningSocket, listeningText } from '../jobs/listening/socket.js'
import { removeJob, unlistJob } from '../jobs/remove.js'
import type { JobStore } from '../jobs/store.js'
import { suiteProfile } from '../output/profile.js'
import type { ResolvedOptions } from '../run/options.js'
import { type BashResult, blankResult } from '../run/result.js'
import { describeTool } from '../sandbox/description.js'
import { type BashMode, type BashSchema, bashSchema, formatDuration } from '../tools/bash-schema.js'
import { binaryNotice, resultText } from '../tools/bash-text.js'
import { receive } from '../tools/call-methods.js'
import { type CommandTool, checkedCall } from '../tools/checked-call.js'
import { resolveContext } from '../tools/context.js'
import { loginNotes } from '../tools/login-note.js'
import { runCall } from '../tools/run-call.js'
import { describeSafety } from '../tools/safety.js'
import { sandboxNotes } from '../tools/sandbox-notes.js'
import {
  checkToolOptions,
  optionsFor,
  resolveForModes,
  restrictionOf,
  type TimeoutsOption,
  type ToolOptions,
  toolOptionNames,
} from '../tools/tool-options.js'
import type { ToolContext } from '../tools/types.js'
import { jobResult, outputFields, readJob, waitForShell } from './job.js'

export interface LimitedBashOptions
  extends Pick<ToolOptions, 'workspace' | 'scratch' | 'safety' | 'env'>,
    TimeoutsOption {
  jobs: JobStore
  /** Milliseconds after which a call is answered, whether its command has ended or not. */
  answerWithinMs: number
}

/** Of a command that goes on: why the call was answered before its end, and where it listens on TCP. */
export type LimitedBashResult = BashResult & { notice?: string; listening?: readonly ListeningSocket[] }

interface StartedCall {
  jobId: string
  /** As `performance.now()` counts. */
  deadline: number
  cancel: AbortSignal | undefined
  timeoutMs: number
  options: ResolvedOptions
}

export function createLimitedBash({ answerWithinMs, ...options }: LimitedBashOptions) {
  const { jobs: store } = options
  const { command: commandOptions, safety, timeouts, jobs } = checkToolOptions(options, toolOptionNames)
  const schema = bashSchema(timeouts)
  const modes = resolveForModes(commandOptions, { output: suiteProfile })
  const tool: CommandTool<BashSchema> = { name: 'bash', schema, modes, safety, jobs }

  /** Waits for the job that a command is, and gives its result, or says that it goes on. */
  async function settle(started: BashResult, call: StartedCall): Promise<LimitedBashResult> {
    const { jobId, deadline, cancel, timeoutMs, options } = call
    // What the call takes, and not the start of the job.
    started.durationMs = 0
    try {
      const { job, shellEnded } = await waitForShell(store, jobId, deadline, cancel)
      if (job.status !== 'running')
        return await answer(await jobResult(store, started, job, timeoutMs, options), jobId)
      const output = outputFields(await readJob(store, jobId))
      const { listening } = await store.get(jobId)
      cancel?.throwIfAborted()
      const notice = shellEnded ? leftRunning(jobId) : unfinished(jobId, answerWithinMs, timeoutMs)
      return { ...started, ...output, notice, ...(listening !== undefined && { listening }) }
    } catch (error) {
      // Cancelled, or its files cannot be read: nobody has been told of the job, so nobody would end it.
      await store.kill(jobId).catch(() => {})
      if (cancel?.aborted !== true) throw error
      const { command, display, sandbox } = started
      return { ...blankResult(command, 'cancelled', sandbox), display }
    }
  }

  /** The job of a call that tells of its end is no background job to anybody: only output that was cut is kept. */
  async function answer(result: LimitedBashResult, jobId: string): Promise<LimitedBashResult> {
    const { directory } = store
    try {
      if (result.jobId === undefined && result.status !== 'error') await removeJob(directory, jobId)
      else unlistJob(directory, jobId)
    } catch {
      // It stays in the list, then, until a clean-up.
    }
    return result
  }

  return {
    inputSchema: schema,

    description(context: ToolContext): string {
      const { workingDir, ...asked } = resolveContext(context)
      return describeTool(
        describe(timeouts, answerWithinMs),
        workingDir,
        restrictionOf(modes, asked),
        describeSafety(safety),
      )
    },

    /**
     * Never rejects.
     *
     * @param onJob told of the job that the command runs as
     */
    execute(input: unknown, given: ToolContext, onJob: (id: string) => void): Promise<LimitedBashResult> {
      const deadline = performance.now() + answerWithinMs
      const received = receive(input, given, resolveContext<BashResult>)
      return checkedCall(tool, received, async ({ command, mode = 'default' }, context) => {
        const { cancel } = context
        const timeoutMs = timeouts[mode]
        const background = mode === 'background' || timeoutMs > answerWithinMs
        const started = await runCall({
          ...context,
          tool,
          session: undefined,
          command,
          timeoutMs,
          background,
        })
        const { jobId } = started
        if (mode === 'background' || started.status !== 'background' || jobId === undefined) return started

        onJob(jobId)
        const options = { ...optionsFor(modes, context), cwd: context.workingDir }
        return await settle(started, { jobId, deadline, cancel, timeoutMs, options })
      })
    },

    toText(result: LimitedBashResult): string {
      if (result.status !== 'background') return resultText(result, '', (id) => `kill_bash ${id}`)
      const { notice, jobId, pid, outputFile, output, binary, listening } = result
      return [
        ...(notice === undefined ? [] : [`[${notice}]`]),
        `<bash_id>${jobId}</bash_id>`,
        `<pid>${pid}</pid>`,
        `<output_file>${outputFile}</output_file>`,
        '<reminder>To read its output: bash_output. To stop: kill_bash</reminder>',
        ...(notice === undefined ? [] : ['Output so far:', output === '' ? '[none]' : output]),
        ...(binary ? [binaryNotice] : []),
        ...(listening === undefined ? [] : [listeningText(listening)]),
        ...loginNotes(result),
        ...sandboxNotes(result),
      ].join('\n')
    },
  }
}

function describe(
  { default: quick, slow }: Readonly<Record<BashMode, number>>,
  answerWithinMs: number,
): string {
  return `Executes a command with bash -c and returns its output (stdout and stderr, at most 30000 characters).
Nothing persists between calls: not the working directory, not variables.

mode: default is for quick commands (killed after ${formatDuration(quick)}), slow for builds, tests, downloads and the
like (${formatDuration(slow)}), background for servers and whatever has to stay running: it returns at once.

A command that still runs after ${formatDuration(answerWithinMs)} goes on as a background job, and the result says so.
It has not failed: read its output with bash_output, end it with kill_bash, and do not run it again.`
}

function unfinished(jobId: string, answerWithinMs: number, timeoutMs: number): string {
  return (
    `STILL RUNNING after ${formatDuration(answerWithinMs)}: the command has NOT finished. ` +
    `It goes on as background job ${jobId}, for up to ${formatDuration(timeoutMs)} in all. Do not run it again`
  )
}

function leftRunning(jobId: string): string {
  return `bash has ended; what the command has started in the background goes on as job ${jobId}`
}
