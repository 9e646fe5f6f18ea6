// The process of the proxy: how it starts, what can be seen of it, and when it ends.
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { ordinaryUserPrefix, packageRoot, packageRootForOrdinaryUser } from '../../support/as-user.js'
import { isAlive } from '../../support/processes.js'
import { exchange, listening, wire } from '../../support/proxy.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { connectTo, endHosts, proxyOf, startHost, startScript, takeUp } from './proxy-hosts.js'

afterEach(endHosts)
afterAll(removeTempDirs)

const echo = () => createServer((socket: Socket) => void socket.pipe(socket))

test('a host without commands does not stay for its proxy, and the proxy not for it', async () => {
  const { host } = await startHost({ idle: true })

  await waitFor(() => host.exitCode !== null, { what: 'the host to end' })
  expect(host.exitCode).toBe(0)
  host.stdin?.destroy()
})

test('the proxy ends with its host when it serves no command', async () => {
  const { host } = await startHost()
  const pid = await proxyOf(host)

  host.kill('SIGKILL')

  await waitFor(() => !isAlive(pid), { what: 'the proxy to end' })
})

test('the proxy serves a command whose host was killed, and ends with the command', async () => {
  const port = await listening(echo())
  const { host, answer } = await startHost({ domains: [`127.0.0.1:${port}`] })
  const pid = await proxyOf(host)
  const control = await takeUp(answer)
  const tunnel = await wire(answer.proxy.port)
  tunnel.send(connectTo(answer, `127.0.0.1:${port}`))
  await tunnel.comes('200 Connection Established')

  host.kill('SIGKILL')
  await waitFor(() => !isAlive(host.pid ?? 0), { what: 'the host to end' })
  tunnel.send('still here')
  await tunnel.comes('still here')
  const another = await wire(answer.proxy.port)
  another.send(connectTo(answer, `127.0.0.1:${port}`))
  await another.comes('200 Connection Established')
  expect(isAlive(pid)).toBe(true)

  control.socket.destroy()
  await tunnel.ended()
  await waitFor(() => !isAlive(pid), { what: 'the proxy to end' })
})

test('nothing secret can be seen of the process, and it has nothing of its host', async () => {
  const { host, answer } = await startHost({
    env: { ...process.env, NODE_OPTIONS: '--no-deprecation', MY_TOKEN: 'of the host' },
  })
  const pid = await proxyOf(host)
  const [, secret = ''] = answer.proxy.grant.split(' ')

  await waitFor(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('bashward-proxy'), {
    what: 'its title',
  })
  const seen = ['cmdline', 'environ'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'latin1')).join()
  expect(secret).toMatch(/^[0-9a-f]{48}$/)
  expect(seen).not.toContain(secret)
  expect(seen).not.toMatch(/NODE_OPTIONS|MY_TOKEN|of the host|PATH/)
  expect(readlinkSync(`/proc/${pid}/cwd`)).toBe('/')
  expect(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[3]).toBe(String(pid))
})

test('nor a descriptor that its host was started with', async () => {
  const file = join(tempDir(), 'lock')
  writeFileSync(file, '')
  // Node's own look at what it was started with ends at the first gap.
  const prefix = ['bash', '-c', 'exec 77>"$0"; exec "$@"', file]
  const { host } = await startHost({ prefix })
  const openIn = (pid: number): string[] =>
    readdirSync(`/proc/${pid}/fd`).map((name) => readlinkSync(`/proc/${pid}/fd/${name}`))

  expect(openIn(host.pid ?? 0)).toContain(realpathSync(file))
  expect(openIn(await proxyOf(host))).not.toContain(realpathSync(file))
})

test.each(['SIGHUP', 'SIGINT', 'SIGUSR1', 'SIGPIPE'] as const)('%s does not end it', async (signal) => {
  const { host, answer } = await startHost()
  const pid = await proxyOf(host)

  process.kill(pid, signal)

  await takeUp(answer)
  expect(isAlive(pid)).toBe(true)
  // Not the port of a debugger, either.
  await expect(wire(9229)).rejects.toThrow('ECONNREFUSED')
})

test('a stolen token is worthless after the command, and the secret of another proxy anyway', async () => {
  const [{ answer }, { answer: other }] = [await startHost(), await startHost()]
  const control = await takeUp(answer)
  expect(await exchange(answer.proxy.port, connectTo(answer, 'a.example:443'))).toMatch(/^HTTP\/1\.1 403 /)

  control.socket.destroy()
  await control.ended().catch(() => {})

  await waitFor(
    async () =>
      (await exchange(answer.proxy.port, connectTo(answer, 'a.example:443'))).startsWith('HTTP/1.1 407 '),
    { what: 'the token to be worthless' },
  )
  expect(await exchange(answer.proxy.controlPort, other.proxy.grant)).toBe('')
})

test('a host has one proxy, and a new one when that has died', async () => {
  const script = `
    const { openNetwork } = require(${JSON.stringify(join(packageRoot, 'dist/proxy/command-network.js'))})
    const tell = (value) => process.stdout.write(JSON.stringify(value) + '\\n')
    const port = async () => (await openNetwork([])).proxy.port
    Promise.all([port(), port()]).then(async (ports) => tell([...ports, await port()]))
    process.stdin.setEncoding('utf8').on('data', async () => tell(await port()))`
  const { host, lines } = startScript(script)
  const first = JSON.parse(await waitFor(() => lines[0], { what: 'the ports', deadlineMs: 60_000 }))
  expect(new Set(first).size).toBe(1)
  const pid = await proxyOf(host)

  process.kill(pid, 'SIGKILL')

  const asked = async () => {
    const before = lines.length
    host.stdin.write('x\n')
    return await waitFor(() => lines[before], { what: 'a port', deadlineMs: 60_000 })
  }
  await waitFor(async () => Number(await asked()) !== first[0], { what: 'another port', intervalMs: 100 })
  expect(isAlive(await proxyOf(host))).toBe(true)
})

test('an ordinary user has one, too', async () => {
  const root = packageRootForOrdinaryUser()

  const { answer } = await startHost({ root, prefix: ordinaryUserPrefix() })

  await takeUp(answer)
})

test('what somebody writes to the package after it is loaded is not executed', async () => {
  const directory = tempDir()
  for (const name of ['dist', 'test/fixtures/proxy-host.cjs']) {
    mkdirSync(join(directory, name, '..'), { recursive: true })
    cpSync(join(packageRoot, name), join(directory, name), { recursive: true })
  }
  const script = `
    const { openNetwork } = require(${JSON.stringify(join(directory, 'dist/proxy/command-network.js'))})
    process.stdout.write('loaded\\n')
    process.stdin.once('data', () => openNetwork([]).then(
      ({ proxy }) => process.stdout.write(JSON.stringify(proxy) + '\\n'), (e) => process.stdout.write(e + '\\n')))`
  const { host, lines } = startScript(script)
  await waitFor(() => lines[0], { what: 'the package to be loaded', deadlineMs: 60_000 })
  const mark = join(directory, 'mark')
  for (const name of readdirSync(join(directory, 'dist'), { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.js')) continue
    writeFileSync(
      join(directory, 'dist', name),
      `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`,
    )
  }

  host.stdin.write('go\n')

  const proxy = await waitFor(() => lines[1], { what: 'the proxy', deadlineMs: 60_000 })
  expect(JSON.parse(proxy)).toEqual({
    port: expect.any(Number),
    controlPort: expect.any(Number),
    grant: expect.any(String),
  })
  expect(readdirSync(directory)).not.toContain('mark')
})
