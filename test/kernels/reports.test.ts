import { parseReports } from './reports.mjs'

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
