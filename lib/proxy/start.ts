// Starts the proxy of this host: a process of its own, which the host keeps by a pipe and each command by a connection.

import { BashError } from '../errors.js'

export interface Proxy {
  /** On 127.0.0.1, for commands. */
  readonly port: number
  /** On 127.0.0.1, for their supervisors. */
  readonly controlPort: number
  /** Whoever has it can give commands domains. */
  readonly secret: string
}

export async function startProxy(): Promise<Proxy> {
  throw new BashError('ERR_SANDBOX_UNAVAILABLE', 'there is no proxy yet')
}
