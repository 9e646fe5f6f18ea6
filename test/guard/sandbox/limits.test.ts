// The resource limits of Restricted mode: the defaults are in force, and the one that ends a command is in its result.

import type { BashResult } from '../../../lib/commands/run/result.js'
import { run } from '../../../lib/index.js'
import { isRoot } from '../../support/as-user.js'
import { killHosts, runHost } from '../../support/host.js'
import { cannotTest } from '../../support/must-work.js'
import { killLeftovers, processesWith, uniqueSleep } from '../../support/processes.js'
import { whyNotRestricted } from '../../support/restricted.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { users } from './sandbox-hosts.js'

afterEach(killLeftovers)
afterEach(killHosts)
afterAll(removeTempDirs)

let refusal: string | undefined

beforeAll(async () => {
  refusal = await whyNotRestricted()
})

const restricted = { cwd: '/', sandbox: 'restricted', timeout: 40_000 } as const

/** Soft and hard limits by the letters of bash's ulimit: seconds, KiB, blocks of 1024 bytes. */
const limitsIn = (output: string): Record<string, string[]> =>
  Object.fromEntries(
    output
      .trim()
      .split('\n')
      .map((line) => line.split(' '))
      .map(([letter = '', ...values]) => [letter, values]),
  )

const showLimits =
  'for x in t d f c u; do echo "$x $(ulimit -S$x) $(ulimit -H$x)"; done; echo "n $(ulimit -Sn)"'

describe.each(users)('as $user', ({ ordinaryUser }) => {
  test('the defaults are in force', async () => {
    if (refusal !== undefined) return cannotTest(refusal)
    const commands = [{ command: showLimits, options: restricted }]
    const { results } = await runHost<{ results: BashResult[] }>('run-commands', {
      ordinaryUser,
      argument: { commands },
    })
    const limits = limitsIn(results[0]?.output ?? '')
    const gibInKib = 1024 * 1024

    expect(limits).toMatchObject({
      t: ['3600', '3605'],
      d: [String(4 * gibInKib), String(4 * gibInKib)],
      f: [String(gibInKib), String(gibInKib)],
      n: ['1024'],
    })
    expect(Number(limits.u?.[1])).toBeGreaterThanOrEqual(4096)
    expect(Number(limits.u?.[0])).toBeLessThan(1_000_000)
  })

  // With any limit but 1 the kernel starts the program that core_pattern names. An ordinary user may not have that much.
  test('a program that turns its core dumps off goes on, and the limit stays', async () => {
    if (refusal !== undefined) return cannotTest(refusal)
    const command = `grep core /proc/self/limits; ulimit -c 0 && grep core /proc/self/limits; cat /proc/self/coredump_filter`
    const { results } = await runHost<{ results: BashResult[] }>('run-commands', {
      ordinaryUser,
      argument: { commands: [{ command, options: restricted }] },
    })
    const [before, after, filter] = results[0]?.output.split('\n') ?? []

    expect(before).toMatch(/^Max core file size +([01]) +\1 /)
    expect(after).toBe(before)
    expect(filter).toBe('00000000')
  })

  test('they cannot be raised', async () => {
    if (refusal !== undefined) return cannotTest(refusal)
    const command = 'for x in t d f u; do ulimit -H$x unlimited 2>/dev/null && echo "$x"; done; echo tried'
    const { results } = await runHost<{ results: BashResult[] }>('run-commands', {
      ordinaryUser,
      argument: { commands: [{ command, options: restricted }] },
    })

    expect(results).toMatchObject([{ output: 'tried\n' }])
  })
})

describe('a limit that is reached', () => {
  test('CPU time: SIGXCPU, and the result names it', async () => {
    if (refusal !== undefined) return cannotTest(refusal)
    const result = await run('echo on; while :; do :; done', { ...restricted, limits: { cpuSeconds: 1 } })

    expect(result).toMatchObject({
      status: 'failed',
      output: 'on\n',
      signal: 'SIGXCPU',
      limit: 'cpu',
      limitValue: 1,
    })
  })

  test('memory: the command fails, and the result names it', async () => {
    if (refusal !== undefined) return cannotTest(refusal)
    const memoryBytes = 20 * 1024 * 1024
    const command = 'x=$(head -c 50000000 /dev/zero | tr "\\0" a); echo never'
    const result = await run(command, { ...restricted, limits: { memoryBytes } })

    expect(result).toMatchObject({ status: 'failed', limit: 'memory', limitValue: memoryBytes })
    expect(result.output).not.toContain('never')
  })

  test('file size: in the scratch directory, and the result names it', async () => {
    if (refusal !== undefined) return cannotTest(refusal)
    const command = 'head -c 100000 /dev/zero >"$TMPDIR/file"'
    const result = await run(command, { ...restricted, scratch: true, limits: { fileSizeBytes: 4096 } })

    expect(result).toMatchObject({ status: 'failed', exitCode: 153, limit: 'fileSize', limitValue: 4096 })
  })

  test('processes: no more can be started, and the result names it', async () => {
    if (refusal !== undefined) return cannotTest(refusal)
    const user = users.at(-1)
    if (isRoot && user?.ordinaryUser !== true) return cannotTest('it does not count for root')
    const marker = uniqueSleep()
    // The host's own limit counts too, and 200 are enough for it. The loop ends by itself where nothing stops it.
    const command = `for my $i (1..300) { my $pid = fork // die "fork: $!"; exec "sleep", "${marker}" if !$pid }`
    const commands = [{ command: `perl -e '${command}'`, options: restricted }]
    const { results } = await runHost<{ results: BashResult[] }>('run-commands', {
      ordinaryUser: true,
      prefix: ['prlimit', '--nproc=200:200', '--'],
      argument: { commands },
    })

    expect(results).toMatchObject([{ status: 'failed', limit: 'processes', survivors: [] }])
    expect(processesWith(marker)).toEqual([])
  })
})
