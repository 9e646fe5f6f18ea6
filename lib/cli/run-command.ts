// `bashward run`: one command through a tool, its output on stdout, its end in the exit status.

import { Cancellation } from './cancellation.js'
import { readCommand } from './command-from-stdin.js'
import { UsageError } from './command-line.js'
import { ExitStatus, signalStatus } from './exit-status.js'
import { runHelp } from './help.js'
import { printHelpOrVersion } from './help-or-version.js'
import { runBash } from './run-bash.js'
import { runExec } from './run-exec.js'
import { invalidRunResult, parseRunCall, type RunCall } from './run-options.js'
import { printJson } from './stdio.js'

/**
 * @param args the words after `run`
 * @returns the exit status, when everything has been printed
 * @throws {UsageError}
 */
export async function runCommand(args: string[]): Promise<number> {
  const call = await parse(args)
  if (call === 'help' || call === 'version') return await printHelpOrVersion(call, runHelp)
  // Instead of the words of the command line: `pkill -f` in the command would find its own text there.
  process.title = 'bashward run'
  const cancellation = new Cancellation()
  process.stdout.on('error', (error) => onWriteError(error, cancellation))
  const stopListening = cancellation.listenToSignals()
  const status = await (call.profile === 'exec' ? runExec : runBash)(call, cancellation)
  stopListening()
  return cancellation.exitStatus ?? status
}

/** A wrong command line has a result too, if it asks for one. */
async function parse(args: string[]): Promise<RunCall | 'help' | 'version'> {
  try {
    const call = parseRunCall(args)
    if (typeof call === 'string' || call.command !== '-') return call
    return { ...call, command: await readCommand('bashward run', process.stdin) }
  } catch (error) {
    const result = error instanceof UsageError ? invalidRunResult(args, error) : undefined
    if (result !== undefined) {
      process.stdout.on('error', () => {})
      await printJson(result)
    }
    throw error
  }
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
