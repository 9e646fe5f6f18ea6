// Reads the reports of a guest: one line of JSON each. What it tries is in tables, each of which can be tried by itself.

/** @typedef {'restricted' | 'files' | 'sockets'} Table */

/**
 * @typedef {object} Reports
 * @property {boolean} ended whether the guest has done everything
 * @property {object} [machine] release, architecture, uid
 * @property {{ status: number, report: object }} [doctor] what `bashward doctor --json` gave
 * @property {object} [host] what a host process was told: its report, its restricted commands, its warnings
 * @property {object} [attacked] what became of the directory of those commands
 * @property {object[]} attacks verdicts in Restricted mode
 * @property {object[]} controls verdicts without a sandbox
 * @property {object[]} commands comparisons of the must-work list
 * @property {object[]} requirements for each protection that is missing, what a command that requires it was told
 * @property {{ refusal?: string }} [workspace] why there is no Workspace mode, if there is none
 * @property {object[]} workspaceAttacks verdicts in Workspace mode
 * @property {object[]} works comparisons of real work
 * @property {{ refusal?: string }} [sockets] likewise, before the attacks through sockets
 * @property {object[]} socketAttacks verdicts on those in Workspace mode
 * @property {object[]} socketControls verdicts on those without a sandbox
 * @property {object[]} socketWorks comparisons of work with sockets
 * @property {{ table: Table, seconds: number }[]} took
 * @property {string[]} problems errors of the guest's own
 */

const LISTS = {
  attack: 'attacks',
  control: 'controls',
  command: 'commands',
  requirement: 'requirements',
  workspaceAttack: 'workspaceAttacks',
  work: 'works',
  socketAttack: 'socketAttacks',
  socketControl: 'socketControls',
  socketWork: 'socketWorks',
  took: 'took',
  problem: 'problems',
}

/** What belongs to each table alone. */
const PARTS = {
  restricted: ['attacks', 'controls', 'commands', 'requirements'],
  files: ['workspace', 'workspaceAttacks', 'works'],
  sockets: ['sockets', 'socketAttacks', 'socketControls', 'socketWorks'],
}

/** @type {Table[]} */
export const TABLES = Object.keys(PARTS)

/**
 * What a boot has reported of one table, with what belongs to all.
 *
 * @param {Reports} reports
 * @param {Table} table
 * @returns {Partial<Reports>}
 */
export const reportsOf = (reports, table) => {
  const ofOthers = TABLES.filter((name) => name !== table).flatMap((name) => PARTS[name])
  const own = Object.entries(reports).filter(([key]) => !ofOthers.includes(key))
  return { ...Object.fromEntries(own), took: reports.took.filter((entry) => entry.table === table) }
}

/**
 * Puts the reports of tables together again, which may be those of several boots.
 *
 * @param {Partial<Reports>[]} reports of one table each
 * @returns {Reports}
 */
export const joinReports = (reports) => ({
  ...parseReports(''),
  ...Object.assign({}, ...reports),
  took: reports.flatMap(({ took }) => took),
  problems: [...new Set(reports.flatMap(({ problems }) => problems))],
})

/**
 * @param {string} text
 * @returns {Reports}
 */
export const parseReports = (text) => {
  const lists = Object.fromEntries(Object.values(LISTS).map((name) => [name, []]))
  const reports = { ended: false, ...lists }
  for (const line of text.replaceAll('\r', '').split('\n')) {
    if (!line.startsWith('{')) continue
    let entry
    try {
      entry = JSON.parse(line)
    } catch {
      // The last line of a guest that was ended.
      continue
    }
    for (const [key, value] of Object.entries(entry)) {
      if (Object.hasOwn(LISTS, key)) reports[LISTS[key]].push(value)
      else reports[key] = value
    }
  }
  return reports
}
