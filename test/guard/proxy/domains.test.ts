// What `network.domains` may list, and what an entry lets through.
import { admits, checkDomain, checkDomains, type Target } from '../../../lib/guard/proxy/domains.js'

test.each([
  ['registry.example', 'registry.example'],
  ['Registry.EXAMPLE.', 'registry.example'],
  ['*.example.org', '*.example.org'],
  ['db.example:5432', 'db.example:5432'],
  ['*.example.org:8443', '*.example.org:8443'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
  ['192.0.2.7', '192.0.2.7'],
  ['[2001:DB8:0:0::7]', '[2001:db8::7]'],
  ['[::1]:5432', '[::1]:5432'],
  ['127.0.0.1:5432', '127.0.0.1:5432'],
  ['localhost:8080', 'localhost:8080'],
  ['db', 'db'],
  ['_dmarc.example.org', '_dmarc.example.org'],
])('%s is an entry', (entry, canonical) => {
  expect(checkDomains('domains', [entry])).toEqual([canonical])
})

test('entries that are the same come once', () => {
  expect(checkDomains('domains', ['a.example', 'A.example', 'a.example.'])).toEqual(['a.example'])
})

test.each([
  ['', 'must be a name such as'],
  [7, 'must be a name such as'],
  ['a'.repeat(300), 'must be a name such as'],
  ['https://registry.example/', 'no URL'],
  ['registry.example/path', 'no URL'],
  ['user@registry.example', 'no URL'],
  ['registry.example\\x', 'no URL'],
  ['registry.example#x', 'no URL'],
  ['registry.example:0', 'port from 1 to 65535'],
  ['registry.example:65536', 'port from 1 to 65535'],
  ['registry.example:https', 'must be a name such as'],
  ['registry..example', 'must be a name such as'],
  ['registry.example..', 'must be a name such as'],
  ['-a.example', 'must be a name such as'],
  ['a b.example', 'must be a name such as'],
  ['a%2eexample', 'must be a name such as'],
  ['a\0.example', 'must be a name such as'],
  ['*', 'must have no * but as its first label'],
  ['a.*.example', 'must have no * but as its first label'],
  ['*a.example.org', 'must have no * but as its first label'],
  ['*.*.example.org', 'must have no * but as its first label'],
  ['*.com', 'must not be a wildcard where'],
  ['*.co.uk', 'must not be a wildcard where'],
  ['*.com.br', 'must not be a wildcard where'],
  ['*.github.io', 'must not be a wildcard where'],
  ['*.core.windows.net', 'must not be a wildcard where'],
  ['*.foo.localhost', 'must not be a wildcard where'],
  ['*.192.0.2.7', 'must not be a wildcard where'],
  ['::1', 'brackets'],
  ['[fe80::1%eth0]', 'without a zone'],
  ['[::g]', 'without a zone'],
  ['0x7f.1', 'four decimal numbers'],
  ['2130706433', 'four decimal numbers'],
  ['127.1', 'four decimal numbers'],
  ['0177.0.0.1', 'four decimal numbers'],
  ['0.0.0.0', 'one machine'],
  ['[::]:80', 'one machine'],
  ['224.0.0.1', 'one machine'],
  ['[ff02::1]', 'one machine'],
  ['localhost', 'must have a port'],
  ['a.localhost', 'must have a port'],
  ['127.0.0.1', 'must have a port'],
  ['[::1]', 'must have a port'],
])('%j is none', (entry, reason) => {
  const check = () => checkDomains('workspace.network.domains', ['a.example', entry])

  expect(check).toThrow(reason)
  expect(check).toThrow('workspace.network.domains[1]: must')
  expect(check).toThrow('(got ')
})

test('a list is an array of a bounded length', () => {
  expect(() => checkDomains('domains', 'a.example')).toThrow(
    'domains: must be an array of names (got "a.example")',
  )
  expect(() => checkDomains('domains', Array(65).fill('a.example'))).toThrow('at most 64 entries (got 65)')
  expect(checkDomains('domains', Array(64).fill('a.example'))).toEqual(['a.example'])
})

test('a hole in a list is no entry', () => {
  expect(() => checkDomains('domains', new Array(1))).toThrow('domains[0]: must be a name')
})

const lets = (entry: string, host: string, port: number, tunnel = true): boolean =>
  admits(checkDomain('domains', entry), { host, port, tunnel } satisfies Target)

test('a name is that name only', () => {
  expect(lets('a.example', 'a.example', 443)).toBe(true)
  expect(lets('a.example', 'b.a.example', 443)).toBe(false)
  expect(lets('a.example', 'xa.example', 443)).toBe(false)
  expect(lets('a.example', 'a.example.org', 443)).toBe(false)
})

test('a wildcard is everything below a name, and not the name', () => {
  expect(lets('*.example.org', 'a.example.org', 443)).toBe(true)
  expect(lets('*.example.org', 'b.a.example.org', 443)).toBe(true)
  expect(lets('*.example.org', 'example.org', 443)).toBe(false)
  expect(lets('*.example.org', 'badexample.org', 443)).toBe(false)
})

test('without a port it is 443 for tunnels and 80 for plain HTTP', () => {
  expect(lets('a.example', 'a.example', 443, true)).toBe(true)
  expect(lets('a.example', 'a.example', 80, false)).toBe(true)
  expect(lets('a.example', 'a.example', 80, true)).toBe(false)
  expect(lets('a.example', 'a.example', 443, false)).toBe(false)
  expect(lets('a.example', 'a.example', 22, true)).toBe(false)
})

test('with a port it is that port only', () => {
  expect(lets('a.example:80', 'a.example', 80, true)).toBe(true)
  expect(lets('a.example:80', 'a.example', 443, true)).toBe(false)
  expect(lets('a.example:5432', 'a.example', 5432, false)).toBe(true)
})
