import { judge } from '../../../bench/harness/goals.mjs'
import check from '../../../bench/metrics/check.mjs'
import concurrency from '../../../bench/metrics/concurrency.mjs'
import jobs from '../../../bench/metrics/jobs.mjs'
import latency from '../../../bench/metrics/latency.mjs'
import tiny from '../../../bench/metrics/tiny.mjs'

type Goal = (typeof latency.goals)[number]

const row = (name: string, contender: string, figures: Record<string, number>) => ({
  ...{ case: name, contender, taken: 1, kept: 1, noisy: false, errors: [] },
  figures: Object.fromEntries(
    Object.entries(figures).map(([key, value]) => [key, { value, min: value, max: value }]),
  ),
})

const outcome = (metric: { quantities: object[]; goals: object[] }, rows: ReturnType<typeof row>[]) =>
  judge(metric as { quantities: object[]; goals: Goal[] }, rows, ['spawn'])
    .filter(({ met }) => met !== null)
    .map(({ quantity, value, met }) => [quantity, Number(value?.toFixed(3)), met])

test('the smallest command is held to the C limit and to child_process.spawn', () => {
  const rows = [
    row('small', 'bashward', { p50: 1.1, busy: 0.08 }),
    row('small', 'spawn', { p50: 2, busy: 1 }),
    row('small', 'limit', { p50: 1 }),
  ]

  expect(outcome(latency, rows)).toEqual([
    ['p50', 0.55, true],
    ['p50', 1.1, true],
    ['busy', 0.08, false],
  ])
})

test('64 in flight are held to the best peer, to the C limit and to a delay', () => {
  const rows = [
    row('1000 commands', 'bashward', { rate: 710, delayMax: 9 }),
    row('1000 commands', 'spawn', { rate: 200, delayMax: 90 }),
    row('1000 commands', 'limit', { rate: 1000 }),
  ]

  expect(outcome(concurrency, rows)).toEqual([
    ['rate', 3.55, true],
    ['rate', 0.71, false],
    ['delayMax', 9, false],
  ])
})

test('the CPU time for many lines is held to a figure, and to that of the C limit', () => {
  const rows = [row('100000 lines', 'bashward', { cpu: 15 }), row('100000 lines', 'limit', { cpu: 10 })]

  expect(outcome(tiny, rows)).toEqual([
    ['cpu', 15, true],
    ['cpu', 1.5, false],
  ])
})

test('a session is held to a plain call, with 200 functions, too', () => {
  const rows = [
    row('plain call', 'bashward', { p50: 1 }),
    row('session call', 'bashward', { p50: 1.5 }),
    row('session call, 200 functions', 'bashward', { p50: 2.6 }),
  ]

  expect(outcome(jobs, rows)).toEqual([
    ['p50', 1.5, true],
    ['p50', 2.6, false],
  ])
})

test.each([latency, concurrency, tiny, jobs, check])(
  'every goal of $name is about one of its quantities',
  ({ quantities, goals }) => {
    const keys = quantities.map(({ key }) => key)

    expect(goals.filter(({ quantity }) => !keys.includes(quantity))).toEqual([])
  },
)
