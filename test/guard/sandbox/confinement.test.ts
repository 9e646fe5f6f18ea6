// From policies to what the engine is asked for.
import { realpathSync } from 'node:fs'
import { planPolicy } from '../../../lib/guard/sandbox/confinement.js'
import { type CheckedPolicy, checkSandbox } from '../../../lib/guard/sandbox/policy.js'
import { watchedByDefault } from '../../../lib/guard/sandbox/watched.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { placeAt } from './policy-place.js'

afterAll(removeTempDirs)

const base = realpathSync(tempDir())
const planOf = (policy: object) => planPolicy(checkSandbox('sandbox', policy) as CheckedPolicy, placeAt(base))

test('what a policy names is in its plan, and nothing else', () => {
  const policy = { writable: ['.'], unreadable: ['/srv/keys'], protect: ['.env'], sharedMemory: true }

  expect(planOf(policy)).toEqual({
    writable: [base],
    unreadable: ['/srv/keys'],
    watched: ['.env'],
    loopback: false,
    unixSockets: false,
    sharedMemory: true,
    scratchDirectory: '',
    scratchLimit: 0,
    probe: false,
  })
})

test('the default list is watched where it is asked for', () => {
  expect(planOf({ writable: ['.'], protect: 'default' }).watched).toEqual(watchedByDefault)
})

test('beside others, too', () => {
  const { watched } = planOf({ writable: ['.'], protect: ['.env', 'default'] })

  expect(watched).toEqual(['.env', ...watchedByDefault])
})

test('with nothing writable nothing is watched', () => {
  expect(planOf({ protect: 'default' }).watched).toEqual([])
})

test('more paths than can be watched are refused', () => {
  const own = Array.from({ length: 127 }, (_, index) => `file${index}`)

  expect(() => planOf({ writable: ['.'], protect: ['default', ...own] })).toThrow(
    /^sandbox\.protect: must have at most 128 paths, the default ones among them \(got \d+\)$/,
  )
})
