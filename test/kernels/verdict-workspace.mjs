// Judges what a guest reported of Workspace mode.
import { workspaceRefusal } from './rows.mjs'

/**
 * @typedef {object} WorkspaceOutcome
 * @property {string} [refusal]
 * @property {{ total: number, refused: number, limited: string[], unavailable: string[] }} attacks
 * @property {{ total: number, same: number }} works
 */

const show = (value) => JSON.stringify(value)

const judgeAttack = (verdict, name) => {
  if (verdict === undefined) return [`attack not carried out in Workspace mode: ${name}`]
  const isFine = verdict.unavailable !== undefined || verdict.ok === true
  return isFine ? [] : [`attack not refused in Workspace mode: ${show(verdict)}`]
}

const isSame = ({ same, missing }) => same === true || missing !== undefined

/**
 * What is not as the row says.
 *
 * @param {{ row: import('./rows.mjs').Row, reports: import('./reports.mjs').Reports, attackTable: { name: string }[] }} guest
 * @returns {string[]}
 */
export const judgeWorkspace = ({ row, reports, attackTable }) => {
  const { workspace, workspaceAttacks, works, host } = reports
  if (workspace === undefined) return ['Workspace mode was not tried']
  const expected = workspaceRefusal(row)
  const { refusal } = workspace
  const said = host.report.workspace
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
  for (const { name } of attackTable) {
    found.push(
      ...judgeAttack(
        workspaceAttacks.find((entry) => entry.name === name),
        name,
      ),
    )
  }
  if (works.length === 0) found.push('no work was done in Workspace mode')
  for (const work of works) if (!isSame(work)) found.push(`work: ${show(work)}`)
  return found
}

/**
 * The figures of the table.
 *
 * @param {import('./reports.mjs').Reports} reports
 * @returns {WorkspaceOutcome}
 */
export const countWorkspace = ({ workspace, workspaceAttacks, works }) => ({
  refusal: workspace?.refusal,
  attacks: {
    total: workspaceAttacks.length,
    refused: workspaceAttacks.filter(({ ok, limitation }) => ok === true && limitation === undefined).length,
    limited: workspaceAttacks.flatMap(({ name, limitation }) => (limitation === undefined ? [] : [name])),
    unavailable: workspaceAttacks.flatMap(({ name, unavailable }) =>
      unavailable === undefined ? [] : [name],
    ),
  },
  works: { total: works.length, same: works.filter(isSame).length },
})
