// What rules the native engine out before it runs anything, and what its trial run shows.
import { constants } from 'node:os'
import { type Completion, Outcome } from '../../../lib/processes/engine/completion.js'
import type { Engine } from '../../../lib/processes/engine/engine.js'
import { loadAddon } from '../../../lib/processes/engine/native/addon.js'
import { nativeEngine } from '../../../lib/processes/engine/native/engine.js'
import { isOlder, obstacleAtOnce, tryOut } from '../../../lib/processes/engine/self-test.js'
import { completion } from '../../commands/run/completions.js'

const { EAGAIN, EPERM, ENOEXEC } = constants.errno

/** An engine that answers so. */
const answering = (answer: Partial<Completion>): Engine => {
  const engine = nativeEngine(loadAddon())
  jest.spyOn(engine, 'start').mockImplementation((_, onCompletion) => {
    onCompletion(completion({ exited: undefined, ...answer }))
    return 1
  })
  return engine
}

test.each([
  ['5.9.16', true],
  ['4.18.0-553.el8_10.x86_64', true],
  ['4.4.0', true],
  ['5.10.0-8-amd64', false],
  ['5.15.167.4-microsoft-standard-WSL2', false],
  ['6.1.0', false],
  ['10.0', false],
  ['unknown', false],
])('whether kernel %s is too old: %s', (kernel, expected) => {
  expect(isOlder(kernel)).toBe(expected)
})

test('nothing is known against it where these tests run', () => {
  expect(obstacleAtOnce()).toBeUndefined()
})

test('the trial passes here', async () => {
  expect(await tryOut(nativeEngine(loadAddon()))).toBeUndefined()
})

test('a supervisor that cannot be executed is an obstacle', async () => {
  const { addon } = loadAddon()

  expect(await tryOut(nativeEngine({ addon, supervisor: '/dev/null/supervisor' }))).toMatch(
    /^execve .*: ENOTDIR \(/,
  )
})

test.each([
  ['clone', EPERM, 'clone: EPERM (operation not permitted)'],
  ['execve supervisor', ENOEXEC, 'execve supervisor: ENOEXEC (exec format error)'],
])('a system that refuses %s is an obstacle', async (step, errno, reason) => {
  expect(await tryOut(answering({ outcome: Outcome.notStarted, step, errno }))).toBe(reason)
})

test('a supervisor that is killed is an obstacle', async () => {
  expect(await tryOut(answering({ outcome: Outcome.supervisorLost }))).toBe(
    'its supervisor was killed at once',
  )
})

test('a system that is short of processes is none', async () => {
  const engine = answering({ outcome: Outcome.notStarted, step: 'clone', errno: EAGAIN })

  expect(await tryOut(engine)).toBeUndefined()
})
