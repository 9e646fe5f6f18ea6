// What the model reads of what the sandbox has refused, and of what it has found.

import type { BashResult } from '../commands/run/result.js'
import type { Denial } from '../guard/sandbox/denials.js'
import type { SandboxPolicy } from '../guard/sandbox/policy.js'
import { oneLine } from '../processes/output/simplify-command.js'

type Noted = Partial<
  Pick<
    BashResult,
    | 'sandbox'
    | 'denied'
    | 'denials'
    | 'denialsDropped'
    | 'protectedChanged'
    | 'protectedDropped'
    | 'readConfined'
    | 'granted'
  >
>

const shownDenials = 3
const shownChanges = 5
/** Characters of a path. */
const shownLength = 200

/** A line for each. */
export function sandboxNotes(result: Noted): string[] {
  const { denied, protectedChanged = [], protectedDropped = 0, granted = [] } = result
  const notes: string[] = []
  if (denied !== undefined) notes.push(denialNote(result))
  if (protectedChanged.length > 0) notes.push(changes(protectedChanged, protectedDropped))
  if (granted.length > 0)
    notes.push(`a person has granted it ${grantList(granted)}, and the command ran again`)
  return notes.map((note) => `[sandbox: ${note}]`)
}

/** The sentence about what was refused, and what that was. */
export function denialNote(result: Noted): string {
  const why = result.readConfined
    ? '; the command ran confined, because it was taken for one that only reads'
    : ''
  return `${result.denied}${targets(result)}${why}`
}

/** Each as the policy has it: `writable /srv/data`. */
function grantList(granted: readonly Partial<SandboxPolicy>[]): string {
  const fields = granted.flatMap((grant) => Object.entries(grant))
  return fields
    .map(([name, value]) => oneLine(value === true ? name : `${name} ${valuesOf(value)}`))
    .join(', ')
}

const valuesOf = (value: unknown): string =>
  (Array.isArray(value) ? value : ((value as { domains?: unknown[] }).domains ?? [])).join(' ')

/** Where the mode has one answer to everything, the sentence says enough. */
function targets({ sandbox, denied = '', denials = [], denialsDropped = 0 }: Noted): string {
  const named = denials.filter(({ target }) => target !== '' && !denied.includes(cut(target)))
  if (sandbox === 'restricted' || named.length === 0) return ''
  const shown = named.slice(0, shownDenials).map(describe)
  const more = named.length - shown.length + denialsDropped
  return `; refused: ${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}`
}

function describe({ operation, target }: Denial): string {
  return `${operation} ${cut(target)}`
}

/** Of what may have changed it says something only beside what has: it can be so in each call of a large workspace. */
function changes(paths: readonly string[], dropped: number): string {
  const shown = paths.slice(0, shownChanges).map((path) => cut(oneLine(path)))
  const more = paths.length - shown.length
  const list = `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  const unknown = dropped > 0 ? `, and perhaps ${dropped} more watched path${dropped === 1 ? '' : 's'}` : ''
  return `this command changed ${list}${unknown}: other programs may run what is in there`
}

function cut(text: string): string {
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text
}
