// Commands of git that discard work: somebody may have meant that, so they ask. A tool looks whether there is anything to
// lose before it asks.

import { readGit } from '../../safety/option-words.js'
import { type CheckedCommand, unknownText } from '../../safety/rule.js'
import { describe } from '../../safety/rules/describe.js'
import { show } from '../show.js'
import type { Discard } from './discard.js'
import { fileForms } from './discard-files.js'
import type { DiscardForm } from './discard-form.js'
import { referenceForms } from './discard-references.js'
import { GitWords, isCertain } from './git-words.js'

const forms: ReadonlyMap<string, DiscardForm> = new Map([...fileForms, ...referenceForms])

/** Characters of the command that a message shows. */
const maxShown = 81

export interface Discarding {
  /** A sentence: the command, and what it does. */
  message: string
  discard: Discard
}

/** @returns undefined: it discards nothing */
export function findDiscard(command: CheckedCommand): Discarding | undefined {
  const git = readGit(command.program, command.words)
  if (git === undefined) return undefined
  const form = forms.get(git.subcommand.text)
  const isKnown = isCertain(git.subcommand)
  if (form === undefined && isKnown) return undefined
  const words = new GitWords(git.words, form?.options)
  const danger = form?.read(words)
  if (danger === null) return undefined
  const shown = show(describe(command.words).slice(1, -1), maxShown)
  if (danger === undefined) {
    if (isKnown && !words.mayHaveMore) return undefined
    const message = `${shown} may discard what nothing brings back: a word of it is not known.`
    return { message, discard: unknownDiscard }
  }
  // Another repository, or another configuration of it. In a script of another program, such as `bash -c`, so may be anything.
  const isElsewhere =
    command.script === undefined || git.options.some(({ name }) => !harmlessOptions.has(name))
  const directories = git.options.flatMap(({ name, value }) => (name === 'C' ? [value ?? ''] : []))
  const directory = isElsewhere ? undefined : directoryOf(command.workingDir, directories)
  const { does, atRisk, isInert = false } = danger
  return { message: `${shown} ${does}.`, discard: { directory, atRisk, isInert } }
}

export const unknownDiscard: Discard = { directory: undefined, atRisk: undefined, isInert: false }

const harmlessOptions = new Set(['C', 'P', 'no-pager', 'paginate', 'p', 'no-optional-locks'])

/** @param paths of `-C`: each begins in the one before */
function directoryOf(workingDir: string | null, paths: readonly string[]): string | undefined {
  let directory = workingDir ?? undefined
  for (const path of paths) {
    if (path.includes(unknownText)) return undefined
    if (path.startsWith('/')) directory = path
    else if (path !== '') directory = directory && `${directory}/${path}`
  }
  return directory?.includes(unknownText) ? undefined : directory
}
