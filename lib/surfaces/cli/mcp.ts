// `bashward mcp`: the tools as an MCP server on stdin and stdout, or over HTTP.

import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { BashError } from '../../base/errors.js'
import { isWithin, realNameOf } from '../../base/util/absolute-paths.js'
import { CallLedger } from '../../commands/calls/call-ledger.js'
import { JobStore } from '../../commands/jobs/store.js'
import { charactersRange } from '../../commands/run/command-options.js'
import { protectHost } from '../../processes/environment/protect-host.js'
import type { BashServer } from '../mcp/server.js'
import { Cancellation } from './cancellation.js'
import { policyOf, policyOptions } from './check-policy.js'
import {
  commonOptions,
  ExitStatus,
  parseDirectory,
  parseOptions,
  parseSeconds,
  parseToolOptions,
  type ToolSettings,
  toolOptions,
  UsageError,
  wrongValue,
} from './command-line.js'
import { mcpHelp } from './help/mcp.js'
import { packageVersion, printHelpOrVersion } from './help/print.js'
import { printConfig } from './mcp-config.js'
import { type HttpSettings, httpOptions, parseHttpOptions, readTokens } from './mcp-http.js'
import { checkOwnPlace } from './own-place.js'

const program = 'bashward mcp'

const options = {
  ...toolOptions,
  workspace: { type: 'boolean' },
  session: { type: 'boolean' },
  tty: { type: 'boolean' },
  'background-after': { type: 'string' },
  verdicts: { type: 'boolean' },
  structured: { type: 'boolean' },
  'print-config': { type: 'string' },
  'max-output': { type: 'string' },
  ...httpOptions,
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
  const maxOutputChars = charactersOf(values['max-output'])
  const workingDir = directoryOf(values.cwd)
  const http = parseHttpOptions(values)
  const { strict, ...asked } = parseToolOptions(program, values, values.workspace ? workingDir : undefined)
  const { 'print-config': client, ...others } = values
  if (client !== undefined) {
    const { sandbox, workspace } = asked
    const writable = sandbox === 'unrestricted' ? undefined : [...(workspace?.writable ?? [])]
    return await printConfig({ client, values: others, workingDir, writable })
  }
  await checkOwnPlace(program, asked.workspace, strict)
  const tool = withoutTokenFile(asked, http)
  const policy = await policyOf(program, values)
  const isJudged = values.verdicts === true || policy !== undefined
  // Before anything else is done: without tokens it does not start.
  const given = http && (await loadHttp(http))

  const { createBashServer, serveOverStdio } = await loadServer()
  const server = createBashServer({
    workingDir,
    ...tool,
    maxOutputChars,
    backgroundAfterMs: limit ?? defaultLimitMs,
    session: values.session === true,
    tty: values.tty === true,
    structured: values.structured === true,
    ...(isJudged && { verdicts: policy === undefined ? {} : { policy } }),
    ...(http && { calls: new CallLedger({ directory: http.calls }) }),
    jobs: new JobStore(),
    version: packageVersion(),
  })
  hideEnvironment()
  const cancellation = new Cancellation()
  const stopListening = cancellation.listenToSignals()
  const { signal } = cancellation
  if (given === undefined) {
    if (process.stdin.isTTY) log(waitsForClient)
    await serveOverStdio(server, signal, log)
  } else await given.serve(server, signal)
  stopListening()
  return cancellation.exitStatus ?? ExitStatus.success
}

/** A person has started it to see what happens. */
const waitsForClient =
  "it waits for the messages of an MCP client on stdin: the client starts it ('bashward mcp --help'). To end it: Ctrl-D"

function log(message: string): void {
  process.stderr.write(`${program}: ${message.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, maxLogLine)}\n`)
}

type AskedTool = Omit<ToolSettings, 'strict'>

/**
 * What commands can read, they could call this server with: to allow themselves what a person is to be asked about.
 *
 * @throws {UsageError} when they can write where it lies: what they make there is readable to them
 */
function withoutTokenFile(tool: AskedTool, http: HttpSettings | undefined): AskedTool {
  if (http === undefined || !('file' in http.tokens) || tool.workspace === undefined) return tool
  const { file } = http.tokens
  const { unreadable = [], writable = [] } = tool.workspace
  const files = [file, realNameOf(file)]
  const root = writable.find((path) => {
    return [path, realNameOf(path)].some((directory) => files.some((name) => isWithin(name, directory)))
  })
  if (root !== undefined) {
    throw new UsageError(program, `--token-file: commands can write to ${root}: put ${file} elsewhere`)
  }
  return { ...tool, workspace: { ...tool.workspace, unreadable: [...unreadable, file] } }
}

/** @throws {UsageError} (rejects) without tokens */
async function loadHttp(http: HttpSettings) {
  const { serveOverHttp, ...tokens } = await loadPart(() => import('../mcp/http/serve.js'))
  const given = { ...http, tokens: readTokens(http.tokens, tokens) }
  return {
    async serve(server: BashServer, signal: AbortSignal): Promise<void> {
      const names = given.tokens.map(({ name }) => `sha256 ${name}…`).join(', ')
      const onListening = (url: string) => log(`listening on ${url} (${names})`)
      try {
        await serveOverHttp(server, given, { signal, onListening, log })
      } catch (error) {
        const { syscall, code } = error as NodeJS.ErrnoException
        if (syscall !== 'listen') throw error
        const why = code === 'EADDRINUSE' ? 'somebody listens there already' : String(code)
        throw new UsageError(program, `--http ${http.address}, port ${http.port}: ${why}`)
      }
    },
  }
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

function charactersOf(value: string | undefined): number | undefined {
  const [least, most] = charactersRange
  const characters = Number(value)
  if (value === undefined || (/^\d+$/.test(value) && characters >= least && characters <= most)) {
    return value === undefined ? undefined : characters
  }
  const range = `must be a number of characters from ${least} to ${most}`
  throw wrongValue(program, '--max-output', range, value)
}

function directoryOf(value: string | undefined): string {
  const directory = resolve(parseDirectory(program, value))
  // A client shows what its server says before it is there, and hardly anything that it says later.
  const isDirectory = statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true
  if (!isDirectory) throw wrongValue(program, '--cwd', 'must be the path of a directory', directory)
  return directory
}

const loadServer = () =>
  loadPart(async () => ({ ...(await import('../mcp/server.js')), ...(await import('../mcp/serve.js')) }))

/** Only here: loading it takes longer than most commands, and it may have been left out of the installation. */
async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code?.endsWith('MODULE_NOT_FOUND') !== true || !message.includes('@modelcontextprotocol/server'))
      throw error
    const remedy = 'npm install @modelcontextprotocol/server'
    throw new UsageError(program, `it needs an optional dependency that is not installed: ${remedy}`)
  }
}
