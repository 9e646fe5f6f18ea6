// Writes down the outcomes: a line for the terminal, and docs/kernels.md.
import { rows, uidOf, users } from './rows.mjs'

/** @typedef {import('./verdict.mjs').Outcome} Outcome */

const cell = (text) => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ')

const line = (cells) => `| ${cells.map(cell).join(' | ')} |`

const titles = { root: 'root', ordinary: `uid ${uidOf('ordinary')}` }

const isFull = ({ missing }) => missing.length === 0

const unexpected = (outcome) => outcome.problems.length > 0 || outcome.failure !== undefined

/** What has become of one boot, in a few words. */
const figures = (outcome) => {
  if (outcome === undefined) return 'not run'
  if (outcome.failure !== undefined) return `**${outcome.failure.kind}**`
  const problems = outcome.problems.length > 0 ? ` **${outcome.problems.length} unexpected**` : ''
  const { attacks, commands, landlock } = outcome
  if (landlock === undefined) return problems.trim()
  if (attacks === undefined) return `${outcome.reason === undefined ? 'not tried' : 'refused'}${problems}`
  const made = attacks.total - attacks.unavailable.length
  const run = `${commands.same} of ${commands.same + differing(outcome)}`
  return `${attacks.refused} of ${made} attacks refused, ${run} commands work${problems}`
}

/** Likewise, of one part of Workspace mode: that of files, and that of sockets. */
const workspaceFigures = (part) => {
  if (part === undefined) return 'not tried'
  const { refusal, attacks, works } = part
  if (refusal !== undefined) return 'refused'
  const made = attacks.total - attacks.unavailable.length
  return `${attacks.refused} of ${made} attacks refused, ${works.same} of ${works.total} pieces of work are the same`
}

const WORKSPACE_PARTS = [
  { title: 'files', of: (outcome) => outcome?.workspace },
  { title: 'sockets', of: (outcome) => outcome?.sockets },
]

/** Commands that were run, and gave something else. */
const differing = ({ problems }) => problems.filter((problem) => problem.startsWith('command')).length

const stateOf = (outcome) => {
  if (outcome?.landlock === undefined) return '?'
  const { abi, state } = outcome.landlock
  if (state === 'enabled') return `ABI ${abi}`
  return (
    { notBuiltIn: 'not built in', disabledAtBoot: 'disabled at boot', blocked: 'blocked' }[state] ?? state
  )
}

const protectionsOf = (outcome) => {
  if (outcome?.enforced === undefined) return '?'
  if (outcome.attacks === undefined) return 'none: refused'
  return isFull(outcome)
    ? `all ${outcome.enforced.length}`
    : `all but ${outcome.missing.map(({ name }) => name)}`
}

/**
 * One line for a boot that is over.
 *
 * @param {Outcome} outcome
 */
export const summaryLine = (outcome) => {
  const { row, user, release = '?' } = outcome
  const parts = WORKSPACE_PARTS.flatMap(({ title, of }) =>
    of(outcome) === undefined ? [] : [`; Workspace mode, ${title}: ${workspaceFigures(of(outcome))}`],
  )
  return `${row.name} ${titles[user]}: ${release}, ${stateOf(outcome)}, ${figures(outcome)}${parts.join('')}`
}

/**
 * How long a boot took, with its tables.
 *
 * @param {number} seconds
 * @param {Outcome} outcome
 */
export const times = (seconds, { took = [] }) =>
  [`${seconds} s`, ...took.map((entry) => `${entry.table} ${entry.seconds} s`)].join(', ')

/**
 * What is to be read of a boot that is not as it has to be.
 *
 * @param {Outcome} outcome
 */
export const complaints = ({ row, user, failure, problems }) =>
  [...(failure === undefined ? [] : [`${failure.kind}: ${failure.message}`]), ...problems].map(
    (text) => `${row.name} ${titles[user]}: ${text}`,
  )

const groupByRow = (outcomes) =>
  rows.map(({ name }) => {
    const own = outcomes.filter(({ row }) => row.name === name)
    const any = own.find(({ release }) => release !== undefined) ?? own[0]
    return { name, any, by: (user) => own.find((outcome) => outcome.user === user) }
  })

const mainTable = (groups) => [
  line(['row', 'kernel', 'Landlock', 'protections', ...users.map((user) => `as ${titles[user]}`)]),
  line(['---', '---', '---', '---', ...users.map(() => '---')]),
  ...groups.map(({ name, any, by }) =>
    line([
      name,
      any?.release ?? '?',
      stateOf(any),
      protectionsOf(any),
      ...users.map((user) => figures(by(user))),
    ]),
  ),
]

