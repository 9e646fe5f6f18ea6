// What tools are told of the proxy, and of where their caches are.
import { cacheVariables, proxyVariables } from '../../../lib/guard/proxy/variables.js'

test('every variable that names the proxy has its port and the token', () => {
  const { NO_PROXY, no_proxy, npm_config_noproxy, NODE_USE_ENV_PROXY, ...others } = proxyVariables(
    4000,
    'f00',
  )

  expect(new Set(Object.values(others))).toEqual(new Set(['http://bashward:f00@127.0.0.1:4000']))
  expect(Object.keys(others)).toEqual(
    expect.arrayContaining(['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy', 'npm_config_proxy']),
  )
  expect([NO_PROXY, no_proxy, npm_config_noproxy]).toEqual(Array(3).fill('localhost,127.0.0.1,::1'))
  expect(NODE_USE_ENV_PROXY).toBe('1')
})

test('a service of this machine that is listed is reached by the proxy', () => {
  const notByProxy = (...domains: string[]) => proxyVariables(4000, 'f00', domains).NO_PROXY

  expect(notByProxy('a.example', 'localhost:8443')).toBe('127.0.0.1,::1')
  expect(notByProxy('127.0.0.1:8443', '[::1]:80')).toBe('localhost')
  expect(notByProxy('a.localhost:80', '127.0.0.2:80')).toBe('localhost,127.0.0.1,::1')
})

test('java is not told: it would print the token', () => {
  expect(Object.keys(proxyVariables(4000, 'f00')).filter((name) => /JAVA|JDK/.test(name))).toEqual([])
})

test('caches are within the directory', () => {
  const { TMPDIR, ...others } = cacheVariables('/cache')

  expect(TMPDIR).toBe('/cache')
  expect(Object.values(others).filter((path) => !path.startsWith('/cache/'))).toEqual([])
  expect(Object.keys(others)).toEqual(
    expect.arrayContaining(['npm_config_cache', 'XDG_CACHE_HOME', 'PIP_CACHE_DIR', 'GOCACHE', 'CARGO_HOME']),
  )
})
