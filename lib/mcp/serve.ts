// Serving one client over stdin and stdout, until it is gone.

import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { BashServer } from './server.js'

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
  const transport = new StdioServerTransport()
  const connection = serveStdio(() => server.connect(), {
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
  await server.idle()
}
