// From the name in a request to the addresses that may be connected to: one look-up, whose answer is used, so that a name
// server cannot say one thing to the check and another to the connection.

import { isIP } from 'node:net'
import { canonicalAddress, refusedAddresses } from './addresses.js'
import { admits, type Domain, type Target } from './domains.js'
import { isLocalName } from './host.js'

/** Gives every address of a name, as `dns.promises.lookup` with `all` does. */
export type Lookup = (name: string) => Promise<readonly { address: string }[]>

/** Addresses of one name that are tried. */
const maxAddresses = 8

export type Resolution =
  | { addresses: readonly string[] }
  /** The first address that it leads to, none of which is allowed. */
  | { refused: string }

/**
 * @param target that an entry admits
 * @throws what `lookup` throws
 */
export async function resolve(
  target: Target,
  domains: readonly Domain[],
  lookup: Lookup,
): Promise<Resolution> {
  // It is listed as it is.
  if (isIP(target.host) !== 0) return { addresses: [target.host] }
  if (isLocalName(target.host)) return { addresses: ['127.0.0.1', '::1'] }
  const answers = await lookup(target.host)
  const found = [...new Set(answers.map(({ address }) => address))]
  const isRefused = refusedAddresses()
  const isAllowed = (address: string): boolean =>
    !isRefused(address) || domains.some((domain) => admits(domain, { ...target, host: address }))
  const addresses = found
    .map(canonicalAddress)
    .filter((address) => address !== undefined)
    .filter(isAllowed)
  if (addresses.length > 0) return { addresses: interleaved(addresses).slice(0, maxAddresses) }
  const [refused] = found
  if (refused === undefined) throw Object.assign(new Error('it has no address'), { code: 'ENOTFOUND' })
  return { refused: canonicalAddress(refused) ?? refused }
}

/** IPv6 and IPv4 in turn, beginning with the family that the resolver prefers: one of them may lead nowhere. */
function interleaved(addresses: readonly string[]): string[] {
  const family = isIP(addresses[0] ?? '')
  const first = addresses.filter((address) => isIP(address) === family)
  const second = addresses.filter((address) => isIP(address) !== family)
  return addresses.flatMap((_, i) => [first[i], second[i]]).filter((address) => address !== undefined)
}
