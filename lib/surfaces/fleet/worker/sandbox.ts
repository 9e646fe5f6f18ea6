// Policies: a worker has one, and a request may only ask for less. What it asks for is compared field by field: Restricted mode
// by itself says nothing of paths that cannot be read, so it would be more than a worker in Workspace mode allows.

import { BashError } from '../../../base/errors.js'
import {
  type CheckedPolicy,
  checkPolicyChanges,
  checkSandbox,
  domainsOf,
  policyKey,
  type SandboxMode,
  type SandboxPolicy,
  sandboxOfMode,
} from '../../../guard/sandbox/policy.js'
import type { FleetWorkerOptions } from './options.js'

/** Where a call runs. */
export interface CallPlace {
  /** Of its conversation. */
  directory: string
  /** Where it runs, or its session began: relative paths begin there. */
  base: string
}

const names = { unrestricted: 'Unrestricted', workspace: 'Workspace', restricted: 'Restricted' } as const
const flags = ['loopback', 'unixSockets', 'sharedMemory'] as const satisfies readonly (keyof CheckedPolicy)[]

/**
 * What a call runs with: everything that either of both forbids is forbidden.
 *
 * @throws {BashError} ERR_INVALID_INPUT when the request asks for what the worker does not allow
 */
export function strictest(
  { sandbox, workspace }: Pick<FleetWorkerOptions, 'sandbox' | 'workspace'>,
  asked: SandboxMode | SandboxPolicy | undefined,
  place: CallPlace,
): SandboxMode | SandboxPolicy {
  if (asked === undefined || asked === sandbox) return sandbox
  // Whatever a policy allows, it is less than everything.
  if (sandbox === 'unrestricted') return asked
  const own = policyOf(sandbox, workspace)
  const wanted = policyOf(asked)
  if (own === undefined || wanted === undefined) throw tooMuch(sandbox, 'sandbox', 'unrestricted')
  for (const flag of flags) if (wanted[flag] && !own[flag]) throw tooMuch(sandbox, `sandbox.${flag}`, true)
  const writable = wanted.writable.map((path) => {
    const directory = writableIn(own, path, place)
    if (directory === undefined) throw tooMuch(sandbox, 'sandbox.writable', path)
    return directory
  })
  const domain = domainsOf(wanted).find((each) => !domainsOf(own).includes(each))
  if (domain !== undefined) throw tooMuch(sandbox, 'sandbox.network', domain)
  const unreadable = union(own.unreadable, wanted.unreadable)
  const hostCode = own.hostCode === 'refuse' ? own.hostCode : wanted.hostCode
  const policy = { ...wanted, writable, unreadable, protect: union(own.protect, wanted.protect), hostCode }
  return isRestricted(policy) ? 'restricted' : policy
}

/** Its name says the same, and models know it. What is watched in no writable directory says nothing. */
function isRestricted(policy: CheckedPolicy): boolean {
  const { policy: restricted } = sandboxOfMode('restricted')
  return restricted !== undefined && policyKey({ ...policy, protect: [] }) === policyKey(restricted)
}

function policyOf(
  sandbox: SandboxMode | SandboxPolicy,
  changes: Partial<SandboxPolicy> = {},
): CheckedPolicy | undefined {
  const checked = checkSandbox('context.sandbox', sandbox)
  if (typeof checked !== 'string') return checked
  return sandboxOfMode(checked, checkPolicyChanges('workspace', changes)).policy
}

/**
 * One of the worker's directories as the worker names it, or that of the conversation. Nothing within one: a command could
 * put a link there. For the same reason `.` is none where a call runs further down.
 */
function writableIn(own: CheckedPolicy, path: string, { directory, base }: CallPlace): string | undefined {
  if (own.writable.length === 0) return undefined
  if (path === directory || (path === '.' && base === directory)) return directory
  return own.writable.includes(path) && path.startsWith('/') ? path : undefined
}

const union = (one: readonly string[], other: readonly string[]): readonly string[] => [
  ...new Set([...one, ...other]),
]

function tooMuch(own: SandboxMode, field: string, value: unknown): BashError {
  const message = `context.${field}: this worker runs commands in ${names[own]} mode, and a call may only be stricter (got ${JSON.stringify(value)})`
  return new BashError('ERR_INVALID_INPUT', message)
}
