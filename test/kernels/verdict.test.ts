import { parseReports } from './reports.mjs'
import { rows } from './rows.mjs'
import { judge } from './verdict.mjs'

const attackTable = [
  { name: 'write', protection: 'filesystem' },
  { name: 'kill', protection: 'signals' },
]
const mustWork = [{ name: 'true' }]

const rowNamed = (name: string) => {
  const row = rows.find((entry) => entry.name === name)
  if (row === undefined) throw new Error(`no row ${name}`)
  return row
}

const judgeRow = (name: string, entries: object[], controls = false) => {
  const reports = parseReports(entries.map((entry) => JSON.stringify(entry)).join('\n'))
  return judge({ row: rowNamed(name), user: 'root', reports, controls, attackTable, mustWork })
}

const why = 'needs Landlock ABI 6'

const machine = (release: string) => ({ machine: { release, architecture: 'x64', uid: 0 } })

const sandbox = (abi: number) => ({
  available: true,
  landlock: { abi, state: 'enabled' },
  protections: [
    { name: 'filesystem', enforced: true },
    abi < 6 ? { name: 'signals', enforced: false, reason: why } : { name: 'signals', enforced: true },
  ],
})

/** `doctor --json` has the engine and the program, too. */
const doctor = (status: number, report: object, engine = 'native') => ({
  doctor: { status, report: { ...report, engine: { name: engine }, program: { path: '/bin.js' } } },
})

const untouched = { files: ['file'], content: 'content\n' }

const offered = (abi: number) => {
  const report = sandbox(abi)
  const enforced = report.protections.filter((entry) => entry.enforced).map(({ name }) => name)
  const restricted = [{ status: 'failed', output: 'bash: new: Permission denied\n', enforced }]
  return [
    doctor(0, report),
    { host: { report, restricted, warnings: [], unrestricted: { output: 'unrestricted\n' }, ...untouched } },
    { command: { name: 'true', same: true } },
  ]
}

const write = { attack: { name: 'write', ok: true, outcome: 'EACCES' } }
const kill = { attack: { name: 'kill', ok: true, outcome: 'EPERM' } }
const limitedKill = { attack: { ...kill.attack, outcome: 'ok', limitation: `signals: ${why}` } }
const refusedRequirement = {
  requirement: {
    name: 'signals',
    restricted: [{ thrown: { code: 'ERR_SANDBOX_UNAVAILABLE', message: why } }],
  },
}

const modern = [machine('6.12.9-cloud'), ...offered(6), write, kill]
const old = [machine('6.1.0-56-cloud'), ...offered(2), write, limitedKill, refusedRequirement]

test('a kernel that refuses everything has no problem', () => {
  const outcome = judgeRow('6.12', modern)
  expect(outcome).toMatchObject({ problems: [], attacks: { total: 2, refused: 2 }, commands: { same: 1 } })
})

test('an attack that an old Landlock cannot refuse is a limitation and no problem', () => {
  const outcome = judgeRow('6.1', old)
  expect(outcome).toMatchObject({
    problems: [],
    missing: [{ name: 'signals', reason: why }],
    attacks: { refused: 1, limited: [{ name: 'kill' }] },
  })
})

test.each([
  ['another kernel', [machine('6.18.5-cloud'), ...offered(6), write, kill], /the kernel is 6\.18\.5/],
  ['another Landlock', [machine('6.12.9'), ...offered(7), write, kill], /ABI 7/],
  [
    'an attack that succeeds',
    [...modern.slice(0, -1), { attack: { name: 'kill', ok: false } }],
    /not refused/,
  ],
  ['an attack that is missing', modern.slice(0, -1), /attack not carried out: kill/],
  [
    'a limitation of a protection that is said to be enforced',
    [...modern.slice(0, -1), limitedKill],
    /signals/,
  ],
  ['an error of the guest', [...modern, { problem: 'Error: no space' }], /no space/],
])('%s is a problem', (_, entries, message) => {
  expect(judgeRow('6.12', entries).problems).toEqual([expect.stringMatching(message)])
})

test('a command that requires what the kernel does not have must be refused', () => {
  const { problems } = judgeRow('6.1', old.slice(0, -1))
  expect(problems).toEqual([expect.stringMatching(/requires signals/)])
})

test('a command that gives something else is a problem', () => {
  const different = { command: { name: 'true', unrestricted: { exitCode: 0 }, restricted: { exitCode: 1 } } }
  const entries = [...modern.filter((entry) => !('command' in entry)), different]
  expect(judgeRow('6.12', entries).problems).toEqual([expect.stringMatching(/^command: .*exitCode/)])
})

test('what doctor says must be what a host process is told', () => {
  const entries = [...modern, doctor(1, sandbox(5))]
  expect(judgeRow('6.12', entries).problems).toEqual([
    expect.stringMatching(/differ/),
    expect.stringMatching(/doctor ended with 1/),
  ])
})

test('another engine than the native one is a problem', () => {
  const entries = [...modern, doctor(0, sandbox(6), 'portable')]
  expect(judgeRow('6.12', entries).problems).toEqual([expect.stringMatching(/the engine is .*portable/)])
})

test('attacks without a sandbox are judged when they were asked for', () => {
  const controls = [{ control: { name: 'write', ok: true } }, { control: { name: 'kill', ok: false } }]
  expect(judgeRow('6.12', [...modern, ...controls]).problems).toEqual([])
  expect(judgeRow('6.12', [...modern, ...controls], true).problems).toEqual([
    expect.stringMatching(/without a sandbox: .*kill/),
  ])
})

test('what was not tried is not judged', () => {
  const entries = modern.filter((entry) => !('attack' in entry || 'command' in entry))
  const reports = parseReports(entries.map((entry) => JSON.stringify(entry)).join('\n'))
  const outcome = judge({ row: rowNamed('6.12'), user: 'root', reports, controls: true })
  expect(outcome.problems).toEqual([])
  expect(outcome.attacks).toBeUndefined()
})

describe('without Landlock', () => {
  const reason = 'Landlock was added in Linux 5.13'
  const report = {
    available: false,
    reason,
    landlock: { abi: 0, state: 'notBuiltIn' },
    protections: [{ name: 'filesystem', enforced: false, reason }],
  }
  const refusal = { thrown: { code: 'ERR_SANDBOX_UNAVAILABLE', message: `no sandbox: ${reason}` } }
  const host = {
    report,
    restricted: [refusal],
    warnings: [reason],
    unrestricted: { output: 'unrestricted\n' },
    ...untouched,
  }
  const told = (changes: object) => [
    machine('5.10.0-46'),
    doctor(1, report),
    { host: { ...host, ...changes } },
  ]

  test('a refusal with the reason is as it has to be', () => {
    expect(judgeRow('5.10', told({}))).toMatchObject({ problems: [], reason, enforced: [] })
  })

  test.each([
    ['a command that ran', { restricted: [{ status: 'completed' }] }, /not refused with the reason/],
    ['a file that was written', { content: 'x\n' }, /a refused command has written/],
    ['no warning', { warnings: [] }, /not one warning/],
  ])('%s is a problem', (_, changes, message) => {
    expect(judgeRow('5.10', told(changes)).problems).toEqual([expect.stringMatching(message)])
  })
})
