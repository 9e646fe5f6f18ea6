// What the proxy is told of a command: the line that its supervisor sends on a connection of its own. The token is valid
// as long as that connection.

import { crypto, randomHex } from '../../base/util/lazy.js'
import { checkDomain, checkDomains, type Domain } from './domains.js'

/** The user of the proxy in URLs: `http://bashward:TOKEN@127.0.0.1:PORT`. */
export const proxyUser = 'bashward'

/** Bytes of a token, or of a proxy's secret. */
const tokenBytes = 24

/** What proves that somebody may use the proxy, or may tell it who does. */
export const makeToken = (): string => randomHex(tokenBytes)

/** Characters of a grant line: all entries of the longest list, and what is around them. */
export const maxGrantLength = 24 * 1024

const tokenForm = /^[0-9a-f]{48}$/

/**
 * @param secret of the proxy
 * @param domains checked, in canonical form
 */
export function formatGrant(secret: string, token: string, domains: readonly string[]): string {
  return `GRANT ${secret} ${token} ${JSON.stringify({ domains })}\n`
}

export interface Grant {
  readonly token: string
  readonly domains: readonly Domain[]
}

/** @param line without its end. @returns undefined for anything but a grant with this secret */
export function parseGrant(line: string, secret: string): Grant | undefined {
  const [, given = '', token = '', json = ''] = /^GRANT ([0-9a-f]{1,128}) (\S{1,128}) (.*)$/.exec(line) ?? []
  if (!isSame(given, secret) || !tokenForm.test(token)) return undefined
  try {
    const { domains } = JSON.parse(json)
    return { token, domains: checkDomains('domains', domains).map((entry) => checkDomain('domains', entry)) }
  } catch {
    return undefined
  }
}

/** In a time that tells only whether the lengths are the same. */
export function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && crypto().timingSafeEqual(one, other)
}
