// Tells a person what a command of git would discard, before the question whether it may run.

import type { Judgement, Reason } from '../../guard/verdicts/judgement.js'
import { type AtRisk, type DiscardNote, discardOf, hasDiscards } from '../../guard/verdicts/rules/discard.js'
import { show } from '../../guard/verdicts/show.js'
import { type LookPlace, type Loss, look, maxCommits, maxNames } from './look.js'

/** Directories that are looked at, and risks in each. What is beyond counts as something. */
const maxDirectories = 3
const maxRisks = 16

/** What a look has found for one reason. */
interface Seen {
  losses: readonly Loss[]
  /** Whether that is all. */
  isWhole: boolean
}

/**
 * Looks whether there is anything to lose where `git-discard` asks, and says so in its reason. Where there is nothing, the
 * reason is the one that there would be without that rule, if there is one.
 *
 * What cannot be found out counts as something: no sandbox, no answer within the time, words that are not known.
 *
 * @param place undefined: there can be no look
 * @returns the judgement, with the same decision. Never rejects.
 */
export async function tellLosses(judgement: Judgement, place: LookPlace | undefined): Promise<Judgement> {
  if (judgement.decision !== 'ask' || !hasDiscards(judgement)) return judgement
  const notes = new Map<Reason, DiscardNote>()
  for (const reason of judgement.reasons) {
    const note = discardOf(reason)
    if (note !== undefined) notes.set(reason, note)
  }
  const seen = await lookForAll([...notes.values()], place)
  const mayChange = [...seen.values()].some(({ losses, isWhole }) => !isWhole || losses.length > 0)
  const reasons = judgement.reasons.flatMap((reason) => {
    const note = notes.get(reason)
    const found = note && seen.get(note)
    return note === undefined || found === undefined ? [reason] : tellOne(reason, note, found, mayChange)
  })
  return { ...judgement, reasons }
}

async function lookForAll(
  notes: readonly DiscardNote[],
  place: LookPlace | undefined,
): Promise<ReadonlyMap<DiscardNote, Seen>> {
  const risks = new Map<string, AtRisk[]>()
  for (const { directory, atRisk } of notes.flatMap(({ discards }) => discards)) {
    if (directory === undefined || atRisk === undefined) continue
    const known = risks.get(directory)
    if (known !== undefined) known.push(...atRisk)
    else if (risks.size < maxDirectories) risks.set(directory, [...atRisk])
  }
  const answers = new Map<AtRisk, readonly Loss[] | undefined>()
  await Promise.all(
    [...risks].map(async ([directory, all]) => {
      const some = all.slice(0, maxRisks)
      const found = place === undefined ? [] : await look(directory, some, place)
      for (const [index, risk] of some.entries()) answers.set(risk, found[index])
    }),
  )
  return new Map(notes.map((note) => [note, seenOf(note, answers)]))
}

function seenOf({ discards }: DiscardNote, answers: ReadonlyMap<AtRisk, readonly Loss[] | undefined>): Seen {
  const risks = discards.flatMap(({ atRisk }): readonly (AtRisk | undefined)[] => atRisk ?? [undefined])
  // Those without a directory have not been looked at.
  const found = risks.map((risk) => risk && answers.get(risk))
  return {
    losses: found.flatMap((losses) => losses ?? []).filter(({ count }) => count > 0),
    isWhole: !found.includes(undefined),
  }
}

/** @param mayChange whether another command in the text discards something */
function tellOne(reason: Reason, note: DiscardNote, seen: Seen, mayChange: boolean): readonly Reason[] {
  const { losses, isWhole } = seen
  const more = (text: string): readonly Reason[] => [{ ...reason, message: `${reason.message} ${text}` }]
  if (losses.length > 0) {
    return more(`This would lose ${isWhole ? '' : 'at least '}${listOf(losses.map(phraseOf))}.`)
  }
  if (!isWhole) return more('What this would lose could not be found out.')
  if (!note.isAlone || mayChange) {
    return more('There is nothing to lose at this moment, but the rest of the command may change that.')
  }
  if (note.ordinary.length > 0) return note.ordinary
  return note.asksAnyway ? [] : more('There is nothing to lose at this moment.')
}

const listOf = (phrases: readonly string[]): string =>
  phrases.length < 2
    ? phrases.join('')
    : `${phrases.slice(0, -1).join(', ')} and ${phrases[phrases.length - 1]}`

/** Of one, and of several. */
const phrases: Readonly<Record<Loss['kind'], readonly [string, string]>> = {
  changes: ['the changes in 1 file', 'the changes in # files'],
  overwritten: ['1 untracked file', '# untracked files'],
  untracked: ['1 untracked file or directory', '# untracked files and directories'],
  stashes: ['1 stash', '# stashes'],
  commits: ['1 commit', '# commits'],
  reflog: ['1 commit that is on no branch', '# commits that are on no branch'],
  worktree: ['1 changed or untracked file', '# changed or untracked files'],
}

function phraseOf({ kind, count, names }: Loss): string {
  const [one, several] = phrases[kind]
  const number = count === maxCommits && kind !== 'changes' ? `${count} or more` : `${count}`
  const what = count === 1 ? one : several.replace('#', number)
  const shown = names.slice(0, maxNames).map((name) => show(name))
  if (count > shown.length && shown.length > 0) shown.push('…')
  return shown.length === 0 ? what : `${what} (${shown.join(', ')})`
}
