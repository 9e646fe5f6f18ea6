// `bashward mcp`: the tools as an MCP server on stdin and stdout.

import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { protectHost } from '../environment/protect-host.js'
import { BashError } from '../errors.js'
import { JobStore } from '../jobs/store.js'
import { Cancellation } from './cancellation.js'
import { policyOf, policyOptions } from './check-policy.js'
import {
  commonOptions,
  ExitStatus,
  parseDirectory,
  parseOptions,
  parseSeconds,
  parseToolOptions,
  toolOptions,
  UsageError,
  wrongValue,
} from './command-line.js'
import { mcpHelp, packageVersion, printHelpOrVersion } from './help.js'
import { rememberAcrossPrograms } from './writable-memory.js'

const program = 'bashward mcp'

const options = {
  ...toolOptions,
  workspace: { type: 'boolean' },
  session: { type: 'boolean' },
  'background-after': { type: 'string' },
  verdicts: { type: 'boolean' },
  ...policyOptions,
  ...commonOptions,
} as const

/** Milliseconds. Clients give a call up after 60 seconds unless they are told otherwise. */
const defaultLimitMs = 50_000
/** Characters of a message: a client's own text may be in it. */
const maxLogLine = 500
const limitRange = [100, 86_400_000] as const

/**
 * @param args the words after `mcp`
 * @returns the exit status, when the client is gone and no command of a call runs any more
 * @throws {UsageError}
 */
export async function mcpCommand(args: string[]): Promise<number> {
  const { values, words } = parseOptions(program, args, options)
  if (values.help) return await printHelpOrVersion('help', mcpHelp)
  if (values.version) return await printHelpOrVersion('version', mcpHelp)
  if (words.length > 0) throw new UsageError(program, `unexpected word '${words[0]}'`)
  const limit = parseSeconds(program, '--background-after', values['background-after'], limitRange)
  const workingDir = directoryOf(values.cwd)
  const tool = parseToolOptions(program, values, values.workspace ? workingDir : undefined)
  const policy = await policyOf(program, values)
  const isJudged = values.verdicts === true || policy !== undefined

  const { createBashServer, serveOverStdio } = await loadServer()
  const server = createBashServer({
    workingDir,
    ...tool,
    backgroundAfterMs: limit ?? defaultLimitMs,
    session: values.session === true,
    ...(isJudged && { verdicts: policy === undefined ? {} : { policy } }),
    jobs: new JobStore(),
    version: packageVersion(),
  })
  if (tool.sandbox !== 'unrestricted') rememberAcrossPrograms()
  hideEnvironment()
  const cancellation = new Cancellation()
  const stopListening = cancellation.listenToSignals()
  await serveOverStdio(server, cancellation.signal, (message) => {
    process.stderr.write(`${program}: ${message.replace(/\s+/g, ' ').slice(0, maxLogLine)}\n`)
  })
  stopListening()
  return cancellation.exitStatus ?? ExitStatus.success
}

/**
 * Clients hand a server its secrets as environment variables. To root's commands it would cost capabilities that some
 * need, and the files of the client itself stay open to them.
 */
function hideEnvironment(): void {
  if (process.geteuid?.() === 0) return
  try {
    protectHost()
  } catch (error) {
    // Without the addon: every command says so.
    if (!BashError.isInstance(error)) throw error
  }
}

function directoryOf(value: string | undefined): string {
  const directory = resolve(parseDirectory(program, value))
  // A client shows what its server says before it is there, and hardly anything that it says later.
  const isDirectory = statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true
  if (!isDirectory) throw wrongValue(program, '--cwd', 'must be the path of a directory', directory)
  return directory
}

/** Only here: loading it takes longer than most commands, and it may have been left out of the installation. */
async function loadServer() {
  try {
    return { ...(await import('../mcp/server.js')), ...(await import('../mcp/serve.js')) }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code?.endsWith('MODULE_NOT_FOUND') !== true || !message.includes('@modelcontextprotocol/server'))
      throw error
    const remedy = 'npm install @modelcontextprotocol/server'
    throw new UsageError(program, `it needs an optional dependency that is not installed: ${remedy}`)
  }
}
