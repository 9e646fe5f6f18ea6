// Tasks: calls without a deep stack, answers, errors, pauses.
import { call, parse, run, type Steps, type Task } from '../../../../lib/guard/safety/script/steps.js'
import { finish } from './read.js'

function* depth(levels: number): Task<number> {
  return levels === 0 ? 0 : 1 + (yield* call(depth(levels - 1)))
}

const result = <Result>(steps: Steps<Result>, answer: Int32Array | null = null): Result =>
  finish(steps, () => answer)

test('a task calls itself a hundred thousand times deep', () => {
  expect(result(run(depth(100_000)))).toBe(100_000)
})

test('a parse is answered with the tree, or with null', () => {
  const tree = new Int32Array(6)
  expect(result(run(parse('a')), tree)).toBe(tree)
  expect(result(run(parse('a')))).toBeNull()
})

test('what a task throws goes to whoever runs it', () => {
  function* fail(): Task<void> {
    yield undefined
    throw new Error('no')
  }
  expect(() => result(run(call(fail())))).toThrow('no')
})

test('a long task pauses, also where it calls nothing', () => {
  function* work(): Task<void> {
    // Far more than a millisecond, however fast the machine; the test goes no further than the first pause.
    for (let i = 0; i < 100_000_000; i++) yield undefined
  }
  const steps = run(work())
  expect(steps.next()).toEqual({ done: false, value: undefined })
})
