import { joinReports, parseReports, reportsOf } from './reports.mjs'

test('lines are gathered by what they report', () => {
  const text =
    '{"machine":{"uid":0}}\r\n{"attack":{"name":"a"}}\r\n{"attack":{"name":"b"}}\r\n{"ended":true}\r\n'
  expect(parseReports(text)).toMatchObject({
    ended: true,
    machine: { uid: 0 },
    attacks: [{ name: 'a' }, { name: 'b' }],
    problems: [],
  })
})

test('a guest that was ended in the middle of a line has not done everything', () => {
  const reports = parseReports('{"attack":{"name":"a"}}\n{"attack":{"na')
  expect(reports).toMatchObject({ ended: false, attacks: [{ name: 'a' }] })
})

test('what is not a report is left out', () => {
  expect(parseReports('Kernel panic\n').problems).toEqual([])
})

describe('of several tables', () => {
  const lines = (...entries: object[]) =>
    parseReports(entries.map((entry) => JSON.stringify(entry)).join('\n'))
  const common = { machine: { release: '6.12' }, problem: 'no space' }
  const files = [
    { workspace: {} },
    { workspaceAttack: { name: 'a' } },
    { took: { table: 'files', seconds: 2 } },
  ]
  const sockets = [
    { sockets: {} },
    { socketAttack: { name: 'b' } },
    { took: { table: 'sockets', seconds: 3 } },
  ]
  const both = lines(common, ...files, ...sockets)

  test('each is had by itself, with what belongs to all', () => {
    expect(joinReports([reportsOf(both, 'files')])).toEqual({
      ...lines(common, ...files),
      ended: false,
    })
  })

  test('they are put together from different boots', () => {
    const [one, other] = [lines(common, ...files), lines(common, ...sockets)]
    expect(joinReports([reportsOf(one, 'files'), reportsOf(other, 'sockets')])).toEqual(both)
  })
})
