// Hosts in the one form in which they are compared: what a tool may write in several ways must not pass as another host.

import { isIPv4, isIPv6 } from 'node:net'

/** Of a whole name, by RFC 1035. */
const maxNameLength = 253

/**
 * Underscores are not for hosts, but servers have such names. Everything else (`%`, `@`, `\`, control characters, letters
 * that are not ASCII) is in no name.
 */
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

/**
 * What the C library takes for a number: `getaddrinfo` reads `127.1`, `0x7f000001` and `2130706433` as 127.0.0.1, so what
 * ends like one is an address in four decimal parts, or nothing.
 */
const number = /^(?:\d+|0x[0-9a-f]*)$/

/**
 * @param text as it stands in a URL: an IPv6 address in brackets
 * @returns a name in small letters and without the dot at its end, or an address, without brackets; undefined when it is
 *   neither
 */
export function canonicalHost(text: string): string | undefined {
  if (text.startsWith('[')) return text.endsWith(']') ? canonicalIPv6(text.slice(1, -1)) : undefined
  if (isIPv4(text)) return text
  const name = text.toLowerCase().replace(/\.$/, '')
  const labels = name.split('.')
  if (name.length > maxNameLength || !labels.every((part) => label.test(part))) return undefined
  return number.test(labels.at(-1) ?? '') ? undefined : name
}

/** One text for each address; undefined with a zone, which is about an interface of this machine. */
export function canonicalIPv6(text: string): string | undefined {
  if (!isIPv6(text) || text.includes('%')) return undefined
  return new URL(`http://[${text}]`).hostname.slice(1, -1)
}

/** As it stands before a port. @param host in canonical form */
export function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

/** Names that every system gives to itself, whatever a name server says. @param host in canonical form */
export function isLocalName(host: string): boolean {
  return localNames.has(host) || host.endsWith('.localhost')
}

const localNames = new Set(['localhost', 'localhost.localdomain', 'ip6-localhost', 'ip6-loopback'])
