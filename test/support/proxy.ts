// A proxy in the process of the tests, the commands that it serves, and servers that it leads to. All on 127.0.0.1.
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Server as NetServer, type Socket } from 'node:net'
import { formatGrant, makeToken } from '../../lib/guard/proxy/grant.js'
import { type ProxyOptions, type ProxyServer, serveProxy } from '../../lib/guard/proxy/server.js'
import { waitFor } from './wait-for.js'

const servers: { close(): unknown }[] = []
const sockets = new Set<Socket>()

/** Ends everything that this file has started. For `afterEach`. */
export const closeProxies = (): void => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers.splice(0)) server.close()
  sockets.clear()
}

export const secret = makeToken()

/** A proxy whose resolver knows only `names`. */
export const startTestProxy = async ({
  names = {},
  ...options
}: Partial<ProxyOptions> & { names?: Record<string, string[]> } = {}): Promise<ProxyServer> => {
  const lookup = async (name: string) => {
    const addresses = names[name]
    if (addresses === undefined) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
    return addresses.map((address) => ({ address }))
  }
  const proxy = await serveProxy({ secret, lookup, ...options })
  servers.push(proxy)
  return proxy
}

/** Listens on an address of loopback, and resolves with its port. */
export const listening = async (server: Server | NetServer, host = '127.0.0.1'): Promise<number> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ host, port: 0 }, resolve)
  })
  servers.push(server)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  return (server.address() as AddressInfo).port
}

export interface Wire {
  socket: Socket
  /** What has come so far. */
  text(): string
  /** Waits until it has come. */
  comes(text: string): Promise<string>
  /** Waits until the other side has ended the connection, by whatever way; resolves with all that has come. */
  ended(): Promise<string>
  send(text: string | Buffer): void
}

/** A connection, of which everything is kept that comes. */
export const wire = async (port: number, host = '127.0.0.1'): Promise<Wire> => {
  const socket = connect({ port, host, allowHalfOpen: true })
  sockets.add(socket)
  let text = ''
  let ended = false
  const end = (): void => {
    ended = true
  }
  socket.setEncoding('latin1').on('data', (piece: string) => {
    text += piece
  })
  socket.on('error', end).on('end', end).on('close', end)
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject)
  })
  return {
    socket,
    text: () => text,
    comes: (expected) =>
      waitFor(() => (text.includes(expected) ? text : undefined), { what: `${expected} in ${text}` }),
    ended: async () => {
      await waitFor(() => ended, { what: 'the other side to end the connection' })
      return text
    },
    send: (piece) => {
      socket.write(piece)
    },
  }
}

export interface TestCommand {
  token: string
  /** The connection of its supervisor. */
  control: Wire
  /** The header that it proves itself with, and the end of its line. */
  authorization: string
}

/** A command that may reach `domains`. */
export const grantTo = async (
  { controlPort }: Pick<ProxyServer, 'controlPort'>,
  domains: string[],
  secretOfProxy = secret,
): Promise<TestCommand> => {
  const token = makeToken()
  const control = await wire(controlPort)
  control.send(formatGrant(secretOfProxy, token, domains))
  await control.comes('OK\n')
  return { token, control, authorization: authorizationOf(token) }
}

export const authorizationOf = (token: string, user = 'bashward'): string =>
  `Proxy-Authorization: Basic ${Buffer.from(`${user}:${token}`).toString('base64')}\r\n`

/** Sends a request and resolves with everything until the connection ends. */
export const exchange = async (port: number, request: string | Buffer): Promise<string> => {
  const connection = await wire(port)
  connection.send(typeof request === 'string' ? Buffer.from(request, 'latin1') : request)
  return await connection.ended()
}
