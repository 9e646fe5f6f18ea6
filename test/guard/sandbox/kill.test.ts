// In Restricted mode nothing outlives the command, and the command cannot touch what watches over it.

import type { BashResult } from '../../../lib/commands/run/result.js'
import { run } from '../../../lib/index.js'
import { killHosts, runHost } from '../../support/host.js'
import { cannotTest } from '../../support/must-work.js'
import { killLeftovers, processesWith, uniqueSleep } from '../../support/processes.js'
import { whyNotRestricted } from '../../support/restricted.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { landlockAbi } from './attacks.cjs'
import { attackProgram, users } from './sandbox-hosts.js'

afterEach(killLeftovers)
afterEach(killHosts)
afterAll(removeTempDirs)

let refusal: string | undefined
const program = attackProgram()

beforeAll(async () => {
  refusal = await whyNotRestricted()
})

interface Bomb {
  name: string
  /** `{}` stands for the number of seconds to sleep. */
  command: string
  /** Processes that sleep in the end. */
  count: number
}

/** Each is bounded: the worst that a failing test leaves behind are processes that sleep. */
const bombs: Bomb[] = [
  {
    name: 'thirty daemonized children',
    command: 'for i in $(seq 30); do setsid -f sleep {}; done',
    count: 30,
  },
  {
    name: 'eight chains of processes whose parents end',
    command: [
      'link() { if [ "$1" = 0 ]; then exec sleep {}; fi; (link $(($1 - 1)) &); exit; }',
      'for i in $(seq 8); do (link 6 &); done',
    ].join('\n'),
    count: 8,
  },
  {
    name: 'a fork bomb',
    command: [
      'bomb() { if [ "$1" = 0 ]; then exec sleep {}; fi; bomb $(($1 - 1)) & bomb $(($1 - 1)) & }',
      'bomb 6',
    ].join('\n'),
    count: 64,
  },
  {
    name: 'sessions of their own that ignore signals',
    command: `for i in $(seq 8); do setsid bash -c 'trap "" TERM HUP INT; sleep {}; sleep {}' & done`,
    count: 8,
  },
]

describe.each(users)('as $user', ({ ordinaryUser }) => {
  describe.each([
    { end: 'the command ends', last: 'echo all', expected: { status: 'completed', output: 'all\n' } },
    { end: 'it is cancelled', last: 'echo all; wait; sleep {}', expected: { status: 'cancelled' } },
  ])('when $end', ({ last, expected }) => {
    test.each(bombs)('nothing is left of $name', async ({ command, count }) => {
      if (refusal !== undefined) return cannotTest(refusal)
      const marker = uniqueSleep()
      const started = `until [ "$(pgrep -cxf 'sleep {}')" = ${count} ]; do sleep .02; done`
      const text = [command, started, last].join('\n').replaceAll('{}', marker)
      const result = await runHost<BashResult>('sandbox-cancel', {
        ordinaryUser,
        argument: { command: text, cancelAt: 'all\n', cancel: expected.status === 'cancelled' },
      })

      expect(result).toMatchObject({ ...expected, survivors: [] })
      expect(result).not.toHaveProperty('jobId')
      expect(processesWith(marker)).toEqual([])
    })
  })
})

describe('the supervisor', () => {
  /** Below that ABI of Landlock signals are not refused. */
  const whyNotScoped = (): string | undefined => {
    if (refusal !== undefined) return refusal
    if (program === undefined) return 'there is no C compiler'
    return landlockAbi(program) < 6 ? 'signals are refused from Landlock ABI 6 on' : undefined
  }

  test.each(['STOP', 'KILL', 'TERM', 'USR1', '0'])('cannot be sent signal %s by bash', async (signal) => {
    const reason = whyNotScoped()
    if (reason !== undefined) return cannotTest(reason)
    const command = `kill -${signal} $PPID; echo "status $?"; exit 3`
    const result = await run(command, { cwd: '/', sandbox: 'restricted', timeout: 20_000 })

    expect(result).toMatchObject({ status: 'failed', exitCode: 3 })
    expect(result.output).toMatch(/Operation not permitted\nstatus 1\n$/)
  })

  test('is not deceived by a command that has it trace', async () => {
    if (refusal !== undefined) return cannotTest(refusal)
    if (program === undefined) return cannotTest('there is no C compiler')
    // A tracer is told of every stop, which is not the end.
    const command = `exec '${program}' be-traced`
    const result = await run(command, { cwd: '/', sandbox: 'restricted', timeout: 2000, termGraceMs: 200 })

    expect(result).toMatchObject({ output: 'ok\n', exitCode: null, survivors: [] })
    expect(['timed_out', 'failed']).toContain(result.status)
  })
})
