// Reads the reports of a guest: one line of JSON each.

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
 * @property {string[]} problems errors of the guest's own
 */

const LISTS = {
  attack: 'attacks',
  control: 'controls',
  command: 'commands',
  requirement: 'requirements',
  workspaceAttack: 'workspaceAttacks',
  work: 'works',
  problem: 'problems',
}

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
