// Running a command once more with what the sandbox had refused it, if a person grants that.

import { notify } from '../../base/util/listeners.js'
import type { RunResult } from '../../commands/run/build-result.js'
import type { Denial } from '../../guard/sandbox/denials.js'
import {
  type CheckedPolicy,
  checkPolicyChanges,
  domainsOf,
  policyKey,
  type SandboxPolicy,
} from '../../guard/sandbox/policy.js'
import type { Call, Plan } from '../call/call.js'
import { inSandbox } from '../call/plan-call.js'
import { ask } from './ask.js'
import type { Verdicts } from './options.js'

/** Some commands are refused one thing after the other. */
const maxRepeats = 4
/** Denials of one run that a person is asked about. With more, the command needs another policy. */
const maxQuestions = 4

/**
 * Asks about what the sandbox has refused a command that failed, and runs it again if all of that is granted.
 *
 * @param result of its first run
 * @param repeat runs it again
 */
export async function repeatWithGrants(
  call: Call,
  verdicts: Verdicts,
  { plan, result }: { plan: Plan; result: RunResult },
  repeat: (plan: Plan) => Promise<RunResult>,
): Promise<RunResult> {
  let last = result
  let policy = plan.options.policy
  const granted: Partial<SandboxPolicy>[] = []
  for (let count = 0; count < maxRepeats && policy !== undefined && hasOnlyFailed(last); count++) {
    const denials = grantable(last, policy)
    if (denials.length === 0 || denials.length > maxQuestions) break
    for (const denial of denials) {
      if (!(await isGranted(call, verdicts, plan, denial))) return last
      granted.push(denial.grant)
    }
    policy = denials.reduce((wider, { grant }) => extended(wider, grant), policy)
    notify(call.onEvent, { type: 'start', command: call.command, display: plan.display })
    plan.options.session?.onState(undefined)
    last = await repeat(inSandbox(plan, call.tool.modes.forPolicy(policy)))
    last.granted = granted
  }
  return last
}

/** What it has left running would run twice. */
function hasOnlyFailed({ status, signal, jobId, survivors }: RunResult): boolean {
  return status === 'failed' && signal === null && jobId === undefined && survivors.length === 0
}

type Grantable = Denial & Required<Pick<Denial, 'grant'>>

/** Those of which a grant changes the policy, each grant once. */
function grantable({ denials = [] }: RunResult, policy: CheckedPolicy): Grantable[] {
  const known = policyKey(policy)
  const found = new Map<string, Grantable>()
  for (const denial of denials) {
    const { grant } = denial
    if (grant === undefined) continue
    const key = policyKey(extended(policy, grant))
    if (key !== known && !found.has(key)) found.set(key, { ...denial, grant })
  }
  return [...found.values()]
}

async function isGranted(
  call: Call,
  { approve, onRemember }: Verdicts,
  { workingDir }: Plan,
  denial: Grantable,
): Promise<boolean> {
  if (approve === undefined) return false
  const { command } = call
  const { answer } = await ask(approve, call, { kind: 'grant', command, workingDir, denial })
  if (answer === 'always')
    notify((remembered) => onRemember?.(remembered, call.given), { grant: denial.grant })
  return answer === 'once' || answer === 'always'
}

/** The lists of a grant are added to those of the policy. */
function extended(policy: CheckedPolicy, grant: Partial<SandboxPolicy>): CheckedPolicy {
  const { writable = [], network = false, ...flags } = checkPolicyChanges('grant', grant)
  const domains = [...new Set([...domainsOf(policy), ...domainsOf({ network })])]
  return {
    ...policy,
    ...flags,
    // What cannot be read or is watched is never less for it.
    unreadable: policy.unreadable,
    protect: policy.protect,
    writable: [...new Set([...policy.writable, ...writable])],
    network: domains.length === 0 ? false : { domains },
  }
}
