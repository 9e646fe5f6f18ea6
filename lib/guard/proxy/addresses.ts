// Addresses that a name must not lead to: this machine, private networks, and what carries an IPv4 address within.

import { BlockList, isIPv4 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { canonicalIPv6 } from './host.js'

type Range = readonly [network: string, prefix: number]

/** By RFC 6890 and its successors, and the address at which Azure has services for a machine. */
const refusedIPv4: readonly Range[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/**
 * Everything but 2000::/3, which are the addresses of the internet: among the rest are loopback, mapped and translated IPv4
 * addresses (::ffff:0:0/96, 64:ff9b::/96), unique local and link-local ones. Then what is special within 2000::/3: Teredo
 * and the like, documentation, 6to4.
 */
const refusedIPv6: readonly Range[] = [
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

/** What is no address of one machine. */
const unreachableIPv4: readonly Range[] = [
  ['0.0.0.0', 8],
  ['224.0.0.0', 4],
  ['255.255.255.255', 32],
]
const unreachableIPv6: readonly Range[] = [
  ['::', 128],
  ['ff00::', 8],
]

type Contains = (address: string) => boolean

/** A list for each family: one for both would look for 8.8.8.8 as ::ffff:8.8.8.8, too, and find that in ::/3. */
function within(ipv4: readonly Range[], ipv6: readonly Range[]): Contains {
  const [list4, list6] = [new BlockList(), new BlockList()]
  for (const [network, prefix] of ipv4) list4.addSubnet(network, prefix, 'ipv4')
  for (const [network, prefix] of ipv6) list6.addSubnet(network, prefix, 'ipv6')
  return (address) => (isIPv4(address) ? list4.check(address, 'ipv4') : list6.check(address, 'ipv6'))
}

const isRefused = within(refusedIPv4, refusedIPv6)
const isNoMachine = within(unreachableIPv4, unreachableIPv6)
const isOfLoopback = within([['127.0.0.0', 8]], [['::1', 128]])

/** Whether it can be the address of one machine. @param address in canonical form */
export function isReachable(address: string): boolean {
  return !isNoMachine(address)
}

/** @param address in canonical form, or a name */
export function isLoopback(address: string): boolean {
  return (isIPv4(address) || address.includes(':')) && isOfLoopback(address)
}

/** The addresses that a name must not lead to, as they are at this moment: interfaces come and go. */
export function refusedAddresses(interfaces = networkInterfaces()): (address: string) => boolean {
  const own = new Set<string>()
  for (const entries of Object.values(interfaces)) {
    for (const { address } of entries ?? []) own.add(canonicalAddress(address) ?? address)
  }
  return (address) => own.has(address) || isRefused(address)
}

/** Of an answer of the resolver; undefined for one with a zone. */
export function canonicalAddress(address: string): string | undefined {
  return isIPv4(address) ? address : canonicalIPv6(address)
}
