// Whether a command may run in a sandbox here: never with less than was asked for.

import { BashError } from '../../base/errors.js'
import { currentEngine } from '../../processes/engine/choose.js'
import { isBrokered } from './policy.js'
import { probeRestricted, probeWorkspace, type RestrictedReport } from './probe.js'
import type { Protection } from './protections.js'
import { publishSandboxEvent } from './sandbox-events.js'
import { sandboxSupport } from './support.js'

/**
 * @throws {BashError} ERR_SANDBOX_UNAVAILABLE when the kernel lacks Restricted mode, or a protection that is required; and
 *   for a policy that needs a broker, when it lacks Workspace mode
 */
export async function requireSandbox(
  required: readonly Protection[],
  policy: Parameters<typeof isBrokered>[0],
): Promise<void> {
  const report = await probeRestricted()
  const mode = isBrokered(policy) ? 'Workspace' : 'Restricted'
  if (!report.available) {
    warnOnce(report.reason ?? '')
    throw new BashError('ERR_SANDBOX_UNAVAILABLE', explain(mode, report, report.reason))
  }
  if (mode === 'Workspace') {
    const { available, reason } = await probeWorkspace()
    if (!available) throw new BashError('ERR_SANDBOX_UNAVAILABLE', explain(mode, report, reason))
  }
  const missing = report.protections.filter(({ name, enforced }) => required.includes(name) && !enforced)
  if (missing.length === 0) return
  const list = missing.map(({ name, reason }) => `${name} (${reason})`).join(', ')
  throw new BashError('ERR_SANDBOX_UNAVAILABLE', `this call requires what the kernel does not have: ${list}`)
}

function explain(mode: string, { platform, kernel }: RestrictedReport, reason?: string): string {
  const system = platform === 'linux' ? `Linux ${kernel}` : platform
  return `${mode} mode is not available on ${system}: ${reason}`
}

let isWarned = false

function warnOnce(reason: string): void {
  if (isWarned) return
  isWarned = true
  const message = `Restricted mode is not available: ${reason}. Commands can run in Unrestricted mode only.`
  publishSandboxEvent({ type: 'unavailable', reason })
  // The channel is one of this thread; the warnings of all threads go to the same people.
  if (isFirstOfProcess())
    process.emitWarning(message, { type: 'BashwardWarning', code: 'BASHWARD_NO_SANDBOX' })
}

function isFirstOfProcess(): boolean {
  try {
    return currentEngine().claimSandboxWarning()
  } catch {
    return true
  }
}

/**
 * Says once for each process that Restricted mode is not available: for a host that starts, before anybody asks for it.
 * Where the engine cannot be loaded nothing runs at all, and the first command says why.
 * Source: REQ-BASH-009 (docs/requirements.md).
 */
export function warnWithoutSandbox(): void {
  const { state, refusal } = sandboxSupport()
  if (refusal !== undefined && state !== 'unknown') warnOnce(refusal)
}
