import { countSockets, countWorkspace, judgeSockets, judgeWorkspace } from './verdict-workspace.mjs'

const row = { name: '6.12', kernel: '6.12', architecture: 'amd64' as const, expected: { abi: 6 } }
const attackTable = [{ name: 'one' }, { name: 'other' }]

const reports = (more: object = {}) =>
  ({
    host: { report: { workspace: { available: true } } },
    workspace: { abi: 6 },
    workspaceAttacks: [
      { name: 'one', ok: true },
      { name: 'other', unavailable: 'only root' },
    ],
    works: [{ name: 'git', same: true }],
    ...more,
    // biome-ignore lint/suspicious/noExplicitAny: of the reports only what is looked at
  }) as any

const refused = (refusal: string) =>
  reports({ host: { report: { workspace: { available: false } } }, workspace: { refusal } })

test('Workspace mode that keeps its promises is as it has to be', () => {
  expect(judgeWorkspace({ row, reports: reports(), attackTable })).toEqual([])
})

test('an attack that is not refused, or not carried out, is found', () => {
  const workspaceAttacks = [{ name: 'one', ok: false, outcome: 'ok' }]
  const [first, second] = judgeWorkspace({ row, reports: reports({ workspaceAttacks }), attackTable })
  expect(first).toContain('"outcome":"ok"')
  expect(second).toBe('attack not carried out in Workspace mode: other')
})

test('work that comes out otherwise is found, and so is none at all', () => {
  const works = [{ name: 'git', unrestricted: {}, restricted: { status: 'failed' } }]
  expect(judgeWorkspace({ row, reports: reports({ works }), attackTable })).toHaveLength(1)
  expect(judgeWorkspace({ row, reports: reports({ works: [] }), attackTable })).toHaveLength(1)
})

test('a refusal is found where there has to be such a mode', () => {
  expect(judgeWorkspace({ row, reports: refused('no broker'), attackTable })).toEqual([
    'there is no Workspace mode: no broker',
  ])
})

test('the figures count what was refused and what is the same', () => {
  expect(countWorkspace(reports())).toEqual({
    refusal: undefined,
    attacks: { total: 2, refused: 1, limited: [], unavailable: ['other'] },
    works: { total: 1, same: 1 },
  })
})

describe('sockets', () => {
  const ofSockets = (more: object = {}) =>
    reports({
      sockets: { abi: 6 },
      socketAttacks: [
        { name: 'one', ok: true },
        { name: 'other', unavailable: 'no device' },
      ],
      socketControls: [],
      socketWorks: [{ name: 'http', same: true }],
      ...more,
    })

  test('are judged and counted by themselves', () => {
    const told = ofSockets({ workspaceAttacks: [], works: [] })
    expect(judgeSockets({ row, reports: told, attackTable })).toEqual([])
    expect(countSockets(told)).toMatchObject({ attacks: { total: 2, refused: 1, unavailable: ['other'] } })
  })

  test('that were not tried, and no work with them, are found', () => {
    expect(judgeSockets({ row, reports: ofSockets({ sockets: undefined }), attackTable })).toHaveLength(1)
    expect(judgeSockets({ row, reports: ofSockets({ socketWorks: [] }), attackTable })).toHaveLength(1)
  })

  test('are judged without a sandbox only when they were asked for', () => {
    const socketControls = [
      { name: 'one', ok: false },
      { name: 'other', ok: true },
    ]
    const guest = { row, reports: ofSockets({ socketControls }), attackTable }
    expect(judgeSockets(guest)).toEqual([])
    expect(judgeSockets({ ...guest, withControls: true })).toEqual([
      expect.stringMatching(/^attack without a sandbox: .*one/),
    ])
  })
})
