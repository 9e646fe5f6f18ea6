import { planBoots, rows, users } from './rows.mjs'

test('every row has a name of its own', () => {
  const names = rows.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
})

test('every Landlock from the first to the newest that is known is that of a real kernel, and both ways to have none are there', () => {
  const abis = rows.flatMap(({ expected }) => ('abi' in expected ? [expected.abi] : []))
  expect([...new Set(abis)].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  const refusals = rows.flatMap(({ expected }) => ('refused' in expected ? [expected.refused] : []))
  expect(refusals.sort()).toEqual(['disabledAtBoot', 'notBuiltIn'])
})

test('without names, every row is booted once for each user', () => {
  expect(planBoots([], users)).toHaveLength(rows.length * 2)
})

test('with names, only those rows are booted', () => {
  const boots = planBoots(['7.0', '6.1'], ['root'])
  expect(boots.map(({ row, user }) => [row.name, user])).toEqual([
    ['6.1', 'root'],
    ['7.0', 'root'],
  ])
})
