// A `bashward mcp` that is spoken to by hand in the protocol of 2026, over real pipes.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { binPath } from '../cli/program.js'

export interface RawAnswer {
  result?: Record<string, unknown>
  error?: { code: number; message: string; data?: unknown }
}

const servers: ChildProcess[] = []

/** @param env beside what every program needs */
export const startRawServer = (options: string[], env: Record<string, string> = {}) => {
  const { PATH = '', HOME = '/' } = process.env
  const server = spawn(process.execPath, [binPath, 'mcp', '--cwd', '/', ...options], {
    env: { PATH, HOME, LANG: 'C.UTF-8', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  servers.push(server)
  const waiting = new Map<number, (answer: RawAnswer) => void>()
  createInterface({ input: server.stdout }).on('line', (line) => {
    const { id, ...answer } = JSON.parse(line)
    waiting.get(id)?.(answer)
  })
  let last = 0
  /** A request of a client with these capabilities. */
  const ask = (method: string, params: object, capabilities: object): Promise<RawAnswer> => {
    const id = ++last
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    }
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } })}\n`)
    return new Promise((resolve) => waiting.set(id, resolve))
  }
  return { ask }
}

/** For `afterEach`. */
export const endRawServers = async (): Promise<void> => {
  for (const server of servers.splice(0)) {
    server.stdin?.end()
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
  }
}
