// Requests as a client would send them, and what becomes of them when they are broken.

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } },
}
const values = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    1e308,
    2 ** 53,
    '',
    'x',
    '\0',
    '\ud800',
    '\r\nX-A: b',
    '../../etc/passwd',
    '__proto__',
  ],
  ...[
    [],
    {},
    [[]],
    [null],
    JSON.parse('{"__proto__":null}'),
    { constructor: { prototype: {} } },
    { length: 1e9 },
    'x'.repeat(5_000),
  ],
]
const methods = [
  ...[
    'tools/list',
    'tools/call',
    'ping',
    'initialize',
    'server/discover',
    'subscriptions/listen',
    'logging/setLevel',
  ],
  ...[
    'tasks/get',
    'tasks/cancel',
    'notifications/cancelled',
    'notifications/initialized',
    'completion/complete',
    'constructor',
  ],
]

/** @param command what a call would run */
const messageOf = (random, command) => {
  const id = random.pick([1, 2, 'a', 0, -1, null, undefined])
  switch (random.below(6)) {
    case 0:
      return { jsonrpc: '2.0', id, ...initialize }
    case 1:
      return { jsonrpc: '2.0', id, method: random.pick(methods), params: { _meta: meta } }
    case 2:
      return {
        jsonrpc: '2.0',
        id,
        method: random.pick(methods),
        params: { requestId: 1, level: 'info', taskId: 'x' },
      }
    case 3:
      return [
        { jsonrpc: '2.0', id: 1, method: 'ping' },
        { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'bash', arguments: { command } } },
      ]
    default: {
      const own = random.chance(0.3)
        ? { 'bashward/callId': 'a', 'bashward/conversation': random.pick(values) }
        : {}
      const params = { name: 'bash', arguments: { command }, _meta: { ...meta, ...own } }
      return { jsonrpc: '2.0', id, method: 'tools/call', params }
    }
  }
}

/** Changes something of a JSON value, somewhere in it. */
const breakValue = (random, value) => {
  if (typeof value !== 'object' || value === null || random.chance(0.2)) return random.pick(values)
  const copy = Array.isArray(value) ? [...value] : { ...value }
  const keys = Object.keys(copy)
  const key = random.pick(keys) ?? 'x'
  const kind = random.below(10)
  if (kind === 0) delete copy[key]
  else if (kind === 1) copy[`${key} `] = copy[key]
  else if (kind === 2)
    copy[random.pick(['extra', 'jsonrpc', 'method', 'id', 'result', 'error'])] = random.pick(values)
  else copy[key] = breakValue(random, copy[key])
  return copy
}

const breakJson = (random, text) => {
  switch (random.below(7)) {
    case 0:
      return text.slice(0, random.below(text.length))
    case 1:
      return '['.repeat(random.pick([100, 10_000, 200_000])) + text
    case 2:
      return `{"a":`.repeat(20_000) + text
    case 3:
      return text.replace('{', '{"id":7,"method":"ping","id":8,')
    case 4:
      return `\ufeff${text}`
    case 5:
      return ' '.repeat(random.pick([1_000, 1_100_000])) + text
    default:
      return text + random.pick(['\0', '{}', ',', '\n\n'])
  }
}

