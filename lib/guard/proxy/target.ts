// What a request to the proxy asks for, read strictly: what could be read in two ways is refused.

import type { Target } from './domains.js'
import { canonicalHost } from './host.js'

/** The target of `CONNECT host:port`. @returns undefined for anything else */
export function parseAuthority(text: string): Target | undefined {
  const [, name = '', digits = ''] = authority.exec(text) ?? []
  if (digits === '') return undefined
  return targetOf(name, Number(digits), true)
}

/**
 * The target of `GET http://host/path`, and the path to ask that host for.
 *
 * @returns undefined for anything else: another scheme, a path alone, a user, a fragment
 */
export function parseAbsolute(url: string): { target: Target; path: string } | undefined {
  const [, where = '', rest = ''] = absolute.exec(url) ?? []
  const [, name = '', digits] = authority.exec(where) ?? []
  const target = targetOf(name, digits === undefined ? 80 : Number(digits), false)
  return target && { target, path: rest.startsWith('/') ? rest : `/${rest}` }
}

/** Characters of a name that canonicalHost() refuses do not matter here; the colon of a port is outside of brackets. */
const authority = /^(\[[^[\]@]*\]|[^:[\]@]+)(?::(\d{1,5}))?$/

/** Visible ASCII without the backslash, which some take for a slash. */
const absolute = /^http:\/\/([!-"$-.0->@-[\]-~]+)((?:[/?][!-"$-[\]-~]*)?)$/i

function targetOf(name: string, port: number, tunnel: boolean): Target | undefined {
  const host = canonicalHost(name)
  return host === undefined || port < 1 || port > 65_535 ? undefined : { host, port, tunnel }
}