const workspaceTable = (groups) => {
  const columns = users.flatMap((user) => WORKSPACE_PARTS.map((part) => ({ user, ...part })))
  return [
    line(['row', ...columns.map(({ user, title }) => `${title}, as ${titles[user]}`)]),
    line(['---', ...columns.map(() => '---')]),
    ...groups.map(({ name, by }) =>
      line([name, ...columns.map(({ user, of }) => workspaceFigures(of(by(user))))]),
    ),
  ]
}

/** Each text with the boots that have it, in one item. */
const collect = (outcomes, textsOf) => {
  const found = new Map()
  for (const outcome of outcomes) {
    for (const text of textsOf(outcome)) {
      const rows = found.get(text) ?? new Map()
      rows.set(outcome.row.name, [...(rows.get(outcome.row.name) ?? []), outcome.user])
      found.set(text, rows)
    }
  }
  return [...found].map(([text, rows]) => ({ text, rows }))
}

const describeRows = (rows, all) => {
  const isEverywhere = (of) => of.every((user) => all.every((name) => rows.get(name)?.includes(user)))
  const everywhere = users.filter((user) => isEverywhere([user]))
  if (everywhere.length === users.length) return 'everywhere'
  if (everywhere.length > 0 && [...rows.values()].every((of) => same(of, everywhere))) {
    return `everywhere as ${everywhere.map((user) => titles[user]).join(' and ')}`
  }
  return [...rows]
    .map(([name, of]) => (of.length === users.length ? name : `${name} as ${of.map((user) => titles[user])}`))
    .join(', ')
}

const same = (left, right) => left.join() === right.join()

const section = (title, lines) => (lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines])

const list = (outcomes, textsOf) => {
  const all = [...new Set(outcomes.map(({ row }) => row.name))]
  return collect(outcomes, textsOf).map(({ text, rows }) => `- ${text}: ${describeRows(rows, all)}`)
}

const introduction = (total, commands) => `# The sandbox, kernel by kernel

What both sandbox modes enforce on which kernel. \`npm run test:kernels\` boots Debian's and Ubuntu's kernels under QEMU, tries
Restricted and Workspace mode in each as root and as an ordinary user, and writes this page.

Each kernel gets ${total} attacks that must be refused, judged by what they report and by what they change, and ${commands}
commands that must give the same as without a sandbox. \`6.12-yama\` lets a process be traced by its ancestors
alone, as Ubuntu does; \`arm64-…\` is 64-bit ARM, all others are x86-64. Kernels named \`…-generic\` are Ubuntu's, the others Debian's.
`

/** The attacks in Workspace mode of one kind, in one text: there can be many of a sort. */
const inWorkspace = (kind) => (outcome) => {
  const names = WORKSPACE_PARTS.flatMap(({ of }) => of(outcome)?.attacks[kind] ?? [])
  return names.length === 0 ? [] : [`attacks in Workspace mode (${names.join(', ')})`]
}

/**
 * docs/kernels.md.
 *
 * @param {Outcome[]} outcomes of all boots
 */
export const kernelsPage = (outcomes) => {
  const groups = groupByRow(outcomes)
  const offered = outcomes.filter(({ attacks }) => attacks !== undefined)
  const [first] = offered
  const reasons = list(
    outcomes.filter(({ reason }) => reason !== undefined),
    ({ reason }) => [reason],
  )
  const limitations = list(offered, ({ attacks: { limited } }) =>
    [...new Set(limited.map(({ limitation }) => limitation))].map((limitation) => {
      const names = limited.filter((attack) => attack.limitation === limitation).map(({ name }) => name)
      return `**${limitation}**; without it ${names.length} attacks are not refused (${names.join(', ')})`
    }),
  )
  return `${[
    introduction(first?.attacks.total ?? 0, first?.commands.total ?? 0),
    ...mainTable(groups),
    ...section(
      'Workspace mode',
      outcomes.some(({ workspace }) => workspace !== undefined) ? workspaceTable(groups) : [],
    ),
    ...section(
      'Workspace mode is refused',
      list(
        outcomes.filter(({ workspace }) => workspace?.refusal !== undefined),
        ({ workspace }) => [workspace.refusal],
      ),
    ),
    ...section('Refused', reasons),
    ...section('Not enforced on these kernels', [...limitations, ...list(offered, inWorkspace('limited'))]),
    ...section('Attacks that a guest cannot make', [
      ...list(offered, ({ attacks }) => attacks.unavailable.map(({ name, reason }) => `${name} (${reason})`)),
      ...list(offered, inWorkspace('unavailable')),
    ]),
    ...section(
      'Programs that no guest has',
      list(offered, ({ commands }) => commands.missing),
    ),
    ...section(
      'Unexpected',
      outcomes.filter(unexpected).flatMap((outcome) => complaints(outcome).map((text) => `- ${text}`)),
    ),
  ].join('\n')}\n`
}
