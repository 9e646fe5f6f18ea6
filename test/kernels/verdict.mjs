// Judges the reports of a guest: whether Restricted mode is what the row says, and keeps its promises.
import { countSockets, countWorkspace, judgeSockets, judgeWorkspace } from './verdict-workspace.mjs'

/**
 * @typedef {object} Outcome
 * @property {import('./rows.mjs').Row} row
 * @property {import('./rows.mjs').User} user
 * @property {{ kind: string, message: string }} [failure] why there is nothing else
 * @property {string} [release] of the kernel
 * @property {{ abi: number, state: string }} [landlock]
 * @property {string} [reason] why there is no Restricted mode
 * @property {string[]} [enforced] names of protections
 * @property {{ name: string, reason: string }[]} [missing] protections that this kernel does not have
 * @property {{ total: number, refused: number, limited: { name: string, limitation: string }[],
 *   unavailable: { name: string, reason: string }[] }} [attacks] limited: attacks that this kernel cannot refuse
 * @property {{ total: number, same: number, missing: string[] }} [commands] missing: programs
 * @property {import('./verdict-workspace.mjs').WorkspaceOutcome} [workspace] its attacks on files
 * @property {import('./verdict-workspace.mjs').WorkspaceOutcome} [sockets] those through sockets
 * @property {{ table: import('./reports.mjs').Table, seconds: number }[]} [took] how long the tables took
 * @property {boolean} [partly] whether some of them were not tried
 * @property {string[]} problems what is not as it has to be
 */

const same = (left, right) => JSON.stringify(left) === JSON.stringify(right)

const show = (value) => JSON.stringify(value)

/** Such as 6.12.117+deb13-cloud-amd64 of 6.12, but not of 6.1. */
const isRelease = (release, version) =>
  release.startsWith(version) && !/^\d/.test(release.slice(version.length))

const judgeMachine = ({ machine, problems }, { kernel }) => {
  const found = problems.map((problem) => `the guest: ${problem}`)
  if (!isRelease(machine.release, kernel)) found.push(`the kernel is ${machine.release}`)
  return found
}

/** `bashward doctor` says what a host process is told, and its exit status says whether there is a Restricted mode. */
const judgeDoctor = ({ doctor, host: { report } }) => {
  const found = []
  const { engine, program, ...sandbox } = doctor.report
  if (!same(sandbox, report)) found.push(`doctor and probeSandbox() differ: ${show(sandbox)}`)
  if (engine?.name !== 'native') found.push(`the engine is ${show(engine)}`)
  if ((doctor.status === 0) !== report.available) found.push(`doctor ended with ${doctor.status}`)
  return found
}

/** The directory that the commands were to write to. */
const judgeUntouched = ({ files, content }, what) =>
  same({ files, content }, { files: ['file'], content: 'content\n' })
    ? []
    : [`${what} has written: ${show({ files, content })}`]

const isRefusal = ({ thrown }, reason) =>
  thrown?.code === 'ERR_SANDBOX_UNAVAILABLE' && thrown.message.includes(reason)

const judgeRefused = ({ host }, { refused }) => {
  const { report, restricted, unrestricted, warnings } = host
  const found = judgeUntouched(host, 'a refused command')
  if (report.available || report.landlock.state !== refused) {
    found.push(
      `Landlock is ${report.landlock.state}, and Restricted mode ${report.available ? '' : 'not '}offered`,
    )
  }
  for (const outcome of restricted) {
    if (!isRefusal(outcome, report.reason)) found.push(`not refused with the reason: ${show(outcome)}`)
  }
  if (report.protections.some(({ enforced }) => enforced)) found.push('a protection is said to be enforced')
  if (unrestricted.output !== 'unrestricted\n')
    found.push(`an unrestricted command gave ${show(unrestricted)}`)
  if (warnings.length !== 1) found.push(`not one warning but ${show(warnings)}`)
  return found
}

const judgeOffered = ({ host }, { abi }) => {
  const { report, restricted, warnings } = host
  const found = judgeUntouched(host, 'a restricted command')
  if (!report.available) found.push(`there is no Restricted mode: ${report.reason}`)
  if (report.landlock.abi !== abi) found.push(`Landlock has ABI ${report.landlock.abi}`)
  const enforced = report.protections.flatMap((protection) => (protection.enforced ? [protection.name] : []))
  for (const outcome of restricted) {
    const isDenied = outcome.status === 'failed' && outcome.output.includes('Permission denied')
    if (!isDenied || !same(outcome.enforced, enforced))
      found.push(`a command that writes gave ${show(outcome)}`)
  }
  if (warnings.length > 0) found.push(`warnings: ${show(warnings)}`)
  return found
}

const judgeRequirements = ({ host, requirements }) =>
  host.report.protections.flatMap(({ name, enforced, reason }) => {
    const requirement = requirements.find((entry) => entry.name === name)
    if (enforced || requirement?.restricted.every((outcome) => isRefusal(outcome, reason))) return []
    return [`a command that requires ${name} gave ${show(requirement?.restricted)}`]
  })

