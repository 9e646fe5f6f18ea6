// Serving one client over stdin and stdout, until it is gone.

import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { BashServer } from './server.js'
import { StdioRequests } from './stdio-requests.js'

/**
 * Resolves when the client has closed stdin, or `signal` is aborted, and no command of a call runs any more.
 *
 * @param log told of what has no other place: stdout is the protocol's
 */
export async function serveOverStdio(
  server: BashServer,
  signal: AbortSignal,
  log: (message: string) => void,
): Promise<void> {
  // To a client that is gone nothing can be told.
  const send = (answer: object) => void process.stdout.write(`${JSON.stringify(answer)}\n`)
  const requests = new StdioRequests(send)
  process.stdin.pipe(requests)
  process.stdin.once('error', (error) => requests.destroy(error))
  const transport = new StdioServerTransport(requests as unknown as typeof process.stdin)
  const sendAnswer = transport.send.bind(transport)
  transport.send = (message) => {
    if (!('method' in message)) requests.answered(message.id)
    return sendAnswer(message)
  }
  const connection = serveStdio(() => server.connect(undefined, (id) => requests.answered(id)), {
    transport,
    onerror: (error) => log(error.message),
  })
  await new Promise<void>((resolve) => {
    const { onclose } = transport
    transport.onclose = () => {
      onclose?.()
      resolve()
    }
    const close = () => void connection.close()
    if (signal.aborted) close()
    else signal.addEventListener('abort', close, { once: true })
  })
  process.stdin.unpipe(requests)
  process.stdin.pause()
  await server.idle()
}
