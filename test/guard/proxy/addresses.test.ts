// Addresses that a name must not lead to.
import { networkInterfaces } from 'node:os'
import {
  canonicalAddress,
  isLoopback,
  isReachable,
  refusedAddresses,
} from '../../../lib/guard/proxy/addresses.js'

test.each([
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '127.0.0.1', '127.255.255.254', '168.63.129.16'],
  ...[
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
  ],
  ...['198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
  ...[
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
  ],
  ...[
    '2001::1',
    '2001:10::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd12::1',
    'fe80::1',
  ],
  ...['fec0::1', 'ff02::1'],
])('%s is refused', (address) => {
  expect(refusedAddresses({})(canonicalAddress(address) ?? '')).toBe(true)
})

test.each(['8.8.8.8', '100.63.255.255', '172.32.0.1', '168.63.129.17', '2606:4700::1111', '2a00:1450::1'])(
  '%s is not',
  (address) => {
    expect(refusedAddresses({})(address)).toBe(false)
  },
)

test('every address of an interface is refused', () => {
  const own = Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])
  const isRefused = refusedAddresses()

  expect(own.length).toBeGreaterThan(0)
  expect(own.filter(({ address }) => !isRefused(canonicalAddress(address) ?? address))).toEqual([])
})

test('a public address of an interface is refused', () => {
  const entry = {
    address: '8.8.8.8',
    netmask: '',
    mac: '',
    internal: false,
    cidr: null,
    family: 'IPv4' as const,
  }

  expect(refusedAddresses({ eth0: [entry] })('8.8.8.8')).toBe(true)
})

test('an address with a zone is none', () => {
  expect(canonicalAddress('fe80::1%eth0')).toBeUndefined()
})

test('an address has one form', () => {
  expect(canonicalAddress('2606:4700:0:0:0:0:0:1')).toBe('2606:4700::1')
})

test('loopback and addresses of no single machine are told', () => {
  expect(['127.0.0.1', '127.9.9.9', '::1'].map(isLoopback)).toEqual([true, true, true])
  expect(['10.0.0.1', 'localhost', '2001:db8::1'].map(isLoopback)).toEqual([false, false, false])
  expect(['0.0.0.0', '::', '224.0.0.1', 'ff02::1'].map(isReachable)).toEqual([false, false, false, false])
})
