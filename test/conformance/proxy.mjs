// A proxy that adds the token, as the conformance tests cannot: what a reverse proxy must never do.
import { createServer, request } from 'node:http'

/** @returns its port, and a function that says where to send requests and with which token */
export const startProxy = async () => {
  let target
  const proxy = createServer((incoming, outgoing) => {
    const { method, url, rawHeaders } = incoming
    const headers = [...rawHeaders, 'Authorization', `Bearer ${target.token}`]
    const onward = request({
      host: '127.0.0.1',
      port: target.port,
      method,
      path: url,
      headers,
      setHost: false,
    })
    onward.on('response', (response) => {
      outgoing.writeHead(response.statusCode, response.rawHeaders)
      outgoing.flushHeaders()
      response.pipe(outgoing)
      response.on('error', () => outgoing.destroy())
    })
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    port: proxy.address().port,
    /** @param {{ port: number, token: string }} given */
    sendTo: (given) => {
      target = given
    },
    close: () => {
      proxy.close()
      proxy.closeAllConnections()
    },
  }
}
