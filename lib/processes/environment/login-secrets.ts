// Secrets that start-up files have set, remembered for output that is read later: the file of a job has it as it came, and
// nothing in this process's own environment tells of them.

import type { Withheld } from './filter.js'

/** More than that nobody sets, but an environment could be another one for each directory. */
const most = 1000

let known: readonly Withheld[] = []
let joined:
  | { own: readonly Withheld[] | undefined; known: readonly Withheld[]; all: readonly Withheld[] }
  | undefined

export function rememberWithheld(withheld: readonly Withheld[]): void {
  const isKnown = ([name, value]: Withheld) => known.some((each) => each[0] === name && each[1] === value)
  const added = withheld.filter((each) => !isKnown(each))
  if (added.length > 0) known = [...added, ...known].slice(0, most)
}

/** Those as well. The same list for the same ones: what is made of it is kept by the list. */
export function withheldByAny(own: readonly Withheld[] | undefined): readonly Withheld[] | undefined {
  if (known.length === 0) return own
  if (joined?.own !== own || joined?.known !== known) joined = { own, known, all: [...(own ?? []), ...known] }
  return joined.all
}
