// `network.domains` of a policy: what an entry may be, and which hosts it lets through.

import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { invalidInput } from '../../base/util/invalid-input.js'
import { isLoopback, isReachable } from './addresses.js'
import { bracketed, canonicalHost, isLocalName } from './host.js'
import { isPublicSuffix } from './public-suffixes.js'

/** An entry that has been checked. */
export interface Domain {
  /** In canonical form; of a wildcard what follows `*.` */
  readonly host: string
  readonly wildcard: boolean
  /** Undefined: 443 for what is encrypted, and 80 for what is not. */
  readonly port: number | undefined
}

/** What a request asks for. */
export interface Target {
  /** In canonical form. */
  readonly host: string
  readonly port: number
  /** Whether it asks for a connection (CONNECT), and not for a resource by plain HTTP. */
  readonly tunnel: boolean
}

/** How many entries a list may have. */
export const maxDomains = 64

/** The longest name, its wildcard and its port. */
const maxEntryLength = 263

/**
 * Checks a list of what can be reached: names (`registry.example`), everything below a name (`*.example.org`), addresses
 * (`192.0.2.7`, `[2001:db8::7]`), each also with a port (`db.example:5432`).
 *
 * A wildcard is a way out for data, even where no connection comes about: whoever runs the name servers of example.org sees
 * each name below it that a command asks for, and a command can ask for `what-it-has-read.example.org`.
 *
 * @returns the entries in canonical form, without doubles
 * @throws {BashError} ERR_INVALID_INPUT
 */
export function checkDomains(field: string, value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw invalidInput(field, 'must be an array of names', value)
  if (value.length > maxDomains) {
    throw invalidInput(field, `must have at most ${maxDomains} entries`, value.length)
  }
  const entries = Array.from(value, (entry: unknown, i) => formatDomain(checkDomain(`${field}[${i}]`, entry)))
  return [...new Set(entries)]
}

/** @throws {BashError} ERR_INVALID_INPUT */
export function checkDomain(field: string, value: unknown): Domain {
  const refuse = (requirement: string) => invalidInput(field, requirement, value)
  if (typeof value !== 'string' || value === '' || value.length > maxEntryLength) {
    throw refuse(`must be a name such as registry.example, *.example.org or db.example:5432`)
  }
  if (/[/?#@\\]/.test(value)) throw refuse('must be a name or an address, with a port at most: no URL')
  if (isIP(value) === 6) throw refuse('must have brackets around an IPv6 address')
  const [, text = '', digits] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(value) ?? []
  const port = digits === undefined ? undefined : Number(digits)
  if (port !== undefined && (port < 1 || port > 65_535)) throw refuse('must have a port from 1 to 65535')
  const wildcard = text.startsWith('*.')
  const host = canonicalHost(toASCII(wildcard ? text.slice(2) : text))
  if (host === undefined) throw refuse(whyNoHost(text))
  const isAddress = isIP(host) !== 0
  if (wildcard && (isAddress || isLocalName(host) || isPublicSuffix(host))) {
    throw refuse('must not be a wildcard where names belong to different people: list the names')
  }
  if (isAddress && !isReachable(host)) throw refuse('must be the address of one machine')
  if (port === undefined && (isLocalName(host) || isLoopback(host))) {
    throw refuse('must have a port: services of this machine are let through one by one')
  }
  return { host, wildcard, port }
}

/** Of an entry that has been checked. */
export function formatDomain({ host, wildcard, port }: Domain): string {
  return `${wildcard ? '*.' : ''}${bracketed(host)}${port === undefined ? '' : `:${port}`}`
}

/** Whether an entry lets a request through, as far as names tell. */
export function admits({ host, wildcard, port }: Domain, target: Target): boolean {
  const isHost = wildcard ? target.host.endsWith(`.${host}`) : target.host === host
  return isHost && target.port === (port ?? usualPort(target))
}

/** Of an entry that names none. Without encryption a tunnel would hide what the proxy can see otherwise. */
export function usualPort({ tunnel }: Target): number {
  return tunnel ? 443 : 80
}

/** Names in other alphabets, as the domain name system has them. What is ASCII is not touched: `0x7f.1` would become an address. */
function toASCII(text: string): string {
  return /[^\0-\x7f]/.test(text) ? domainToASCII(text) : text
}

function whyNoHost(text: string): string {
  if (text.includes('*')) return 'must have no * but as its first label, as in *.example.org'
  if (/^[\d.]+$|^0x/i.test(text)) return 'must be an address of four decimal numbers, or a name'
  if (text.startsWith('[')) return 'must be an IPv6 address without a zone'
  return 'must be a name such as registry.example, *.example.org or db.example:5432'
}
