// From a name to the addresses that may be connected to.
import { checkDomain, type Target } from '../../../lib/guard/proxy/domains.js'
import { resolve } from '../../../lib/guard/proxy/resolve.js'

const resolved = (host: string, answers: string[], domains: string[] = [host], port = 443) => {
  const target: Target = { host, port, tunnel: true }
  const entries = domains.map((entry) => checkDomain('domains', entry))
  return resolve(target, entries, async () => answers.map((address) => ({ address })))
}

test('a name leads to its addresses, of both families in turn', async () => {
  const answers = ['8.8.8.8', '9.9.9.9', '2606:4700::1', '2606:4700::2']

  expect(await resolved('a.example', answers)).toEqual({
    addresses: ['8.8.8.8', '2606:4700::1', '9.9.9.9', '2606:4700::2'],
  })
})

test('an address is used once, and eight at most', async () => {
  const answers = Array.from({ length: 20 }, (_, i) => `8.8.8.${i % 10}`)

  expect(await resolved('a.example', answers)).toEqual({
    addresses: Array.from({ length: 8 }, (_, i) => `8.8.8.${i}`),
  })
})

test('private addresses among the others are left out', async () => {
  expect(await resolved('a.example', ['127.0.0.1', '8.8.8.8', '::1'])).toEqual({ addresses: ['8.8.8.8'] })
})

test.each(['127.0.0.1', '169.254.169.254', '::1', '::ffff:10.0.0.1', 'fe80::1%eth0'])(
  'a name that leads only to %s is refused',
  async (address) => {
    expect(await resolved('a.example', [address])).toHaveProperty('refused')
  },
)

test('a private address may be used when it is listed, with that port', async () => {
  const found = { addresses: ['10.0.0.5'] }

  expect(await resolved('a.example', ['10.0.0.5'], ['a.example', '10.0.0.5'])).toEqual(found)
  expect(await resolved('a.example', ['10.0.0.5'], ['a.example', '10.0.0.5:22'])).toHaveProperty('refused')
})

test('a listed address is not looked up', async () => {
  const lookup = () => Promise.reject(new Error('looked up'))
  const target = { host: '10.0.0.5', port: 443, tunnel: true }

  expect(await resolve(target, [], lookup)).toEqual({ addresses: ['10.0.0.5'] })
})

test('a name of this machine is loopback, whatever a name server says', async () => {
  const found = { addresses: ['127.0.0.1', '::1'] }

  expect(await resolved('localhost', ['8.8.8.8'], ['localhost:443'])).toEqual(found)
  expect(await resolved('a.localhost', ['8.8.8.8'], ['a.localhost:443'])).toEqual(found)
})

test('a name without addresses is an error', async () => {
  await expect(resolved('a.example', [])).rejects.toThrow('it has no address')
})
