// `bashward run`: one command through a tool, its output on stdout, its end in the exit status.

import { isUtf8 } from 'node:buffer'
import { fstatSync, statSync } from 'node:fs'
import { maxCommandBytes } from '../../commands/run/command-text.js'
import { signalStatus } from '../../commands/run/exit-status.js'
import { passOnStdin } from '../../commands/run/input.js'
import { Cancellation } from './cancellation.js'
import { ExitStatus, UsageError } from './command-line.js'
import { givenStdin } from './given-stdin.js'
import { printHelpOrVersion } from './help/print.js'
import { runHelp } from './help/run.js'
import { checkOwnPlace } from './own-place.js'
import { runBash } from './run-bash.js'
import { runExec } from './run-exec.js'
import { invalidRunResult, parseRunCall, program, type RunCall } from './run-options.js'
import { printHint } from './status-lines.js'
import { printJson } from './stdio.js'
import { terminalCommands } from './terminal-commands.js'

/**
 * @param args the words after `run`
 * @returns the exit status, when everything has been printed
 * @throws {UsageError}
 */
export async function runCommand(args: string[]): Promise<number> {
  const call = await parse(args)
  if (call === 'help' || call === 'version') return await printHelpOrVersion(call, runHelp)
  // Instead of the words of the command line: `pkill -f` in the command would find its own text there.
  process.title = program
  const { tty } = call
  if (tty !== undefined) return await terminalCommands().runOnTerminal({ ...call, tty })
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
    if (typeof call === 'string') return call
    await checkOwnPlace(program, call.workspace, call.strict)
    if (call.command !== '-') {
      // A job may go on when what it would read is long gone.
      const given = call.mode === 'background' || call.tty !== undefined ? undefined : givenStdin()
      if (given !== undefined) passOnStdin(given)
      return call
    }
    return { ...call, command: await readCommand(process.stdin) }
  } catch (error) {
    const result = error instanceof UsageError ? invalidRunResult(args, error) : undefined
    if (result !== undefined) await printJson(result)
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

/**
 * The command of `bashward run -`: for texts with quotes, and for those too long for a shell. It gets no input itself: this
 * has taken all of it.
 *
 * @throws {UsageError}
 */
async function readCommand(input: NodeJS.ReadStream): Promise<string> {
  if (input.isTTY) await printHint('Type the command, and end it with Ctrl-D.')
  const text = await readAll(input)
  if (!isUtf8(text)) throw new UsageError(program, 'the command on stdin must be UTF-8')
  const command = text.toString()
  if (command.trim() === '') throw new UsageError(program, whyEmpty())
  return command
}

/** Node reads a directory as an empty file, and opens /dev/null where there is no stdin. */
function whyEmpty(): string {
  const nothing = 'no command on stdin'
  try {
    const stdin = fstatSync(0)
    if (stdin.isDirectory()) return 'stdin cannot be read: EISDIR: it is a directory'
    const isNull = stdin.isCharacterDevice() && stdin.rdev === statSync('/dev/null').rdev
    return isNull ? `${nothing}: it is closed, or /dev/null` : nothing
  } catch (error) {
    return `${nothing}: ${(error as Error).message}`
  }
}

async function readAll(input: NodeJS.ReadStream): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  try {
    for await (const piece of input) {
      pieces.push(piece)
      bytes += piece.length
      if (bytes > maxCommandBytes) break
    }
  } catch (error) {
    throw new UsageError(program, `stdin cannot be read: ${(error as Error).message}`)
  }
  if (bytes <= maxCommandBytes) return Buffer.concat(pieces)
  throw new UsageError(program, `the command on stdin must be at most ${maxCommandBytes} bytes`)
}
