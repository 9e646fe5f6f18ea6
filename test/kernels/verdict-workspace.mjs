// Judges what a guest reported of Workspace mode.
import { workspaceRefusal } from './rows.mjs'

/**
 * @typedef {object} WorkspaceOutcome
 * @property {string} [refusal]
 * @property {{ total: number, refused: number, limited: string[], unavailable: string[] }} attacks
 * @property {{ total: number, same: number }} works
 */

const show = (value) => JSON.stringify(value)

/** What the reports have of each part of Workspace mode, and what each is called in problems. */
const PARTS = {
  files: {
    of: ({ workspace, workspaceAttacks, works }) => ({
      state: workspace,
      attacks: workspaceAttacks,
      controls: [],
      works,
    }),
    untried: 'Workspace mode was not tried',
    noWork: 'no work was done in Workspace mode',
  },
  sockets: {
    of: ({ sockets, socketAttacks, socketControls, socketWorks }) => ({
      state: sockets,
      attacks: socketAttacks,
      controls: socketControls,
      works: socketWorks,
    }),
    untried: 'sockets were not tried in Workspace mode',
    noWork: 'no work with sockets was done in Workspace mode',
  },
}

const isFine = ({ unavailable, ok }) => unavailable !== undefined || ok === true

const judgeAttacks = (verdicts, attackTable, { missing, wrong }) =>
  attackTable.flatMap(({ name }) => {
    const verdict = verdicts.find((entry) => entry.name === name)
    if (verdict === undefined) return [`${missing}: ${name}`]
    return isFine(verdict) ? [] : [`${wrong}: ${show(verdict)}`]
  })

const refused = {
  missing: 'attack not carried out in Workspace mode',
  wrong: 'attack not refused in Workspace mode',
}

const carriedOut = {
  missing: 'attack not carried out without a sandbox',
  wrong: 'attack without a sandbox',
}

const isSame = ({ same, missing }) => same === true || missing !== undefined

/** @param {keyof typeof PARTS} part */
const judgePart = (part, { row, reports, attackTable, withControls = false }) => {
  const { of, untried, noWork } = PARTS[part]
  const { state, attacks, controls, works } = of(reports)
  if (state === undefined) return [untried]
  const expected = workspaceRefusal(row)
  const { refusal } = state
  const said = reports.host.report.workspace
  const found = []
  if ((refusal === undefined) !== (said?.available ?? false)) {
    found.push(`Workspace mode is ${show(said)}, and a command got ${show(refusal)}`)
  }
  if (expected !== undefined) {
    return refusal?.includes(expected)
      ? found
      : [...found, `Workspace mode was to be refused (${expected}): ${show(refusal)}`]
  }
  if (refusal !== undefined) return [...found, `there is no Workspace mode: ${refusal}`]
  found.push(...judgeAttacks(attacks, attackTable, refused))
  if (withControls) found.push(...judgeAttacks(controls, attackTable, carriedOut))
  if (works.length === 0) found.push(noWork)
  for (const work of works) if (!isSame(work)) found.push(`work: ${show(work)}`)
  return found
}

/**
 * What is not as the row says.
 *
 * @param {{ row: import('./rows.mjs').Row, reports: import('./reports.mjs').Reports, attackTable: { name: string }[] }} guest
 * @returns {string[]}
 */
export const judgeWorkspace = (guest) => judgePart('files', guest)

/**
 * Likewise, of sockets.
 *
 * @param {Parameters<typeof judgeWorkspace>[0] & { withControls?: boolean }} guest withControls: whether the attacks
 *   were carried out without a sandbox, too
 */
export const judgeSockets = (guest) => judgePart('sockets', guest)

const countPart = (part, reports) => {
  const { state, attacks, works } = PARTS[part].of(reports)
  return {
    refusal: state?.refusal,
    attacks: {
      total: attacks.length,
      refused: attacks.filter(({ ok, limitation }) => ok === true && limitation === undefined).length,
      limited: attacks.flatMap(({ name, limitation }) => (limitation === undefined ? [] : [name])),
      unavailable: attacks.flatMap(({ name, unavailable }) => (unavailable === undefined ? [] : [name])),
    },
    works: { total: works.length, same: works.filter(isSame).length },
  }
}

/**
 * The figures of the table.
 *
 * @param {import('./reports.mjs').Reports} reports
 * @returns {WorkspaceOutcome}
 */
export const countWorkspace = (reports) => countPart('files', reports)

/** Likewise, of sockets. */
export const countSockets = (reports) => countPart('sockets', reports)
