// HTTP as it is on the wire: what no client would send, and what a client would not show.
import { connect, type Socket } from 'node:net'
import { waitFor } from '../../../support/wait-for.js'

const sockets = new Set<Socket>()

export interface Wire {
  socket: Socket
  /** All that has come. */
  text(): string
  isClosed(): boolean
  send(text: string | Buffer): void
  /** Waits for this in what has come, and resolves with all of it. */
  until(part: string | RegExp): Promise<string>
  /** Waits until the server has closed the connection. */
  closed(deadlineMs?: number): Promise<string>
}

export const openWire = (port: number, host = '127.0.0.1'): Wire => {
  const socket = connect(port, host)
  sockets.add(socket)
  let text = ''
  let isClosed = false
  socket.on('data', (data) => {
    text += data.toString('latin1')
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    isClosed = true
    sockets.delete(socket)
  })
  return {
    socket,
    text: () => text,
    isClosed: () => isClosed,
    send: (given) => void socket.write(given),
    until: async (part) => {
      const has = () => (typeof part === 'string' ? text.includes(part) : part.test(text))
      await waitFor(() => has() || isClosed, { what: `${part} in ${text}` })
      if (!has()) throw new Error(`closed without ${part}: ${text}`)
      return text
    },
    closed: async (deadlineMs = 10_000) => {
      await waitFor(() => isClosed, { what: `the connection to be closed (so far: ${text})`, deadlineMs })
      return text
    },
  }
}

/** For `afterEach`. */
export const closeWires = (): void => {
  for (const socket of sockets) socket.destroy()
}

/** Header lines as clients send them; undefined leaves one out. */
export const headersOf = (
  port: number,
  token: string | undefined,
  others: Record<string, string | undefined> = {},
): Record<string, string | undefined> => ({
  Host: `127.0.0.1:${port}`,
  Accept: 'application/json, text/event-stream',
  'Content-Type': 'application/json',
  ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  ...others,
})

export const requestText = (
  method: string,
  headers: Record<string, string | undefined>,
  body: unknown = '',
  target = '/mcp',
): string => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const all = { ...(text !== '' && { 'Content-Length': String(Buffer.byteLength(text)) }), ...headers }
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  )
  return `${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${text}`
}

export const statusOf = (text: string): number => Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1])

const clientInfo = { name: 'test', version: '1' }

/** A request of the protocol of 2026. */
export const modern = (id: number, method: string, params: object, meta: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  params: {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': clientInfo,
      'io.modelcontextprotocol/clientCapabilities': {},
      ...meta,
    },
  },
})

/** The header lines that the protocol of 2026 wants beside it. */
export const modernHeaders = (method: string, name?: string): Record<string, string> => ({
  'MCP-Protocol-Version': '2026-07-28',
  'Mcp-Method': method,
  ...(name !== undefined && { 'Mcp-Name': name }),
})

/** A call of the bash tool: header lines and body. */
export const bashCall = (command: string, meta: object = {}, id = 1) => ({
  headers: modernHeaders('tools/call', 'bash'),
  body: modern(id, 'tools/call', { name: 'bash', arguments: { command } }, meta),
})

export const initialize = (version = '2025-11-25', id = 0) => ({
  jsonrpc: '2.0',
  id,
  method: 'initialize',
  params: { protocolVersion: version, capabilities: {}, clientInfo },
})
