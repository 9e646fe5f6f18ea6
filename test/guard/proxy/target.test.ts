// What a request asks for: one host, however it is written, or nothing.

import { isIP } from 'node:net'
import fc from 'fast-check'
import { parseAbsolute, parseAuthority } from '../../../lib/guard/proxy/target.js'

test.each([
  ['a.example:443', 'a.example', 443],
  ['A.Example.:443', 'a.example', 443],
  ['192.0.2.7:22', '192.0.2.7', 22],
  ['[::1]:80', '::1', 80],
  ['[0:0:0:0:0:0:0:1]:80', '::1', 80],
  ['[::ffff:127.0.0.1]:80', '::ffff:7f00:1', 80],
])('CONNECT %s', (text, host, port) => {
  expect(parseAuthority(text)).toEqual({ host, port, tunnel: true })
})

/** Hosts that some programs read as another one. */
const tricks = [
  'user@a.example',
  'a.example@b.example',
  'a.example#',
  'a.example#@b.example',
  'a.example?',
  'a.example\\b',
  'a.example/',
  'a..example',
  'a.example..',
  'a%2eexample',
  'a.example%00.b.example',
  'a.example\0',
  'a.example\r\nX: y',
  'a.example\t',
  ' a.example',
  'a\u3002example',
  'ａ.example',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '127.1',
  '127.0.0.1.',
  '127.0.0.0x1',
  '1.2.3.4.5',
  'a.example.0x7f',
  'a.example.1',
  '[::1',
  '::1',
  '[::1%lo]',
  '[::1%25lo]',
  '[127.0.0.1]',
  '[v1.a]',
  '',
]

test.each(tricks)('CONNECT %j:443 is refused', (host) => {
  expect(parseAuthority(`${host}:443`)).toBeUndefined()
})

const rests = ['a.example?', 'a.example/']

test.each(tricks.filter((host) => !rests.includes(host)))('GET http://%j:80/ is refused', (host) => {
  const found = parseAbsolute(`http://${host}:80/`)

  expect(found?.target).toBeUndefined()
})

test.each([
  'a.example',
  'a.example:',
  'a.example:0',
  'a.example:65536',
  'a.example:443:443',
  'a.example:-1',
  'a.example: 443',
  'http://a.example:443',
  '/',
  '*',
])('CONNECT %j is refused', (text) => {
  expect(parseAuthority(text)).toBeUndefined()
})

test.each([
  ['http://a.example', 'a.example', 80, '/'],
  ['HTTP://A.example./b?c=d', 'a.example', 80, '/b?c=d'],
  ['http://a.example:8080?x', 'a.example', 8080, '/?x'],
  ['http://[::1]:80/%00', '::1', 80, '/%00'],
  ['http://a.example/http://b.example/@', 'a.example', 80, '/http://b.example/@'],
])('GET %s', (url, host, port, path) => {
  expect(parseAbsolute(url)).toEqual({ target: { host, port, tunnel: false }, path })
})

test.each([
  '/',
  '*',
  'a.example',
  'a.example:80',
  '//a.example/',
  'https://a.example/',
  'ftp://a.example/',
  'http:a.example/',
  'http:/a.example/',
  'http:///a.example/',
  'http:\\\\a.example/',
  'http://a.example\\@b.example/',
  'http://a.example/#b',
  'http://a.example/b c',
  'http://a.example/\u00fc',
  ' http://a.example/',
  'http://a.example:/',
  'http://?a.example/',
])('GET %j is refused', (url) => {
  expect(parseAbsolute(url)).toBeUndefined()
})

/** Pieces of which tricks are made. */
const piece = fc.constantFrom(
  ...[
    'a',
    'example',
    '.',
    ':',
    '@',
    '/',
    '\\',
    '#',
    '?',
    '[',
    ']',
    '%',
    '%00',
    '%2e',
    '::',
    'ffff',
    '127',
    '0x7f',
    '1',
  ],
  ...[
    '0',
    '80',
    '443',
    'http',
    '://',
    ' ',
    '\t',
    '\r\n',
    '\0',
    '-',
    '_',
    '*',
    '~',
    '\u3002',
    '\u00df',
    '\ud800',
    'xn--',
  ],
)
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
const numRuns = Number(process.env.BASHWARD_FUZZ_RUNS ?? 20_000)
const seed = Number(process.env.BASHWARD_FUZZ_SEED ?? 1)

const expectCanonical = (host: string, port: number): void => {
  const isAddress = isIP(host) !== 0
  // A name that no resolver takes for an address, and no parser for something else.
  if (!isAddress) expect(host).toMatch(/^(?!-)[a-z0-9_.-]{1,253}(?<![.-])$/)
  if (!isAddress) expect(host).not.toMatch(/\.\.|(?:^|\.)(?:\d+|0x[0-9a-f]*)$/)
  expect(port >= 1 && port <= 65_535).toBe(true)
  // The standard's parser, which tools use, sees the same host. It reads punycode; to us that is a name.
  if (host.includes('xn--')) return
  const bracketed = host.includes(':') ? `[${host}]` : host
  expect(new URL(`http://${bracketed}:${port}/`).hostname).toBe(bracketed)
}

test('of random texts, what is taken for a host is one host to every parser', () => {
  fc.assert(
    fc.property(text, (host) => {
      const connect = parseAuthority(host)
      if (connect !== undefined) expectCanonical(connect.host, connect.port)
      const get = parseAbsolute(`http://${host}`)
      if (get === undefined) return
      expectCanonical(get.target.host, get.target.port)
      expect(get.path).toMatch(/^\/[!-~]*$/)
      if (host.includes('xn--')) return
      const url = new URL(`http://${host}`)
      expect([url.username, url.password, url.hash]).toEqual(['', '', ''])
      expect(url.hostname.replace(/\.$/, '').replace(/^\[|\]$/g, '')).toBe(get.target.host)
    }),
    { numRuns, seed },
  )
})

test('any random text is read, or refused, without an error', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (url) => {
      const connect = parseAuthority(url)
      if (connect !== undefined) expectCanonical(connect.host, connect.port)
      const get = parseAbsolute(url)
      if (get !== undefined) expectCanonical(get.target.host, get.target.port)
    }),
    { numRuns, seed },
  )
})
