// Work with sockets, for a guest: servers of a command's own, and a host that is reached through the proxy.
const { once } = require('node:events')
const { existsSync } = require('node:fs')
const { createServer } = require('node:http')

const localWork = 'node: local sockets, handles to a child'

/** Of networkWorks. */
const socketWorks = [
  localWork,
  'python: http.server and urllib',
  'python: sockets: families, options, free ports, names',
  'perl: a server that forks',
]

/** Where the kernel does not tell of local sockets, no command gets a name for one. */
const ifLocal = () => {
  let without = false
  return {
    verdict: ({ name, ...verdict }) => {
      if (verdict.outcome !== 'bind: EOPNOTSUPP' || existsSync('/modules/unix_diag.ko'))
        return { name, ...verdict }
      without = true
      return { name, unavailable: 'the kernel came without its unix_diag module' }
    },
    works: () => socketWorks.filter((name) => !(without && name === localWork)),
  }
}

/** A server that stands for a host. */
const serveListed = async () => {
  const server = createServer((_, answer) => answer.end('listed'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { place: `127.0.0.1:${server.address().port}`, close: () => server.close() }
}

const ownServer = `const server = require("http").createServer((_, answer) => answer.end("own"))
const hosts = ["127.0.0.1", "::1", "localhost"]
const next = () => {
  const host = hosts.shift()
  if (host === undefined) return
  server.listen(0, host, async () => {
    const to = host === "::1" ? "[::1]" : host
    const answer = await fetch("http://" + to + ":" + server.address().port, { headers: { connection: "close" } })
    console.log(host, await answer.text())
    server.close(next)
  })
}
next()`

/** @param {string} listed the host that a policy lists; without the proxy it is refused */
const moreWorks = (listed) => [
  { name: 'node: http, a server and its client', needs: ['node'], command: `node -e '${ownServer}'` },
  {
    name: 'python: a listed host',
    needs: ['python3'],
    policy: { network: { domains: [listed] } },
    command: `python3 -c 'import urllib.request; print(urllib.request.urlopen("http://${listed}/").read())'`,
  },
]

module.exports = { ifLocal, moreWorks, serveListed }
