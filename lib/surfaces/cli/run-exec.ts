// `bashward run` with the exec tool: two streams, and a result of its own shape.

import { signalStatus } from '../../commands/run/exit-status.js'
import type { BashEvent } from '../../commands/run/result.js'
import { execProfile } from '../../processes/output/profile.js'
import { type ExecResult, execExitStatus } from '../../tools/exec-result.js'
import { createExecTool } from '../../tools/exec-tool.js'
import { loginNotes } from '../../tools/login-note.js'
import type { Cancellation } from './cancellation.js'
import { paint } from './colors.js'
import { CompleteOutput } from './complete-output.js'
import { inOptionNames } from './option-names.js'
import type { RunCall } from './run-options.js'
import { printStatus } from './status-lines.js'
import { drain, type OutputView, printJson } from './stdio.js'
import { TerminalOutput } from './terminal-output.js'

/** @returns the exit status of the command */
export async function runExec(call: RunCall, cancellation: Cancellation): Promise<number> {
  const result = call.json ? await execute(call, cancellation) : await show(call, cancellation)
  if (call.json) await printJson(result, cancellation.outputSignal)
  return execExitStatus(result)
}

async function show(call: RunCall, cancellation: Cancellation): Promise<ExecResult> {
  const { stdout, stderr } = process
  stderr.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') cancellation.cancel(signalStatus('SIGPIPE'))
  })
  const views = { stdout: viewOf(stdout, cancellation), stderr: viewOf(stderr, cancellation) }
  const result = await execute(call, cancellation, (event) => {
    if (event.type === 'output' && event.stream !== 'output') views[event.stream].show(event)
  })
  await views.stdout.end(resultText(result.stdout))
  await views.stderr.end(resultText(result.stderr))
  const signal = cancellation.outputSignal
  await drain(stdout, signal)
  if (cancellation.exitStatus === signalStatus('SIGPIPE')) return result

  const lines = [...loginNotes(result), ...(result.error === undefined ? [] : [`[${result.error}]`])]
  const isMidScreen = stdout.isTTY && !views.stdout.endsLine
  const isAfterKey = cancellation.exitStatus === signalStatus('SIGINT')
  const isMidLine = !views.stderr.endsLine || (stderr.isTTY && (isMidScreen || isAfterKey))
  await printStatus(lines, { isMidLine, style: 'red', signal })
  return result
}

function viewOf(stream: NodeJS.WriteStream, { outputSignal: signal }: Cancellation): OutputView {
  if (stream.isTTY) return new TerminalOutput(stream, (marker) => paint(stream, 'dim', marker))
  // Beyond that the tool gives no more of the stream.
  return new CompleteOutput(stream, { liveBytes: execProfile.headBytes, signal })
}

/** The end of longer output is not in the result. */
function resultText(output: string) {
  const truncated = output.endsWith('... (truncated)')
  return { output, truncated, tail: '' }
}

async function execute(
  { command, timeoutMs: timeout, cwd: workingDir, sandbox, workspace, scratch, safety, env }: RunCall,
  cancellation: Cancellation,
  onEvent?: (event: BashEvent<ExecResult>) => void,
): Promise<ExecResult> {
  const tool = createExecTool({ timeout, safety, workspace, scratch, env })
  const context = { workingDir, sandbox, cancel: cancellation.signal, onEvent }
  const result = await tool.execute({ command }, context)
  cancellation.commandEnded()
  if (result.error?.startsWith('invalid input: ')) result.error = inOptionNames(result.error)
  return result
}
