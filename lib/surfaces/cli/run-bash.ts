// `bashward run` with the bash tool, or with that of the suite: results of the same shape.

import { exitStatusOf, signalStatus } from '../../commands/run/exit-status.js'
import type { BashEvent, BashResult } from '../../commands/run/result.js'
import type { SaveOutputOptions } from '../../commands/run/save-output.js'
import { snip } from '../../processes/output/truncate.js'
import { createBashTool } from '../../tools/bash-tool.js'
import { createBashSuite } from '../../tools/suite/suite.js'
import type { Cancellation } from './cancellation.js'
import { paint } from './colors.js'
import { CompleteOutput, SavedOutput } from './complete-output.js'
import { inOptionNames } from './option-names.js'
import type { RunCall } from './run-options.js'
import { printStarted } from './started-job.js'
import { outputNotes, printStatus, statusLines } from './status-lines.js'
import { drain, type OutputView, printJson } from './stdio.js'
import { TerminalOutput } from './terminal-output.js'

/** @returns the exit status of the command */
export async function runBash(call: RunCall, cancellation: Cancellation): Promise<number> {
  if (call.json) {
    const { result } = await execute(call, cancellation)
    await printJson(result, cancellation.outputSignal)
    return exitStatusOf(result)
  }
  return exitStatusOf(await (call.mode === 'background' ? start : follow)(call, cancellation))
}

/** A job prints nothing here. */
async function start(call: RunCall, cancellation: Cancellation): Promise<BashResult> {
  const { result, text } = await execute(call, cancellation)
  const signal = cancellation.outputSignal
  const { status, jobId } = result
  if (status === 'background' && jobId !== undefined) {
    await printStarted({ ...result, jobId }, text, 'output', signal)
  } else {
    await printStatus(statusLines(result), { isMidLine: false, style: 'red', signal })
  }
  return result
}

async function follow(call: RunCall, cancellation: Cancellation): Promise<BashResult> {
  const { stdout } = process
  if (stdout.isTTY) {
    const view = new TerminalOutput(stdout, (marker) => paint(stdout, 'dim', marker))
    return await show(call, cancellation, view)
  }
  const signal = cancellation.outputSignal
  // The suite's output is not what the command prints: what it leaves out is known at the end only.
  if (call.profile === 'suite') {
    return await show(call, cancellation, new CompleteOutput(stdout, { liveBytes: 0, signal }))
  }
  const saved = new SavedOutput()
  try {
    return await show(call, cancellation, new CompleteOutput(stdout, { saved, signal }), saved)
  } finally {
    await saved.remove()
  }
}

async function show(
  call: RunCall,
  cancellation: Cancellation,
  view: OutputView,
  saved?: SavedOutput,
): Promise<BashResult> {
  const onEvent = (event: BashEvent) => {
    if (event.type === 'output') view.show(event)
  }
  const { result } = await execute(call, cancellation, { onEvent, saveOutput: saved?.options })
  const { output, truncated } = result
  const gotBytes = await view.end({ output, truncated, tail: endOf(output) })
  const signal = cancellation.outputSignal
  // stdout and stderr may be the same pipe, and only the order of writing keeps their order there.
  await drain(process.stdout, signal)
  if (cancellation.exitStatus === signalStatus('SIGPIPE')) return result

  const { isTTY } = process.stdout
  const lines = statusLines(result)
  if (!isTTY) lines.push(...outputNotes(result, gotBytes, result.savedOutputError ?? saved?.problem))
  // A terminal shows ^C where the cursor was.
  const isMidLine = (isTTY && !view.endsLine) || cancellation.exitStatus === signalStatus('SIGINT')
  await printStatus(lines, {
    isMidLine: process.stderr.isTTY && isMidLine,
    style: result.status === 'completed' ? 'yellow' : 'red',
    signal,
  })
  return result
}

/** What follows the place where the middle was cut out. */
function endOf(output: string): string {
  const cut = output.lastIndexOf(snip)
  return cut < 0 ? output : output.slice(cut + snip.length)
}

interface ExecuteOptions {
  onEvent?: (event: BashEvent) => void
  saveOutput?: SaveOutputOptions | undefined
}

/** @returns the result, and what the model reads of it */
async function execute(
  { profile, command, mode, timeoutMs, cwd, sandbox, workspace, scratch, safety, env }: RunCall,
  cancellation: Cancellation,
  { onEvent, saveOutput }: ExecuteOptions = {},
): Promise<{ result: BashResult; text: string }> {
  const context = { workingDir: cwd, sandbox, cancel: cancellation.signal, onEvent }
  const timeouts = { default: timeoutMs, slow: timeoutMs, background: timeoutMs }
  const tool =
    profile === 'suite'
      ? createBashSuite({ workspace, scratch, safety, env }).bash
      : createBashTool({ workspace, scratch, safety, env, timeouts, saveOutput })
  const suiteInput = { command, timeout: timeoutMs, run_in_background: mode === 'background' }
  const result = await tool.execute(profile === 'suite' ? suiteInput : { command, mode }, context)
  cancellation.commandEnded()
  const { error } = result
  if (error?.code === 'ERR_INVALID_INPUT') error.message = inOptionNames(error.message)
  return { result, text: tool.toText(result) }
}
