// The network of one command that has domains: the one thing of this room that the host uses, and all of it that loads
// with the first such command.

import { formatGrant, makeToken, proxyUser } from './grant.js'
import { startProxy } from './start.js'
import { proxyVariables } from './variables.js'

export { checkDomains } from './domains.js'
export { cacheVariables } from './variables.js'

export interface CommandNetwork {
  /** For the supervisor of the command, as in `ConfinementPlan.proxy`. */
  readonly proxy: { readonly port: number; readonly controlPort: number; readonly grant: string }
  /** Variables for the command. They hold the token. */
  readonly variables: Readonly<Record<string, string>>
  /** Texts to be withheld from output: the token, and what tools make of it when they show the headers they send. */
  readonly secrets: readonly string[]
}

/**
 * Starts the proxy of this host, if it does not run, and makes a token for one command.
 *
 * @param domains checked, in canonical form
 * @throws {BashError} ERR_SANDBOX_UNAVAILABLE where there can be no proxy; ERR_SPAWN when it could not be started
 */
export async function openNetwork(domains: readonly string[]): Promise<CommandNetwork> {
  const { port, controlPort, secret } = await startProxy()
  const token = makeToken()
  return {
    proxy: { port, controlPort, grant: formatGrant(secret, token, domains) },
    variables: proxyVariables(port, token, domains),
    secrets: [token, Buffer.from(`${proxyUser}:${token}`).toString('base64')],
  }
}
