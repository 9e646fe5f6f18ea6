// Servers for the tests: within the process of the test, with limits of their own, or `bashward mcp --http` as a program.
import { randomBytes } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CallLedger } from '../../../../lib/index.js'
import type { HttpLimits } from '../../../../lib/surfaces/mcp/http/limits.js'
import { type HttpOptions, serveOverHttp } from '../../../../lib/surfaces/mcp/http/serve.js'
import { Token } from '../../../../lib/surfaces/mcp/http/tokens.js'
import { createBashServer, type McpServerOptions } from '../../../../lib/surfaces/mcp/server.js'
import { tempStore } from '../../../support/jobs.js'
import { tempDir } from '../../../support/temp-dir.js'
import { waitFor } from '../../../support/wait-for.js'
import { type Program, startBashward } from '../../cli/program.js'

export const newToken = (): string => randomBytes(32).toString('base64')

export interface TestServer {
  port: number
  url: URL
  tokens: string[]
  /** What it has said. */
  log: string[]
  stop(): Promise<void>
}

const open = new Set<TestServer>()

export interface TestServerOptions
  extends Partial<McpServerOptions>,
    Pick<HttpOptions, 'allowedHosts' | 'allowedOrigins'> {
  limits?: Partial<HttpLimits>
  address?: string
}

/** Within this process, with two tokens. */
export const startServer = async ({
  limits = {},
  address = '127.0.0.1',
  allowedHosts = [],
  allowedOrigins = [],
  ...options
}: TestServerOptions = {}): Promise<TestServer> => {
  const tokens = [newToken(), newToken()]
  const log: string[] = []
  const ending = new AbortController()
  const server = createBashServer({
    ...{
      workingDir: '/',
      sandbox: 'unrestricted',
      safety: true,
      backgroundAfterMs: 20_000,
      version: '1.2.3',
      structured: true,
    },
    jobs: tempStore(),
    calls: new CallLedger({ directory: join(tempDir(), 'calls') }),
    ...options,
  })
  let url = ''
  const http = { address, port: 0, allowedHosts, allowedOrigins, limits: { checkMs: 50, ...limits } }
  const ended = serveOverHttp(
    server,
    { ...http, tokens: tokens.map((token) => new Token(token)) },
    { signal: ending.signal, onListening: (given) => (url = given), log: (line) => log.push(line) },
  )
  await waitFor(() => url !== '', { what: 'the server to listen' })
  const started: TestServer = {
    port: Number(new URL(url).port),
    url: new URL(url),
    tokens,
    log,
    stop: async () => {
      open.delete(started)
      ending.abort()
      await ended
    },
  }
  open.add(started)
  return started
}

/** For `afterEach`. */
export const stopServers = async (): Promise<void> => {
  for (const server of [...open]) await server.stop()
}

export interface HttpProgram extends Program {
  port: number
  url: URL
}

/** A file as the program wants it. */
export const tokenFile = (...tokens: string[]): string => {
  const file = join(tempDir(), 'tokens')
  writeFileSync(file, tokens.map((token) => `${token}\n`).join(''))
  chmodSync(file, 0o600)
  return file
}

/** `bashward mcp --http`, when it listens. */
export const startHttpProgram = async (
  tokens: string[],
  args: string[] = [],
  { port = 0 } = {},
): Promise<HttpProgram> => {
  const words = [
    'mcp',
    '--http',
    `127.0.0.1:${port}`,
    '--token-file',
    tokenFile(...tokens),
    '--structured',
    ...args,
  ]
  const program = startBashward(words)
  const [, url] = await waitFor(() => /listening on (\S+)/.exec(program.stderr()), {
    what: 'the server to listen',
    deadlineMs: 30_000,
  })
  return { ...program, url: new URL(url ?? ''), port: Number(new URL(url ?? '').port) }
}
