// Writes docs/faults.md from the outcomes of a complete run.
import { scenarios } from './scenario-list.mjs'

const processes = {
  main: "the host's JavaScript thread, starting the engine",
  engine: "the host's engine thread",
  file: "the host's thread for a saved file",
  launch: 'the child that becomes the supervisor',
  supervisor: 'the supervisor',
  shell: 'the child that becomes bash',
}

const kinds = ['correct', 'partial', 'error', 'defect']

const groupBy = (values, keyOf) => {
  const groups = new Map()
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value])
  return [...groups]
}

const list = (values) => [...new Set(values)].sort().join(', ')

const introduction = (reached, tried) => `# Faults

What happens when a system call fails? \`npm run test:faults\` makes the engine's calls fail, one call of one process at a
time: every call that a command makes from the host to bash and back, with the errors that the kernel or a container's
seccomp profile may answer with. It writes this page.

${reached} faults of ${tried} were hit, in ${scenarios.length} kinds of commands. After each one the host must have the
descriptors, threads and children it had before, no process may be left, and the next command must run.

*As without the fault* means the same result. Everything else is a typed error that names the step and the error number,
or a result that says what it lacks. *lasting* means that every further call failed too.
`

const section = (title, lines) => (lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines])

/** Rows of one process: the errors of a call that have the same outcomes stand together. */
const rowsOf = (outcomes) => {
  const sites = groupBy(outcomes, ({ fault }) => `\`${fault.call}\`${fault.detail ? ` ${fault.detail}` : ''}`)
  return sites.flatMap(([site, ofSite]) => {
    const errors = groupBy(ofSite, ({ fault }) => `${fault.errno}${fault.count > 1 ? ' lasting' : ''}`)
    const described = errors.map(([errno, ofErrno]) => {
      const sorted = [...ofErrno].sort(
        (a, b) => kinds.indexOf(a.verdict.kind) - kinds.indexOf(b.verdict.kind),
      )
      return { errno, text: [...new Set(sorted.map(({ verdict }) => textOf(verdict)))].join('; ') }
    })
    return groupBy(described, ({ text }) => text).map(
      ([text, same]) => `| ${site} | ${same.map(({ errno }) => errno).join(', ')} | ${text} |`,
    )
  })
}

const LONGEST = 160

/** One line for all errors of a call that ended alike. */
const defectLines = (defects) =>
  groupBy(defects, ({ fault: { scenario, role, call, detail }, verdict }) => {
    const { text } = verdict
    const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
    return `- ${scenario}, ${role}: \`${call}\`${detail && ` ${detail}`}: ${short}`
  }).map(
    ([line, same]) =>
      `${line} (${list(same.map(({ fault }) => `${fault.errno}${fault.count > 1 ? ' lasting' : ''}`))})`,
  )

/** One row for each kind of command: how often which outcome. */
const signalRows = (outcomes) => [
  '| kind of command | signal | outcomes |',
  '|---|---|---|',
  ...groupBy(outcomes, ({ fault }) => `| ${fault.scenario} | ${fault.errno} |`).map(([start, ofScenario]) => {
    const counts = groupBy(ofScenario, ({ verdict }) => textOf(verdict)).map(
      ([text, same]) => `${same.length} × ${text}`,
    )
    return `${start} ${counts.join('; ')} |`
  }),
]

const textOf = ({ kind, text }) => (kind === 'defect' ? '**defect**, see below' : text)

/**
 * @param {{ fault: object, result: object, verdict: import('./verdict.mjs').Verdict }[]} outcomes
 * @param {{ role: string, call: string, detail: string, reason: string }[]} exempt
 */
export const faultsPage = (outcomes, exempt) => {
  const met = outcomes.filter(({ result }) => result.hits > 0)
  const isSignal = ({ fault }) => fault.errno.startsWith('SIG')
  const tables = Object.entries(processes).flatMap(([role, title]) => {
    const rows = rowsOf(met.filter((outcome) => outcome.fault.role === role && !isSignal(outcome)))
    const heading = `${title[0].toUpperCase()}${title.slice(1)}`
    return rows.length === 0
      ? []
      : section(heading, ['| call | fails with | outcome |', '|---|---|---|', ...rows])
  })
  const defects = met.filter(({ verdict }) => verdict.kind === 'defect')
  const reasons = groupBy(exempt, ({ reason }) => reason).map(
    ([reason, calls]) =>
      `- ${list(calls.map(({ call, detail }) => `\`${call}\`${detail && reason.length < 60 && /^[A-Z_]+$/.test(detail) ? ` ${detail}` : ''}`))}: ${reason}`,
  )
  return `${[
    introduction(met.length, outcomes.length),
    '| kind of command | |',
    '|---|---|',
    ...scenarios.map(({ name, title }) => `| ${name} | ${title} |`),
    ...tables,
    ...section('Signals to the supervisor, at each of its calls', signalRows(met.filter(isSignal))),
    ...section('Not made to fail', reasons),
    ...section('Defects', defectLines(defects)),
  ].join('\n')}\n`
}
