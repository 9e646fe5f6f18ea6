// The control port: supervisors say which command may reach what, and nobody else has a say.
import { formatGrant, makeToken, maxGrantLength, parseGrant } from '../../../lib/guard/proxy/grant.js'
import { closeProxies, exchange, grantTo, secret, startTestProxy, wire } from '../../support/proxy.js'
import { waitFor } from '../../support/wait-for.js'

afterEach(closeProxies)

const line = formatGrant(secret, makeToken(), ['a.example', '*.example.org:8443', '[::1]:80'])

test('a grant is one line, and is read as it was written', () => {
  const grant = parseGrant(line.trimEnd(), secret)

  expect(line).toMatch(
    /^GRANT \S+ \S+ \{"domains":\["a\.example","\*\.example\.org:8443","\[::1\]:80"\]\}\n$/,
  )
  expect(grant?.domains).toEqual([
    { host: 'a.example', wildcard: false, port: undefined },
    { host: 'example.org', wildcard: true, port: 8443 },
    { host: '::1', wildcard: false, port: 80 },
  ])
})

test('the longest list makes a line that is read', () => {
  const entry = (i: number) =>
    `*.${['a', 'b', 'c'].map((letter) => letter.repeat(61)).join('.')}${i}.example.org:65535`
  const long = formatGrant(
    secret,
    makeToken(),
    Array.from({ length: 64 }, (_, i) => entry(i)),
  )

  expect(long.length).toBeLessThan(maxGrantLength)
  expect(parseGrant(long.trimEnd(), secret)?.domains).toHaveLength(64)
})

const wrong: Record<string, string> = {
  'with another secret': line.replace(secret, makeToken()),
  'with a part of the secret': line.replace(secret, secret.slice(1)),
  'without a secret': line.replace(`${secret} `, ''),
  'with a short token': formatGrant(secret, 'abc', []),
  'with an entry that none is': formatGrant(secret, makeToken(), ['*']),
  'with no list': `GRANT ${secret} ${makeToken()} {}\n`,
  'with no JSON': `GRANT ${secret} ${makeToken()} a.example\n`,
  'of another kind': line.replace('GRANT', 'REVOKE'),
  'by HTTP': 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
  'with more behind it': `${line}x`,
  twice: line + line,
  'that has no end': line.trimEnd() + ' '.repeat(maxGrantLength),
  'that is empty': '\n',
}

test.each(Object.keys(wrong))('a line %s is answered with the end of the connection', async (name) => {
  const proxy = await startTestProxy()

  expect(await exchange(proxy.controlPort, wrong[name] ?? '')).toBe('')
  expect(proxy.clients()).toBe(0)
})

test('who says nothing in time is sent away', async () => {
  const proxy = await startTestProxy({ times: { grantMs: 50 } })
  const connection = await wire(proxy.controlPort)

  connection.send(line.trimEnd())

  expect(await connection.ended()).toBe('')
})

test('a line may come in pieces', async () => {
  const proxy = await startTestProxy()
  const connection = await wire(proxy.controlPort)

  for (const piece of [line.slice(0, 9), line.slice(9, 80), line.slice(80)]) {
    connection.send(piece)
    await new Promise((resolve) => setImmediate(resolve))
  }

  await connection.comes('OK\n')
  expect(proxy.clients()).toBe(1)
})

test('a token is granted once at a time', async () => {
  const proxy = await startTestProxy()
  const first = await wire(proxy.controlPort)
  first.send(line)
  await first.comes('OK\n')

  expect(await exchange(proxy.controlPort, line)).toBe('')
  expect(proxy.clients()).toBe(1)
  first.socket.destroy()
  await waitFor(() => proxy.clients() === 0, { what: 'the first to end' })
  const second = await wire(proxy.controlPort)
  second.send(line)
  await second.comes('OK\n')
})

test('a supervisor that says more has ended', async () => {
  const proxy = await startTestProxy()
  const { control } = await grantTo(proxy, ['a.example'])

  control.send('x')

  await control.ended()
  expect(proxy.clients()).toBe(0)
})

test('many commands are served at once', async () => {
  const proxy = await startTestProxy()

  const commands = await Promise.all(Array.from({ length: 50 }, () => grantTo(proxy, ['a.example'])))

  expect(proxy.clients()).toBe(50)
  for (const { control } of commands) control.socket.destroy()
  await waitFor(() => proxy.clients() === 0, { what: 'all of them to end' })
})

test('a supervisor that reads nothing does not keep its command from being refused', async () => {
  const proxy = await startTestProxy()
  const command = await grantTo(proxy, ['a.example'])
  const connection = await wire(proxy.port)
  command.control.socket.pause()
  const name = `${'a.'.repeat(100)}example`

  for (let i = 0; i < 2_000; i++) {
    connection.send(`GET http://${name}/ HTTP/1.1\r\nHost: a\r\n${command.authorization}\r\n`)
    if (i % 10 === 9) {
      await waitFor(() => connection.text().split('HTTP/1.1 403').length === i + 2, {
        what: `${i + 1} refusals`,
        intervalMs: 1,
      })
    }
  }
  expect(proxy.clients()).toBe(1)
}, 120_000)
