// The sentences about what a policy refuses. Those of Restricted mode are in denial-patterns.ts.

import type { ConfinementPlan } from '../../processes/engine/request.js'
import { acts, type FileOperation } from './denial-operations.js'
import { type Cause, causes } from './denial-patterns.js'
import { escapeTarget } from './denial-targets.js'

/** What confines a command: how it is called, and what it comes to. */
export interface Confinement {
  /** Other names are those of policies of the caller's own. */
  sandbox: string
  plan: ConfinementPlan
  /** The hosts that its policy lists. Default: none. */
  domains?: readonly string[] | undefined
}

const shownRoots = 3
/** Characters of a path in a sentence. */
const shownLength = 200

/** `in Workspace mode` */
function where({ sandbox }: Confinement): string {
  if (sandbox === 'restricted') return 'in Restricted mode'
  return sandbox === 'workspace' ? 'in Workspace mode' : "under this command's sandbox policy"
}

/** `/ws, /srv/cache and $TMPDIR`; empty when nothing can be written. */
export function writablePlaces({ writable, cacheDirectory, scratchDirectory }: WritablePlan): string {
  const listed = writable.filter((root) => root !== cacheDirectory)
  const shown = listed.slice(0, shownRoots).map((root) => escapeTarget(root))
  const more = listed.length - shown.length
  if (more > 0) shown.push(more === 1 ? 'one more directory' : `${more} more directories`)
  if (scratchDirectory !== '') shown.push('$TMPDIR')
  const last = shown.pop() ?? ''
  return shown.length === 0 ? last : `${shown.join(', ')} and ${last}`
}

type WritablePlan = Pick<ConfinementPlan, 'writable' | 'cacheDirectory' | 'scratchDirectory'>

/** `writing is allowed below /ws and $TMPDIR only` */
export function onlyBelow(act: string, confinement: Confinement): string {
  const places = writablePlaces(confinement.plan)
  return places === '' ? `${act} is blocked ${where(confinement)}` : `${act} is allowed below ${places} only`
}

export function notReadable(target: string, confinement: Confinement): string {
  const shown = target.length > shownLength ? `${target.slice(0, shownLength)}…` : target
  return `${shown} is not readable ${where(confinement)}`
}

const shownHosts = 5

/** Of hosts that the policy does not list. */
export function onlyHosts({ domains = [] }: Confinement): string {
  const shown = domains.slice(0, shownHosts)
  if (shown.length < domains.length) shown.push(`${domains.length - shown.length} more`)
  return `only ${shown.join(', ')} can be reached, by the proxy in $HTTPS_PROXY`
}

/** Of an address that is not listed, or that a listed name leads to. */
export function onlyAddresses(confinement: Confinement): string {
  return `${onlyHosts(confinement)}, and addresses that are private or reserved only if they are listed themselves`
}

export function noNetwork(confinement: Confinement): string {
  const { domains = [], plan } = confinement
  if (domains.length > 0) return onlyHosts(confinement)
  const exception = plan.loopback ? ", except for the command's own servers on localhost" : ''
  return `network is blocked ${where(confinement)}${exception}`
}

export const ownServers =
  'of the servers on this machine, only those that the command itself has started can be reached'

export const notToBind = 'servers can listen on free ports of localhost from 1024 on'

export function noServers(confinement: Confinement): string {
  return `TCP on localhost is blocked ${where(confinement)}`
}

export const ownSockets =
  'of local sockets, only those that the command itself has made below writable directories can be reached'

export function noAbstractSockets(confinement: Confinement): string {
  return `local sockets without a path are blocked ${where(confinement)}`
}

export function noSockets(confinement: Confinement): string {
  return `local sockets are blocked ${where(confinement)}`
}

export function noSocketOf(kind: string, confinement: Confinement): string {
  return `sockets of this kind (${kind}) are blocked ${where(confinement)}`
}

const said = 'in Restricted mode'

/** What is said of a cause. In Restricted mode it is what that says. */
export function sentenceOf(cause: Cause, confinement: Confinement): string {
  const { sandbox, plan } = confinement
  if (sandbox === 'restricted') return causes[cause]
  if (cause === 'network') return noNetwork(confinement)
  if (cause === 'sockets' && plan.unixSockets) return ownSockets
  if (cause === 'sharedMemory') return `shared memory (/dev/shm) is blocked ${where(confinement)}`
  if (plan.writable.length > 0) {
    if (cause === 'files') return onlyBelow('writing', confinement)
    if (cause === 'attributes') return onlyBelow('changing modes, owners, times and attributes', confinement)
  }
  return causes[cause].replace(said, where(confinement))
}

/** Of a writable directory itself only the times can be set; and what was moved or mounted there meanwhile is not its own. */
export function refusedBelow(operation: FileOperation, isRoot: boolean): string {
  return isRoot
    ? 'the mode, owner and attributes of a writable directory itself cannot be changed'
    : `${acts[operation]} is allowed only below writable directories as they were when the command began`
}

export const noSetId = 'set-user-id and set-group-id bits are not allowed'

export function noFlags(confinement: Confinement): string {
  return `flags of files (chattr) cannot be changed ${where(confinement)}`
}

export function noLink({ plan }: Confinement): string {
  return `hard links can be made only to files below ${writablePlaces(plan)}; copy the file instead`
}
