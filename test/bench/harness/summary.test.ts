import { ratios, summarize } from '../../../bench/harness/summary.mjs'

const QUANTITIES = [{ key: 'cpu' }, { key: 'p50' }]

const row = (contender: string, ...values: Record<string, number>[]) =>
  summarize(QUANTITIES, {
    ...{ case: 'small', contender, errors: [] },
    batches: values.map((value) => ({ value, around: 0, during: 0, steal: 0 })),
  })

test('a figure is the median of the batches, with the smallest and the largest', () => {
  const { figures } = row('bashward', { cpu: 3 }, { cpu: 1 }, { cpu: 2 })

  expect(figures).toEqual({ cpu: { value: 2, min: 1, max: 3 } })
})

test('a ratio is bashward’s figure divided by that of the row', () => {
  const ours = row('bashward', { cpu: 1, p50: 2 })
  const other = row('spawn', { cpu: 4, p50: 4 })

  expect(ratios(other, [ours, other])).toEqual({ cpu: 0.25, p50: 0.5 })
})

test('a quantity that one of both lacks has no ratio', () => {
  const ours = row('bashward', { cpu: 1, p50: 2 })
  const other = row('limit', { p50: 4 })

  expect(ratios(other, [ours, other])).toEqual({ p50: 0.5 })
})

test('bashward’s own row has no ratios', () => {
  const ours = row('bashward', { cpu: 1 })

  expect(ratios(ours, [ours])).toEqual({})
})
