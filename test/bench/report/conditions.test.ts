import { combineConditions } from '../../../bench/harness/conditions.mjs'
import { describeConditions } from '../../../bench/report/conditions.mjs'

const measured = (cpuidMicroseconds: number | null, steal: number) => ({ cpuidMicroseconds, steal })

test('cpuid is shown with what it adds to a start of bash, steal as a share', () => {
  expect(describeConditions(measured(10, 0.0123), 'x64')).toEqual({
    cpuid: '10 µs; 43 in a start of bash: 0.430 ms',
    steal: '1.23 %',
  })
})

test('of a whole run: the median of cpuid with its range, and the steal of all of it', () => {
  const run = combineConditions([measured(10, 0.5), measured(20, 0)], measured(11, 0.1))

  expect(describeConditions(run, 'x64')).toEqual({
    cpuid: '11 [10–20] µs; 43 in a start of bash: 0.473 ms',
    steal: '10 %',
  })
})

test.each([
  ['arm64', 'no such instruction on arm64'],
  ['x64', 'not measured'],
])('cpuid that was not measured on %s', (architecture, text) => {
  const run = combineConditions([measured(null, 0)], measured(null, 0))

  expect(describeConditions(run, architecture).cpuid).toBe(text)
})
