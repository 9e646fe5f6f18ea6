// The process of the proxy: it gets its code and its secret from start.ts, prints where it listens, and ends when
// its host and all commands that it serves are gone.

import { type ProxyServer, serveProxy } from './server.js'

/** What it prints, in a line of JSON. */
export type ProxyAnswer =
  | { port: number; controlPort: number }
  /** It listens nowhere, and ends. The number is positive. */
  | { step: string; errno: number; message: string }

/** @param secret what whoever gives commands domains has to know */
export async function main(secret: string): Promise<void> {
  process.title = 'bashward-proxy'
  // A terminal's signals are about others; and SIGUSR1 would open a debugger's port to every user.
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGUSR1', 'SIGUSR2'] as const) process.on(signal, () => {})
  // Nobody reads what it prints later.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

  let hasHost = true
  let server: ProxyServer | undefined
  const endIfAlone = (): void => {
    if (!hasHost && (server?.clients() ?? 0) === 0) process.exit(0)
  }
  const onHostGone = (): void => {
    hasHost = false
    endIfAlone()
  }
  process.stdin.on('end', onHostGone).on('error', onHostGone).on('close', onHostGone).resume()
  try {
    server = await serveProxy({ secret, onEnd: endIfAlone })
  } catch (error) {
    const { syscall = 'listen', errno = 0, message } = error as NodeJS.ErrnoException
    print({ step: syscall, errno: Math.abs(errno), message })
    process.exitCode = 1
    process.stdin.destroy()
    return
  }
  const { port, controlPort } = server
  print({ port, controlPort })
}

function print(answer: ProxyAnswer): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}
