// Policies: a worker has one, and a request may only ask for a stricter one.

import { BashError } from '../../errors.js'
import type { SandboxMode, SandboxPolicy } from '../../sandbox/policy.js'

/** The strictest last. */
const order = ['unrestricted', 'workspace', 'restricted'] as const satisfies readonly SandboxMode[]
const names = { unrestricted: 'Unrestricted', workspace: 'Workspace', restricted: 'Restricted' } as const

/** @throws {BashError} ERR_INVALID_INPUT when the request asks for less protection, or for what cannot be compared */
export function strictest(
  own: SandboxMode,
  asked: SandboxMode | SandboxPolicy | undefined,
): SandboxMode | SandboxPolicy {
  if (asked === undefined) return own
  // Whatever a policy allows, it is less than everything.
  if (typeof asked !== 'string') {
    if (own === 'unrestricted') return asked
  } else if (order.indexOf(asked) >= order.indexOf(own)) return asked
  const what = typeof asked === 'string' ? `'${asked}'` : 'a policy of its own'
  const message = `context.sandbox: this worker runs commands in ${names[own]} mode, and a call may only be stricter (got ${what})`
  throw new BashError('ERR_INVALID_INPUT', message)
}
