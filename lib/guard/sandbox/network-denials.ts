// What the sandbox has refused of the network and of sockets: its name, its sentence, and what would allow it.

import { isIP } from 'node:net'
import type { SocketOperation } from './denial-operations.js'
import { escapeTarget } from './denial-targets.js'
import type { Confinement } from './denial-words.js'
import * as words from './denial-words.js'
import type { Denial } from './denials.js'

interface Named {
  denial: Denial
  sentence: string
}

/** Of what the broker and the proxy report: it is certain. */
export function reportedSocket(operation: SocketOperation, target: string, run: Confinement): Named {
  const { plan } = run
  const named = (sentence: string, grant?: Denial['grant']): Named => ({
    denial: { operation, target: escapeTarget(target), ...(grant && { grant }) },
    sentence,
  })
  if (operation === 'network') {
    const address = addressIn(target)
    if (address === undefined) return named(words.onlyHosts(run), grantOfHost(target, run))
    return named(words.onlyAddresses(run), grantOfAddress(address, target))
  }
  if (isUnix(operation, target)) {
    const isAbstract = target.startsWith('unix:@')
    if (!plan.unixSockets) return named(words.noSockets(run), isAbstract ? undefined : { unixSockets: true })
    if (operation !== 'bind') return named(words.ownSockets)
    return named(isAbstract ? words.noAbstractSockets(run) : words.onlyBelow('making sockets', run))
  }
  if (operation === 'socket' && target !== 'tcp') return named(words.noSocketOf(target, run))
  if (operation === 'connect' && !isOfThisMachine(target)) return named(words.noNetwork(run))
  if (!plan.loopback) return named(words.noServers(run), { loopback: true })
  return named(operation === 'bind' ? words.notToBind : words.ownServers)
}

const isUnix = (operation: SocketOperation, target: string): boolean =>
  operation === 'socket' ? target.startsWith('unix') : target.startsWith('unix:')

/** @param target an address with a port, or a host with or without one */
export function isOfThisMachine(target: string): boolean {
  return /^(?:127\.|0\.0\.0\.0(?::|$)|\[(?:::1|::|::ffff:(?:127\.|0\.0\.0\.0|7f))|(?:::1|::)$|localhost(?::|$))/i.test(
    target,
  )
}

/** A name that others can resolve. */
const host =
  /^((?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.){1,32}[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?)\.?(?::(\d{1,5}))?$/i

const usualPorts: readonly (string | undefined)[] = ['443', '80', undefined]

/** @returns undefined where a policy may have no network, and for what cannot be listed, or is */
export function grantOfHost(target: string, { sandbox, domains = [] }: Confinement): Denial['grant'] {
  const [, name, port] = host.exec(target) ?? []
  if (name === undefined || name.length > 253 || sandbox === 'restricted') return undefined
  const entry = usualPorts.includes(port) ? name.toLowerCase() : `${name.toLowerCase()}:${port}`
  return domains.includes(entry) ? undefined : { network: { domains: [entry] } }
}

function addressIn(target: string): string | undefined {
  const address = target.replace(/:\d{1,5}$/, '')
  return isIP(address.replace(/^\[|\]$/g, '')) === 0 ? undefined : address
}

/** What nobody means to list: this machine, and the services that a cloud has for it. */
const special = /^(?:127|169\.254|0)\.|^168\.63\.129\.16$|^\[(?:::|fe80:)/i

/** Private ones may be listed. A name that leads there, and is listed, may then be reached. */
function grantOfAddress(address: string, target: string): Denial['grant'] {
  if (special.test(address)) return undefined
  const entry = usualPorts.includes(/(?<=:)\d{1,5}$/.exec(target)?.[0]) ? address : target
  return { network: { domains: [entry] } }
}

/** Whether a line is what programs show of the proxy's answer. */
export function isOfProxy(line: string): boolean {
  return /: \S{1,255}:\d{1,5} is not allowed|CONNECT tunnel failed, response 403/.test(line)
}

/**
 * What programs ask for by themselves and can do without: name services, logs, and the sockets with which they find out
 * about addresses.
 */
const unasked =
  /^unix:(?:\/var)?\/run\/(?:nscd|systemd|dbus|avahi-daemon)\/|^unix:\/dev\/(?:log|xconsole)|^(?:udp|netlink)/

/** Whether a refusal is worth telling of a command that has succeeded, or says nothing of it. */
export function isUnasked({ operation, target }: Denial): boolean {
  return (operation === 'connect' || operation === 'socket') && unasked.test(target)
}

/** Whether an output speaks of a target. */
export function isNamedIn(output: string, { operation, target }: Denial): boolean {
  if (operation === 'network' || operation === 'connect' || operation === 'bind') {
    return output.includes(target.replace(/^unix:|:\d{1,5}$/g, '').replace(/^\[|\]$/g, ''))
  }
  // A refused socket has no name in any output.
  if (operation === 'socket') return /not permitted|\bEPERM\b/i.test(output)
  return target !== '' && output.includes(target.slice(target.lastIndexOf('/') + 1))
}

/** Whether two denials are about one host, whose port not every line has. */
export function isSameHost(one: Denial, other: Denial): boolean {
  return one.operation === 'network' && other.operation === 'network' && hostOf(one) === hostOf(other)
}

const hostOf = ({ target }: Denial): string => target.replace(/:\d{1,5}$/, '').toLowerCase()
