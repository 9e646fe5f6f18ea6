// Random requests to the proxy: whatever comes, it reaches nothing that is not listed, and the proxy goes on. For a long
// run: BASHWARD_FUZZ_RUNS=100000 npx jest test/guard/proxy -t random; BASHWARD_FUZZ_SEED takes it elsewhere.
import { createServer } from 'node:net'
import fc from 'fast-check'
import { closeProxies, grantTo, listening, startTestProxy, wire } from '../../support/proxy.js'
import { waitFor } from '../../support/wait-for.js'

afterAll(closeProxies)

const numRuns = Number(process.env.BASHWARD_FUZZ_RUNS ?? 200)
const seed = Number(process.env.BASHWARD_FUZZ_SEED ?? 1)

/** `LISTED` and `CLOSED` stand for two servers, `TOKEN` for a header with the token. */
const piece = fc.constantFrom(
  ...[
    'GET ',
    'POST ',
    'CONNECT ',
    'PUT ',
    ' HTTP/1.1',
    ' HTTP/1.0',
    ' HTTP/2.0',
    '\r\n',
    '\r\n',
    '\r\n\r\n',
    '\n',
    '\r',
  ],
  ...[
    'http://LISTED/',
    'http://CLOSED/',
    'LISTED',
    'CLOSED',
    'https://',
    '//',
    '/',
    'a@',
    '@',
    '#',
    '?',
    '\\',
    '%00',
  ],
  ...[
    '[::1]',
    '[::ffff:127.0.0.1]',
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    'localhost',
    ':',
    ':80',
    '.',
    ' ',
    '\t',
    '\0',
  ],
  ...['Host: LISTED\r\n', 'Host: CLOSED\r\n', 'TOKEN', 'TOKEN', 'TOKEN', 'Proxy-Authorization: Basic \r\n'],
  ...[
    'Content-Length: 3\r\n',
    'Content-Length: 99\r\n',
    'Transfer-Encoding: chunked\r\n',
    '3\r\nabc\r\n',
    '0\r\n\r\n',
  ],
  ...[
    'Connection: close\r\n',
    'Connection: Host, Content-Length\r\n',
    'Upgrade: h2c\r\n',
    'Expect: 100-continue\r\n',
  ],
  ...[
    'GET http://LISTED/ HTTP/1.1\r\nTOKENHost: a\r\n',
    'CONNECT LISTED HTTP/1.1\r\nTOKENHost: a\r\n',
    '\xff',
    'x: y\r\n',
  ],
)

test('random requests reach nothing that is not listed', async () => {
  let closed = 0
  const seen: string[] = []
  const closedPort = await listening(createServer(() => closed++))
  const listedPort = await listening(
    createServer((socket) => {
      let text = ''
      socket.setEncoding('latin1').on('data', (data: string) => {
        text += data
        if (/^[A-Z]+ \/.*\r\n\r\n/s.test(text)) {
          socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok')
        }
      })
      socket.once('close', () => seen.push(text))
    }),
  )
  const [listed, unlisted] = [`a.example:${listedPort}`, `127.0.0.1:${closedPort}`]
  const proxy = await startTestProxy({
    names: { 'a.example': ['127.0.0.1'] },
    times: { headersMs: 60, keepAliveMs: 30, idleMs: 60, halfClosedMs: 30 },
  })
  const command = await grantTo(proxy, [listed, `127.0.0.1:${listedPort}`])
  const fill = (text: string): string =>
    text
      .replaceAll('LISTED', listed)
      .replaceAll('CLOSED', unlisted)
      .replaceAll('TOKEN', command.authorization)

  const ask = async (text: string): Promise<void> => {
    const connection = await wire(proxy.port)
    connection.send(Buffer.from(fill(text), 'latin1'))
    connection.socket.end()
    await connection.ended()
    connection.socket.destroy()
    const answer = connection.text()
    if (answer !== '') expect(answer).toMatch(/^HTTP\/1\.1 \d{3} /)
    expect(answer).not.toContain(command.token)
  }
  // The control: it is reached, as it should be.
  await ask('GET http://LISTED/ HTTP/1.1\r\nHost: a\r\nTOKENConnection: close\r\n\r\n')
  await waitFor(() => seen.length === 1, { what: 'the listed server to see the request' })

  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 12 }), (pieces) => ask(pieces.join(''))),
    { numRuns, seed },
  )

  expect(closed).toBe(0)
  expect(proxy.clients()).toBe(1)
  expect(seen.length).toBeGreaterThan(1)
  // What is no tunnel is a request as the proxy writes it.
  const requests = seen.filter(
    (text) => /^[A-Z]+ \//.test(text) && text.includes('\r\nConnection: close\r\n'),
  )
  expect(requests.length).toBeGreaterThan(0)
  for (const text of requests) {
    expect(text).toMatch(/^[A-Z]+ \/\S* HTTP\/1\.1\r\nHost: (?:a\.example|127\.0\.0\.1):\d+\r\n/)
    expect(text).not.toMatch(/proxy-authorization/i)
  }
}, 600_000)
