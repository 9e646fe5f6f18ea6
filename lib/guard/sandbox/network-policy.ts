// The network of a policy: which hosts commands reach, by the proxy.

import { checkObject, invalidInput } from '../../base/util/invalid-input.js'
import { part } from '../../base/util/load-part.js'
import type { FieldHint } from '../../base/util/unknown-field.js'
import type * as CommandNetwork from '../proxy/command-network.js'
import type * as Domains from '../proxy/domains.js'

/** Loaded with the first command that has hosts. */
export const commandNetwork = part((): typeof CommandNetwork => require('../proxy/command-network.js'))

/** Loaded with the first policy that lists some. */
export const domainRules = part((): typeof Domains => require('../proxy/domains.js'))

/**
 * @returns false where no host is listed
 * @throws {BashError} ERR_INVALID_INPUT
 */
export function checkNetwork(field: string, value: unknown): false | { domains: readonly string[] } {
  if (value === false) return false
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidInput(field, 'must be false, or { domains: […] } with the hosts that can be reached', value)
  }
  const { domains: given } = checkObject(field, value, ['domains'], domainsMeant)
  if (Array.isArray(given) && given.length === 0) return false
  return { domains: domainRules().checkDomains(`${field}.domains`, given) }
}

/** Whether a command with this network is given a variable with a directory for caches. */
export function isCacheVariable(network: false | object, name: string): boolean {
  return network !== false && Object.hasOwn(commandNetwork().cacheVariables('/'), name)
}

const domainsMeant: FieldHint = (word) =>
  ['allow', 'allowed', 'alloweddomains', 'allowedhosts', 'hosts'].includes(word) ? 'domains' : undefined
