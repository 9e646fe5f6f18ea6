// The policy of commands for which an agent or a model may name a directory: it is the same wherever each runs.

import { resolve } from 'node:path'
import type { SandboxMode, SandboxPolicy } from '../../guard/sandbox/policy.js'

type Given = SandboxMode | SandboxPolicy | undefined

/**
 * With paths that do not depend on where a command runs: that is for each call to say, and would take what is writable
 * with it.
 */
export function policiesFrom(
  cwd: string,
  sandbox: Given,
  workspace: Partial<SandboxPolicy> | undefined,
): { sandbox: Given; workspace: Partial<SandboxPolicy> | undefined } {
  const isPolicy = typeof sandbox === 'object' && sandbox !== null
  if (isPolicy) return { sandbox: fixed(cwd, sandbox), workspace }
  return {
    sandbox,
    workspace: sandbox === 'workspace' ? fixed(cwd, { writable: ['.'], ...workspace }) : workspace,
  }
}

function fixed(cwd: string, policy: SandboxPolicy): SandboxPolicy {
  const { writable, unreadable } = policy
  return { ...policy, writable: absolute(cwd, writable), unreadable: absolute(cwd, unreadable) }
}

/** What is no path is refused with the policy. */
function absolute<List>(cwd: string, list: List): List {
  if (!Array.isArray(list)) return list
  const isKept = (path: unknown) =>
    typeof path !== 'string' || path === '' || path === 'default' || /^~(?:\/|$)/.test(path)
  return list.map((path) => (isKept(path) ? path : resolve(cwd, path))) as List
}
