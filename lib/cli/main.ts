// From the words of the command line to the command of the program that they name.

import { BashError } from '../errors.js'
import { suggestion } from '../util/nearest.js'
import { checkProgram } from './check.js'
import { paintReport } from './colors.js'
import { commonOptions, ExitStatus, parseLeadingOptions, UsageError } from './command-line.js'
import { doctorCommand } from './doctor.js'
import { mainHelp, printHelpOrVersion } from './help.js'
import { jobsCommand } from './jobs-command.js'
import { mcpCommand } from './mcp.js'
import { runCommand } from './run-command.js'
import { writeText } from './stdio.js'

const commands = ['run', 'check', 'jobs', 'doctor', 'mcp']

/**
 * Runs the program. Never rejects.
 *
 * @param args the words after the program's name
 * @returns the exit status, when everything has been printed
 */
export async function main(args: string[]): Promise<number> {
  // stderr is gone; nowhere to report it.
  process.stderr.on('error', () => {})
  // For the authors of programs that use the package; this one says in its own words what a call needs to know.
  process.removeAllListeners('warning')
  try {
    return await dispatch(args)
  } catch (error) {
    await complain(error)
    return ExitStatus.toolFailed
  }
}

async function dispatch(args: string[]): Promise<number> {
  const { values, words } = parseLeadingOptions('bashward', args, commonOptions)
  if (values.help) return await printHelpOrVersion('help', mainHelp)
  if (values.version) return await printHelpOrVersion('version', mainHelp)
  const [command, ...rest] = words
  switch (command) {
    case 'run':
      return await runCommand(rest)
    case 'jobs':
      return await jobsCommand(rest)
    case 'check':
      return await checkProgram(rest)
    case 'doctor':
      return await doctorCommand(rest)
    case 'mcp':
      return await mcpCommand(rest)
    case undefined:
      throw new UsageError('bashward', `no command given: must be one of ${commands.join(', ')}`)
    default:
      throw new UsageError('bashward', `unknown command '${command}'${suggestion(command, commands)}`)
  }
}

async function complain(error: unknown): Promise<void> {
  const { stderr } = process
  const lines = [paintReport(stderr, 'red', explain(error))]
  if (error instanceof UsageError) lines.push(paintReport(stderr, 'dim', `Try '${error.program} --help'.`))
  await writeText(stderr, `${lines.join('\n')}\n`)
}

function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.program}: ${error.message}`
  if (BashError.isInstance(error)) return `bashward: ${error.message}`
  return `bashward: internal error: ${error instanceof Error ? error.stack : error}`
}
