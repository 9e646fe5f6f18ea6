// `bashward mcp --print-config CLIENT`: what a client has to be told to start this program.

import { resolve } from 'node:path'
import { isWithin } from '../../base/util/absolute-paths.js'
import { homeDirectory } from '../../base/util/directories.js'
import { ExitStatus, UsageError, wrongValue } from './command-line.js'
import { changeablePlace, cure } from './own-place.js'
import { print } from './stdio.js'

const program = 'bashward mcp'

/** Of the options with which a client is to start it, what one was given: those that name a file or a directory. */
const paths = ['cwd', 'writable', 'unreadable', 'policy', 'claude-settings', 'codex-rules']

export interface AskedConfig {
  client: string
  /** The other options, by their names. */
  values: Readonly<Record<string, unknown>>
  /** Where commands are to run. */
  workingDir: string
  /** What they are to be able to write to, in a sandbox; undefined: nothing keeps them from anything. */
  writable: readonly string[] | undefined
}

/**
 * @returns the exit status, when it has been printed
 * @throws {UsageError} (rejects) for an unknown client, and where commands could change what the client starts
 */
export async function printConfig({ client, values, workingDir, writable }: AskedConfig): Promise<number> {
  const { clientNames, clientNamed, configurationText, serverFor } = await import(
    '../mcp/clients/configuration.js'
  )
  if (!clientNames.includes(client)) {
    throw wrongValue(program, '--print-config', `must be one of ${clientNames.join(', ')}`, client)
  }
  if (values.http !== undefined) {
    throw new UsageError(program, '--print-config is about a server on stdin and stdout: leave --http out')
  }
  // As it was called: a link stays right when another version is installed.
  const command = resolve(process.argv[1] ?? '')
  refuseChangeable(command, writable ?? projectAt(workingDir))
  const asked = clientNamed(client)
  await print(configurationText(asked, serverFor(asked, command, argumentsOf(values))))
  return ExitStatus.success
}

/** Unconfined commands can write where the user can; but they work in a project, which is no place for this program. */
function projectAt(directory: string): string[] {
  return isWithin(homeDirectory(), directory) ? [] : [directory]
}

function refuseChangeable(command: string, roots: readonly string[]): void {
  const place = changeablePlace(roots)
  if (place !== undefined) {
    const text = `commands can write to ${place.root}, and so to ${place.path}, which a client would start`
    throw new UsageError(program, `--print-config: ${text}; ${cure}`)
  }
  if (command.includes('/_npx/')) {
    throw new UsageError(program, `--print-config: npx has put ${command} there, and may remove it; ${cure}`)
  }
}

/** Paths begin where this program runs, which a client need not. */
function argumentsOf(values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(values).flatMap(([name, given]) =>
    [given].flat().flatMap((value) => {
      if (typeof value !== 'string') return [`--${name}`]
      const isPath = paths.includes(name) && !value.startsWith('~')
      return [`--${name}`, isPath ? resolve(value) : value]
    }),
  )
}