/** @param {{ name: string, protection: string }[]} table all attacks that there are */
const judgeAttacks = ({ attacks, host: { report } }, table) => {
  const found = []
  const enforced = new Set(report.protections.flatMap(({ name, enforced }) => (enforced ? [name] : [])))
  const notRefused = new Set()
  for (const { name, protection } of table) {
    const verdict = attacks.find((entry) => entry.name === name)
    if (verdict === undefined) found.push(`attack not carried out: ${name}`)
    else if (verdict.unavailable !== undefined) continue
    else if (verdict.ok !== true) found.push(`attack not refused: ${show(verdict)}`)
    else if (verdict.limitation !== undefined) notRefused.add(protection)
  }
  for (const name of notRefused) {
    if (enforced.has(name)) found.push(`${name} is said to be enforced, and attacks on it are not refused`)
  }
  for (const { name } of report.protections) {
    if (!enforced.has(name) && !notRefused.has(name))
      found.push(`${name} is not enforced, and no attack says why`)
  }
  return found
}

/** Without a sandbox an attack has to succeed, or to fail for a reason that is known. */
const judgeControls = ({ controls }, table) =>
  table.flatMap(({ name }) => {
    const verdict = controls.find((entry) => entry.name === name)
    if (verdict === undefined) return [`attack not carried out without a sandbox: ${name}`]
    const isFine = verdict.unavailable !== undefined || verdict.ok === true
    return isFine ? [] : [`attack without a sandbox: ${show(verdict)}`]
  })

const judgeCommands = ({ commands }, mustWork) =>
  mustWork.flatMap(({ name }) => {
    const comparison = commands.find((entry) => entry.name === name)
    if (comparison === undefined) return [`command not run: ${name}`]
    return comparison.same || comparison.missing !== undefined ? [] : [`command: ${show(comparison)}`]
  })

const countAttacks = ({ attacks }, table) => ({
  total: table.length,
  refused: attacks.filter(({ ok, limitation }) => ok === true && limitation === undefined).length,
  limited: attacks.flatMap(({ name, limitation }) =>
    limitation === undefined ? [] : [{ name, limitation }],
  ),
  unavailable: attacks.flatMap(({ name, unavailable }) =>
    unavailable === undefined ? [] : [{ name, reason: unavailable }],
  ),
})

const countCommands = ({ commands }, mustWork) => ({
  total: mustWork.length,
  same: commands.filter((comparison) => comparison.same).length,
  missing: [...new Set(commands.flatMap(({ missing }) => (missing === undefined ? [] : [missing])))].sort(),
})

/** The figures of the tables that there are. */
const count = (reports, { attackTable, mustWork, workspaceTable, socketTable }) => ({
  ...(attackTable === undefined
    ? {}
    : { attacks: countAttacks(reports, attackTable), commands: countCommands(reports, mustWork) }),
  ...(workspaceTable === undefined ? {} : { workspace: countWorkspace(reports) }),
  ...(socketTable === undefined ? {} : { sockets: countSockets(reports) }),
})

const judgeTables = (row, reports, controls, { attackTable, mustWork, workspaceTable, socketTable }) => [
  ...(attackTable === undefined
    ? []
    : [
        ...judgeRequirements(reports),
        ...judgeAttacks(reports, attackTable),
        ...(controls ? judgeControls(reports, attackTable) : []),
        ...judgeCommands(reports, mustWork),
      ]),
  ...(workspaceTable === undefined ? [] : judgeWorkspace({ row, reports, attackTable: workspaceTable })),
  ...(socketTable === undefined
    ? []
    : judgeSockets({ row, reports, attackTable: socketTable, withControls: controls })),
]

/**
 * @param {{ row: import('./rows.mjs').Row, user: import('./rows.mjs').User, reports: import('./reports.mjs').Reports,
 *   controls: boolean, attackTable?: { name: string, protection: string }[], mustWork?: { name: string }[],
 *   workspaceTable?: { name: string }[], socketTable?: { name: string }[] }} guest what was tried: the attacks on
 *   Restricted mode with its commands, those on files and those through sockets in Workspace mode; without a table it is
 *   not judged
 * @returns {Outcome}
 */
export const judge = ({ row, user, reports, controls, ...tables }) => {
  if (reports.host === undefined || reports.doctor === undefined) {
    return { row, user, problems: judgeMachine(reports, row) }
  }
  const { report } = reports.host
  const outcome = {
    row,
    user,
    release: reports.machine.release,
    landlock: report.landlock,
    reason: report.reason,
    enforced: report.protections.flatMap(({ name, enforced }) => (enforced ? [name] : [])),
    missing: report.protections.flatMap(({ name, enforced, reason }) => (enforced ? [] : [{ name, reason }])),
  }
  const always = [...judgeMachine(reports, row), ...judgeDoctor(reports)]
  if ('refused' in row.expected) {
    return { ...outcome, problems: [...always, ...judgeRefused(reports, row.expected)] }
  }
  return {
    ...outcome,
    ...count(reports, tables),
    problems: [
      ...always,
      ...judgeOffered(reports, row.expected),
      ...judgeTables(row, reports, controls, tables),
    ],
  }
}