/** Bytes of the header lines. */
const breakHead = (random, head) => {
  const lines = head.split('\r\n')
  const at = 1 + random.below(lines.length - 1)
  switch (random.below(12)) {
    case 0:
      lines.splice(at, 1)
      break
    case 1:
      lines.splice(at, 0, lines[random.below(lines.length)])
      break
    case 2:
      lines[0] = random.pick([
        'GET /mcp HTTP/1.0',
        'POST /mcp',
        'PRI * HTTP/2.0',
        '\0',
        'post /mcp HTTP/1.1',
        'POST  /mcp HTTP/1.1',
      ])
      break
    case 3:
      lines[0] = lines[0].replace(
        '/mcp',
        random.pick([
          '/mcp?',
          '//mcp',
          '/',
          '*',
          'http://x/mcp',
          `/${'a'.repeat(20_000)}`,
          '/mcp%00',
          '/../mcp',
        ]),
      )
      break
    case 4:
      lines.splice(
        at,
        0,
        random.pick([
          'Transfer-Encoding: chunked',
          'Transfer-Encoding: gzip, chunked',
          'Content-Length: 0',
          'Content-Length: 5',
          'Content-Length: +5',
          'Expect: 100-continue',
          'Upgrade: h2c',
          'Connection: close',
          'Connection: upgrade, keep-alive',
        ]),
      )
      break
    case 5:
      lines.splice(
        at,
        0,
        random.pick([
          ' folded',
          'X',
          ': x',
          'X : y',
          'X: \0',
          'X: \x7f',
          `X: ${'y'.repeat(17_000)}`,
          'Host: evil',
          'Origin: null',
        ]),
      )
      break
    case 6:
      return lines.join(random.pick(['\n', '\r', '\r\n\r\n', '\r\n ']))
    case 7:
      lines.splice(at, 0, ...Array.from({ length: 3_000 }, (_, index) => `X${index}: y`))
      break
    default: {
      const bytes = [...lines.join('\r\n')]
      for (let count = 1 + random.below(4); count > 0; count -= 1) {
        bytes[random.below(bytes.length)] = String.fromCharCode(random.below(256))
      }
      return bytes.join('')
    }
  }
  return lines.join('\r\n')
}

/** What is no token, or where none belongs. @param token the right one */
const withoutToken = (random, token) =>
  random.pick([
    [],
    ['Authorization: Bearer'],
    [`Authorization: Bearer ${token.slice(1)}`],
    [`Authorization: Basic ${token}`],
    [`Authorization: ${token}`],
    [`X-Authorization: Bearer ${token}`],
    [`Cookie: Authorization=Bearer ${token}`],
    [`Proxy-Authorization: Bearer ${token}`],
    [`Authorization: Bearer ${'A'.repeat(43)}=`],
  ])

const modernHeaders = (body) => {
  const word = (value) =>
    JSON.stringify(value ?? '')
      .replaceAll('"', '')
      .slice(0, 200)
  const lines = ['MCP-Protocol-Version: 2026-07-28', `Mcp-Method: ${word(body?.method)}`]
  return body?.params?.name === undefined ? lines : [...lines, `Mcp-Name: ${word(body.params.name)}`]
}

/**
 * @returns `bytes` to send; `pieces` at a time; whether it has the token
 */
export const makeRequest = (random, { port, token, command, session }) => {
  const hasToken = random.chance(0.5)
  let body = messageOf(random, hasToken ? 'true' : command)
  while (random.chance(0.4)) body = breakValue(random, body)
  let text = JSON.stringify(body) ?? ''
  if (random.chance(0.15)) text = breakJson(random, text)
  const method = random.pick(['POST', 'POST', 'POST', 'POST', 'GET', 'DELETE', 'PUT', 'OPTIONS', 'HEAD'])
  const length = Buffer.byteLength(text) + (random.chance(0.1) ? random.below(20) - 10 : 0)
  const isModern = body?.params?._meta !== undefined ? random.chance(0.9) : random.chance(0.1)
  let head = [
    `${method} /mcp HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Accept: application/json, text/event-stream',
    'Content-Type: application/json',
    ...(hasToken ? [`Authorization: Bearer ${token}`] : withoutToken(random, token)),
    ...(isModern ? modernHeaders(body) : []),
    ...(!isModern && random.chance(0.8) && session !== undefined ? [`Mcp-Session-Id: ${session}`] : []),
    ...(random.chance(0.1) ? [`Last-Event-ID: ${random.pick(['1', 'x-1', '__proto__'])}`] : []),
    ...(method === 'GET' ? [] : [`Content-Length: ${length}`]),
  ].join('\r\n')
  // Where the token stands in the wrong place, breaking more could move it to the right one.
  if (random.chance(0.4) && (hasToken || !head.includes(token))) head = breakHead(random, head)
  const bytes = Buffer.concat([
    Buffer.from(`${head}\r\n\r\n`, 'latin1'),
    Buffer.from(method === 'GET' ? '' : text),
  ])
  return { bytes, hasToken, pieces: random.chance(0.1) ? 1 + random.below(20) : 1 }
}
