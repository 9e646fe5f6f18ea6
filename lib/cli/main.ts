// From the words of the command line to the command of the program that they name.

import { BashError } from '../errors.js'
import { checkProgram } from './check.js'
import { parseLeadingOptions, UsageError } from './command-line.js'
import { doctorCommand } from './doctor.js'
import { ExitStatus } from './exit-status.js'
import { mainHelp } from './help.js'
import { jobsCommand } from './jobs-command.js'
import { mcpCommand } from './mcp.js'
import { runCommand } from './run-command.js'
import { drain, print } from './stdio.js'
import { packageVersion } from './version.js'

const options = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const

/**
 * Runs the program. Never rejects.
 *
 * @param args the words after the program's name
 * @returns the exit status, when everything has been printed
 */
export async function main(args: string[]): Promise<number> {
  // Nowhere is left to say that stderr is gone.
  process.stderr.on('error', () => {})
  // For the authors of programs that use the package; this one says in its own words what a call needs to know.
  process.removeAllListeners('warning')
  try {
    return await dispatch(args)
  } catch (error) {
    process.stderr.write(explain(error))
    await drain(process.stderr)
    return ExitStatus.toolFailed
  }
}

async function dispatch(args: string[]): Promise<number> {
  const { values, words } = parseLeadingOptions('bashward', args, options)
  if (values.help || values.version) {
    await print(values.help ? mainHelp : `${packageVersion()}\n`)
    return ExitStatus.success
  }
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
      throw new UsageError('bashward', 'no command given')
    default:
      throw new UsageError('bashward', `unknown command '${command}'`)
  }
}

function explain(error: unknown): string {
  if (error instanceof UsageError) {
    return `${error.program}: ${error.message}\nTry '${error.program} --help'.\n`
  }
  if (BashError.isInstance(error)) return `bashward: ${error.message}\n`
  return `bashward: internal error: ${error instanceof Error ? error.stack : error}\n`
}
