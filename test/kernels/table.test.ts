import { rows } from './rows.mjs'
import { complaints, kernelsPage, summaryLine, times } from './table.mjs'

const rowNamed = (name: string) => {
  const row = rows.find((entry) => entry.name === name)
  if (row === undefined) throw new Error(`no row ${name}`)
  return row
}

const why = 'needs Landlock ABI 6'

const full = {
  row: rowNamed('6.12'),
  user: 'root' as const,
  release: '6.12.9',
  landlock: { abi: 6, state: 'enabled' },
  enforced: ['filesystem', 'signals'],
  missing: [],
  attacks: { total: 3, refused: 2, limited: [], unavailable: [{ name: 'read a disk', reason: 'no device' }] },
  commands: { total: 2, same: 1, missing: ['java'] },
  problems: [],
}

const limit = (name: string) => ({ name, limitation: `signals: ${why}` })

const limited = {
  ...full,
  row: rowNamed('6.1'),
  release: '6.1.0',
  landlock: { abi: 2, state: 'enabled' },
  enforced: ['filesystem'],
  missing: [{ name: 'signals', reason: why }],
  attacks: { ...full.attacks, refused: 1, limited: ['kill', 'tkill'].map(limit) },
}

const refused = {
  row: rowNamed('5.10'),
  user: 'root' as const,
  release: '5.10.0',
  landlock: { abi: 0, state: 'notBuiltIn' },
  reason: 'Landlock came with 5.13',
  enforced: [],
  missing: [],
  problems: [],
}

const failed = {
  row: rowNamed('7.3'),
  user: 'ordinary' as const,
  failure: { kind: 'noResult', message: 'Kernel panic' },
  problems: [],
}

test('a row says which kernel it is, what is enforced and how much was tried', () => {
  expect(kernelsPage([full, { ...full, user: 'ordinary' }])).toContain(
    '| 6.12 | 6.12.9 | ABI 6 | all 2 | 2 of 2 attacks refused, 1 of 1 commands work | 2 of 2 attacks refused, 1 of 1 commands work |',
  )
})

test('a row that has not been run is in the table', () => {
  expect(kernelsPage([full])).toContain('| 7.3 | ? | ? | ? | not run | not run |')
})

test('a kernel without Landlock is refused, with its reason', () => {
  const page = kernelsPage([refused])
  expect(page).toContain('| 5.10 | 5.10.0 | not built in | none: refused | refused | not run |')
  expect(page).toContain('- Landlock came with 5.13: everywhere as root')
})

test('what a kernel cannot refuse is named with the attacks that succeed', () => {
  const page = kernelsPage([limited, full])
  expect(page).toContain('all but signals')
  expect(page).toContain(
    `- **signals: ${why}**; without it 2 attacks are not refused (kill, tkill): 6.1 as root\n`,
  )
})

test('attacks that cannot be made, and programs that are missing, are named once', () => {
  const page = kernelsPage([full, { ...full, user: 'ordinary' }])
  expect(page.match(/read a disk/g)).toHaveLength(1)
  expect(page).toContain('- read a disk (no device): everywhere')
  expect(page).toContain('- java: everywhere')
})

test('a boot that failed is in the table with the kind of its failure', () => {
  const page = kernelsPage([failed])
  expect(page).toContain('**noResult**')
  expect(page).toContain('- 7.3 uid 1000: noResult: Kernel panic')
})

test('what is not as it has to be is counted in the summary and told in the complaints', () => {
  const outcome = { ...full, problems: ['attack not refused: write'] }
  expect(summaryLine(outcome)).toContain('1 unexpected')
  expect(complaints(outcome)).toEqual(['6.12 root: attack not refused: write'])
})

test('attacks in Workspace mode that a kernel cannot refuse, or a guest not make, are named', () => {
  const attacks = {
    total: 4,
    refused: 1,
    limited: ['stop the supervisor', 'signal it'],
    unavailable: ['mount'],
  }
  const page = kernelsPage([full, { ...limited, workspace: { attacks, works: { total: 1, same: 1 } } }])
  const [, enforced, made] = page.split(/## Not enforced.*|## Attacks that a guest.*/)
  expect(enforced).toContain('- attacks in Workspace mode (stop the supervisor, signal it): 6.1 as root\n')
  expect(made).toContain('- attacks in Workspace mode (mount): 6.1 as root\n')
})

test('files and sockets have columns of their own, and are in the summary', () => {
  const part = (refused: number) => ({
    attacks: { total: 9, refused, limited: [], unavailable: [] },
    works: { total: 1, same: 1 },
  })
  const both = { ...full, workspace: part(7), sockets: part(8) }
  const [files, sockets] = [7, 8].map(
    (count) => `${count} of 9 attacks refused, 1 of 1 pieces of work are the same`,
  )
  expect(kernelsPage([both])).toContain(`| 6.12 | ${files} | ${sockets} | not tried | not tried |`)
  expect(summaryLine(both)).toContain(
    `; Workspace mode, files: ${files}; Workspace mode, sockets: ${sockets}`,
  )
})

test('a boot for some tables alone says that Restricted mode was not tried', () => {
  const { attacks: _, commands: __, ...partly } = full
  expect(summaryLine(partly)).toBe('6.12 root: 6.12.9, ABI 6, not tried')
})

test('the times of a boot are those of its tables, too', () => {
  expect(times(9, { ...full, took: [{ table: 'sockets', seconds: 5 }] })).toBe('9 s, sockets 5 s')
  expect(times(9, full)).toBe('9 s')
})
