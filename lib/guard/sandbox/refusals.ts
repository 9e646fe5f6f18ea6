// What a result tells of what the sandbox refused.

import { part } from '../../base/util/load-part.js'
import type { ConfinedRun } from './denial-scope.js'
import { mayBeSilent, searchedIn, suspicious } from './denial-signs.js'
import type { DenialFields } from './findings.js'
import type * as NameDenials from './name-denials.js'

// Loaded when there is something to be named: most commands are refused nothing.
const names = part((): typeof NameDenials => require('./name-denials.js'))

/** The fields of a result that tell what the sandbox refused. */
export function denialFields(run: ConfinedRun): DenialFields {
  const { report, output, exitCode, command } = run
  const isReported = report !== undefined && (report.denials.length > 0 || report.denialsDropped > 0)
  if (!isReported && !suspicious.test(searchedIn(output, exitCode)) && !mayBeSilent(command)) return {}
  let naming: typeof NameDenials
  try {
    naming = names()
  } catch {
    // A result is not lost for want of a descriptor to load this with.
    return {}
  }
  return naming.nameDenials(run)
}
