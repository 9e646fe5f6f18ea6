// From the words of the command line to the command of the program that they name.

import { BashError } from '../../base/errors.js'
import { suggestion } from '../../base/util/nearest.js'
import { checkProgram } from './check.js'
import { paintReport } from './colors.js'
import { commonOptions, ExitStatus, parseLeadingOptions, UsageError } from './command-line.js'
import { doctorCommand } from './doctor.js'
import { mainHelp } from './help/main.js'
import { printHelpOrVersion } from './help/print.js'
import { jobsCommand } from './jobs-command.js'
import { mcpCommand } from './mcp.js'
import { inOptionNames } from './option-names.js'
import { runCommand } from './run-command.js'
import { outputFailure, writeText } from './stdio.js'
import { workerCommand } from './worker.js'

const commands = new Map([
  ['run', runCommand],
  ['check', checkProgram],
  ['jobs', jobsCommand],
  ['doctor', doctorCommand],
  ['mcp', mcpCommand],
  ['worker', workerCommand],
])

/**
 * Runs the program. Never rejects.
 *
 * @param args the words after the program's name
 * @returns the exit status, when everything has been printed
 */
export async function main(args: string[]): Promise<number> {
  // head(1) may have seen enough of stdout. stderr may be gone: nowhere to report it.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  // For the authors of programs that use the package; this one says in its own words what a call needs to know.
  process.removeAllListeners('warning')
  try {
    const status = await dispatch(args)
    return status === ExitStatus.toolFailed ? status : await checkOutput(status)
  } catch (error) {
    await complain(error)
    return ExitStatus.toolFailed
  }
}

/** What was asked for and could not be written has not been done: on a full disk, say. head(1) may have seen enough. */
async function checkOutput(status: number): Promise<number> {
  const failure = outputFailure()
  if (failure === undefined || failure.code === 'EPIPE') return status
  await writeText(process.stderr, `bashward: the output cannot be written: ${failure.message}\n`)
  return ExitStatus.toolFailed
}

async function dispatch(args: string[]): Promise<number> {
  const { values, words } = parseLeadingOptions('bashward', args, commonOptions)
  if (values.help) return await printHelpOrVersion('help', mainHelp)
  if (values.version) return await printHelpOrVersion('version', mainHelp)
  const [name, ...rest] = words
  const names = [...commands.keys()]
  if (name === undefined)
    throw new UsageError('bashward', `no command given: must be one of ${names.join(', ')}`)
  const command = commands.get(name)
  if (command === undefined)
    throw new UsageError('bashward', `unknown command '${name}'${suggestion(name, names)}`)
  return await command(rest)
}

async function complain(error: unknown): Promise<void> {
  const { stderr } = process
  const lines = [paintReport(stderr, 'red', explain(error))]
  if (error instanceof UsageError) lines.push(paintReport(stderr, 'dim', `Try '${error.program} --help'.`))
  await writeText(stderr, `${lines.join('\n')}\n`)
}

function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.program}: ${error.message}`
  if (BashError.isInstance(error)) return `bashward: ${inOptionNames(error.message)}`
  return `bashward: internal error: ${error instanceof Error ? error.stack : error}`
}
