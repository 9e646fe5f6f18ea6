// Servers of the tests that stand for hosts: a registry of packages, files, https. All on 127.0.0.1.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { basename, join, normalize } from 'node:path'
import { packageRoot } from '../../support/as-user.js'

const servers = new Set<Server>()

/** For `afterAll`. */
export const closeServers = (): void => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  servers.clear()
}

const listen = async (server: Server): Promise<string> => {
  servers.add(server)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Resolves with the host and port, as a policy lists them. */
export const serveHttp = (answer: RequestListener): Promise<string> => listen(createServer(answer))

/** The files below a directory. */
export const filesOf =
  (directory: string): RequestListener =>
  ({ url = '/' }, answer) => {
    const path = join(directory, normalize(new URL(url, 'http://x').pathname))
    if (!existsSync(path) || !statSync(path).isFile()) return void answer.writeHead(404).end()
    answer.end(readFileSync(path))
  }

/** Undefined without openssl(1). `certificate` is its file. */
export const serveHttps = async (
  directory: string,
  answer: RequestListener,
): Promise<{ place: string; certificate: string } | undefined> => {
  const [key, certificate] = [join(directory, 'key.pem'), join(directory, 'certificate.pem')]
  const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost']
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost', '-keyout', key, '-out', certificate]
  if (spawnSync('openssl', [...words, ...names]).status !== 0) return undefined
  const place = await listen(
    createTlsServer({ key: readFileSync(key), cert: readFileSync(certificate) }, answer),
  )
  return { place, certificate }
}

/** A registry of npm with packages that this checkout has installed. */
export const serveRegistry = async (directory: string, names: readonly string[]): Promise<string> => {
  for (const name of names) {
    const from = join(packageRoot, 'node_modules', name)
    const { version } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'))
    writeFileSync(join(directory, `${name}.version`), version)
    const words = ['-chzf', join(directory, `${name}.tgz`), `--transform=s,^${name},package,`]
    const { status, stderr } = spawnSync('tar', [...words, '-C', join(from, '..'), name], {
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(stderr)
  }
  return await serveHttp(({ url = '', headers }, answer) => {
    const name = basename(url, '.tgz')
    if (!names.includes(name)) return void answer.writeHead(404).end('{}')
    if (url.endsWith('.tgz')) return void answer.end(readFileSync(join(directory, `${name}.tgz`)))
    const version = readFileSync(join(directory, `${name}.version`), 'utf8')
    const dist = { tarball: `http://${headers.host}/-/${name}.tgz` }
    const versions = { [version]: { name, version, dist } }
    answer.setHeader('content-type', 'application/json')
    answer.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }))
  })
}
