// `bashward run`: one command through the bash tool, its output on stdout, its end in the exit status.

import type { BashEvent, BashResult } from '../result.js'
import { createBashTool } from '../tools/bash-tool.js'
import { Cancellation } from './cancellation.js'
import { ExitStatus, exitStatusOf, signalStatus } from './exit-status.js'
import { runHelp } from './help.js'
import { parseRunCall, type RunCall } from './run-options.js'
import { statusLines } from './status-lines.js'
import { drain, paint, print } from './stdio.js'
import { StreamedOutput } from './streamed-output.js'
import { packageVersion } from './version.js'

/** How long a cancelled program waits for a reader that does not read, milliseconds. */
const drainAfterCancelMs = 1000

/**
 * @param args the words after `run`
 * @returns the exit status, when everything has been printed
 * @throws {UsageError}
 */
export async function runCommand(args: string[]): Promise<number> {
  const call = parseRunCall(args)
  if (call === 'help' || call === 'version') {
    await print(call === 'help' ? runHelp : `${packageVersion()}\n`)
    return ExitStatus.success
  }
  const cancellation = new Cancellation()
  process.stdout.on('error', (error) => onWriteError(error, cancellation))
  const result = await (call.json ? printResult : printOutput)(call, cancellation)
  return cancellation.exitStatus ?? exitStatusOf(result)
}

async function printResult(call: RunCall, cancellation: Cancellation): Promise<BashResult> {
  const result = await execute(call, cancellation)
  process.stdout.write(`${JSON.stringify(result)}\n`)
  await drainUnlessCancelled(process.stdout, cancellation)
  return result
}

async function printOutput(call: RunCall, cancellation: Cancellation): Promise<BashResult> {
  const { stdout, stderr } = process
  const output = new StreamedOutput(stdout, {
    gaps: stdout.isTTY ? 'now' : 'late',
    paint: (marker) => paint(stdout, 'dim', marker),
  })
  const result = await execute(call, cancellation, (event) => {
    if (event.type === 'output') output.show(event)
  })
  output.end(result)
  // stdout and stderr may be the same pipe, and only the order of writing keeps their order there.
  await drainUnlessCancelled(stdout, cancellation)

  const lines = statusLines(result, { isWatched: stdout.isTTY, skippedBytes: output.skippedBytes })
  if (lines === '' || cancellation.exitStatus === signalStatus('SIGPIPE')) return result
  // A terminal shows ^C where the cursor was.
  const isMidLine = (stdout.isTTY && !output.endsLine) || cancellation.exitStatus === signalStatus('SIGINT')
  if (stderr.isTTY && isMidLine) stderr.write('\n')
  stderr.write(`${result.status === 'completed' ? lines : paint(stderr, 'red', lines)}\n`)
  await drainUnlessCancelled(stderr, cancellation)
  return result
}

async function execute(
  { command, mode, timeoutMs, cwd }: RunCall,
  cancellation: Cancellation,
  onEvent?: (event: BashEvent) => void,
): Promise<BashResult> {
  const tool = createBashTool({ timeouts: { default: timeoutMs, slow: timeoutMs } })
  const stopListening = cancellation.listenToSignals()
  const result = await tool.execute(
    { command, mode },
    { workingDir: cwd, cancel: cancellation.signal, onEvent },
  )
  stopListening()
  return result
}

async function drainUnlessCancelled(stream: NodeJS.WriteStream, { exitStatus }: Cancellation): Promise<void> {
  await drain(stream, exitStatus === undefined ? undefined : drainAfterCancelMs)
}

/** EPIPE is how head(1) says that it has seen enough: a program ends then, and says nothing. */
function onWriteError(error: NodeJS.ErrnoException, cancellation: Cancellation): void {
  if (error.code === 'EPIPE') {
    cancellation.cancel(signalStatus('SIGPIPE'))
    return
  }
  // One line for the first failure, not for each piece of output.
  if (cancellation.exitStatus === undefined) {
    process.stderr.write(`bashward: the output cannot be written: ${error.message}\n`)
  }
  cancellation.cancel(ExitStatus.toolFailed)
}
