// A way to a Redis that fails like a network, or a Redis, that fails.
import { connect, createServer, type Server, type Socket } from 'node:net'

export class RedisProxy {
  readonly #port: number
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  /** What the next connections, and those that are there, send is changed like this. */
  #change: ((request: string) => string) | undefined

  private constructor(port: number) {
    this.#port = port
    this.#server = createServer((client) => this.#join(client))
  }

  static async start(port: number): Promise<RedisProxy> {
    const proxy = new RedisProxy(port)
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get port(): number {
    const address = this.#server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }

  /** Redis answers this command with an error from now on. */
  refuse(command: string | undefined): void {
    const name = new RegExp(`\\r\\n${command}\\r\\n`, 'gi')
    const unknown = `\r\n${'x'.repeat(command?.length ?? 0)}\r\n`
    this.#change = command === undefined ? undefined : (request) => request.replace(name, unknown)
  }

  /** The connections that are there stay open, and nothing comes through any more. New ones work. */
  freeze(): void {
    for (const socket of this.#sockets) {
      socket.unpipe()
      socket.removeAllListeners('data')
      socket.pause()
    }
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #join(client: Socket): void {
    const redis = connect(this.#port, '127.0.0.1')
    for (const [socket, other] of [
      [client, redis],
      [redis, client],
    ] as const) {
      this.#sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        this.#sockets.delete(socket)
        other.destroy()
      })
    }
    client.on('data', (bytes) => {
      const changed = this.#change?.(bytes.toString('latin1'))
      redis.write(changed === undefined ? bytes : Buffer.from(changed, 'latin1'))
    })
    redis.pipe(client)
  }
}
