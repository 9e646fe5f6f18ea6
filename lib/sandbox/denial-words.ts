// The sentences about what a policy refuses. Those of Restricted mode are in denial-patterns.ts.

import type { ConfinementPlan } from '../engine/engine.js'
import { acts, type FileOperation, type SocketOperation, socketActs } from './denial-operations.js'
import { type Cause, causes } from './denial-patterns.js'
import { escapeTarget } from './denial-targets.js'

/** What confines a command: how it is called, and what it comes to. */
export interface Confinement {
  /** Other names are those of policies of the caller's own. */
  sandbox: string
  plan: ConfinementPlan
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
export function writablePlaces({ writable, scratchDirectory }: WritablePlan): string {
  const shown = writable.slice(0, shownRoots).map((root) => escapeTarget(root))
  const more = writable.length - shown.length
  if (more > 0) shown.push(more === 1 ? 'one more directory' : `${more} more directories`)
  if (scratchDirectory !== '') shown.push('$TMPDIR')
  const last = shown.pop() ?? ''
  return shown.length === 0 ? last : `${shown.join(', ')} and ${last}`
}

type WritablePlan = Pick<ConfinementPlan, 'writable' | 'scratchDirectory'>

/** `writing is allowed below /ws and $TMPDIR only` */
export function onlyBelow(act: string, confinement: Confinement): string {
  const places = writablePlaces(confinement.plan)
  return places === '' ? `${act} is blocked ${where(confinement)}` : `${act} is allowed below ${places} only`
}

export function notReadable(target: string, confinement: Confinement): string {
  const shown = target.length > shownLength ? `${target.slice(0, shownLength)}…` : target
  return `${shown} is not readable ${where(confinement)}`
}

export function socketRefused(operation: SocketOperation, target: string, confinement: Confinement): string {
  return `${socketActs[operation]} ${target} is blocked ${where(confinement)}`
}

const said = 'in Restricted mode'

/** What is said of a cause. In Restricted mode it is what that says. */
export function sentenceOf(cause: Cause, confinement: Confinement): string {
  const { sandbox, plan } = confinement
  if (sandbox === 'restricted') return causes[cause]
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
