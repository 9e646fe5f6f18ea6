// The policy of a SandboxSession: of its commands, wherever each runs, and of its own methods.

import { resolve } from 'node:path'
import { type RunOptions, resolveOptions } from '../run/options.js'
import { policyPaths } from '../run/request.js'
import type { SandboxMode, SandboxPolicy } from '../sandbox/policy.js'
import { FileAccess } from './file-access.js'

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

/** @returns undefined where commands have no policy with paths */
export function accessFor(
  cwd: string,
  sandbox: Given,
  { env, shellPath, workspace }: Pick<RunOptions, 'env' | 'shellPath' | 'workspace'>,
): FileAccess | undefined {
  // What is no mode is refused with the context.
  if (sandbox !== 'workspace' && (typeof sandbox !== 'object' || sandbox === null)) return undefined
  const changes = sandbox === 'workspace' ? { workspace } : {}
  const options = resolveOptions({ cwd, sandbox, env, shellPath, ...changes })
  return new FileAccess(() => policyPaths(options))
}
