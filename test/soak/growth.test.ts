import { judge, slope } from '../../bench/soak/growth.mjs'

const MIB = 2 ** 20

/** Fifty samples, 200 commands apart. */
const samples = (rssBytes: (i: number) => number, other: object = {}) =>
  Array.from({ length: 50 }, (_, i) => ({
    ...{ commands: i * 200, seconds: i, fds: 20, threads: 8, children: 0, jobs: 40, jobBytes: 25_000 },
    rssBytes: rssBytes(i),
    ...other,
  }))

const grown = (taken: ReturnType<typeof samples>) =>
  judge(taken)
    .filter((verdict) => verdict.grown)
    .map(({ name }) => name)

test('the slope is that of most pairs, whatever a few samples say', () => {
  expect(slope([...[0, 1, 2, 3, 4, 5, 6].map((x): [number, number] => [x, 2 * x]), [3.5, 900]])).toBeCloseTo(
    2,
  )
})

test('what rises and falls around a level is flat', () => {
  expect(grown(samples((i) => 60 * MIB + (i % 3) * MIB))).toEqual([])
})

test('what rises during the warm-up only is flat', () => {
  expect(grown(samples((i) => 40 * MIB + Math.min(i, 12) * 3 * MIB))).toEqual([])
})

test('two KiB for each command have grown', () => {
  expect(grown(samples((i) => 60 * MIB + i * 200 * 2048))).toEqual(['rssBytes'])
})

test('one descriptor for each thousand commands has grown', () => {
  const leaking = samples(() => 60 * MIB).map((sample, i) => ({ ...sample, fds: 20 + Math.floor(i / 5) }))

  expect(grown(leaking)).toEqual(['fds'])
})

test('too few samples say nothing', () => {
  expect(() => judge(samples(() => 60 * MIB).slice(0, 4))).toThrow('too few samples')
})
