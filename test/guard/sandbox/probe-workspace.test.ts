// Why there is no Workspace mode, in words for who runs the machine, from what the trial meets.
import { existsSync, readdirSync } from 'node:fs'
import type * as Os from 'node:os'
import { constants } from 'node:os'
import { join } from 'node:path'
import type { WorkspaceReport } from '../../../lib/guard/sandbox/probe.js'
import type * as ProbeWorkspace from '../../../lib/guard/sandbox/probe-workspace.js'
import { currentEngine } from '../../../lib/processes/engine/choose.js'
import { type Completion, Outcome } from '../../../lib/processes/engine/completion.js'
import type { CommandRequest } from '../../../lib/processes/engine/request.js'
import { completion } from '../../commands/run/completions.js'
import { killHosts, runHost } from '../../support/host.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { testWorkspace } from '../../support/workspace.js'

afterEach(killHosts)
afterAll(removeTempDirs)

const { errno } = constants
const all = 0b111_1111_1111
const metadata = 0b10
const signals = 0b100_0000

const files: Record<string, string> = {}
jest.mock('node:fs', () => {
  const actual = jest.requireActual('node:fs')
  return {
    ...actual,
    readFileSync: (path: string, ...rest: unknown[]) => {
      const text = files[path]
      if (text === 'missing') throw new Error('ENOENT')
      return text ?? actual.readFileSync(path, ...rest)
    },
  }
})

let requests: CommandRequest[] = []

afterEach(() => {
  for (const path of Object.keys(files)) delete files[path]
  requests = []
  jest.restoreAllMocks()
})

/** A trial of its own for each test: a report is kept. */
const freshProbe = (): (() => Promise<WorkspaceReport>) => {
  let fresh: typeof ProbeWorkspace | undefined
  jest.isolateModules(() => {
    // The engine stays: what it answers is arranged.
    jest.doMock('../../../lib/processes/engine/choose.js', () => ({
      currentEngine: () => currentEngine(),
      provenEngine: async () => ({ engine: currentEngine() }),
    }))
    fresh = require('../../../lib/guard/sandbox/probe-workspace.js') as typeof ProbeWorkspace
  })
  if (fresh === undefined) throw new Error('not loaded')
  return fresh.probeWorkspace
}

const arrange = (landlock: number, ...answers: Partial<Completion>[]) => {
  const engine = currentEngine()
  jest.spyOn(engine, 'sandboxSupport').mockReturnValue({ landlock, signals: true, seccomp: true })
  jest.spyOn(engine, 'start').mockImplementation((request, onCompletion) => {
    requests.push(request)
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    onCompletion(completion({ protections: all, confirmed: all, ...answer }))
    return 1
  })
  return freshProbe()
}

const notStarted = (step: string, error: number): Partial<Completion> => ({
  outcome: Outcome.notStarted,
  exited: undefined,
  step,
  errno: error,
})

test('is there when everything that is promised holds', async () => {
  expect(await arrange(7, {})()).toEqual({ available: true })
})

test('is there without what the kernel does not promise', async () => {
  expect(await arrange(3, { protections: all & ~signals, confirmed: all & ~signals })()).toEqual({
    available: true,
  })
})

test('is tried out once, on a file outside of a directory that can be written, and nothing is left', async () => {
  const probe = arrange(7, {})
  await probe()
  await probe()
  const [request, ...others] = requests
  const [root = ''] = request?.confinement?.writable ?? []

  expect(others).toEqual([])
  expect(request?.confinement).toMatchObject({ probe: true, writable: [expect.stringMatching(/^\//)] })
  expect(request?.command).toBe(join(root, '../outside'))
  expect(existsSync(root)).toBe(false)
})

test('tries it out where there is a directory for it', async () => {
  const { TMPDIR } = process.env
  const directory = tempDir()
  try {
    process.env.TMPDIR = join(directory, 'missing')
    expect(await arrange(7, {})()).toEqual({ available: true })
    expect(readdirSync(directory)).toEqual([])
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  }
})

describe('is not there', () => {
  const reasonOf = async (answer: Partial<Completion>, landlock = 7) => {
    const { available, reason } = await arrange(landlock, answer)()
    expect(available).toBe(false)
    return reason
  }

  test('on Landlock ABI 1, and nothing is tried', async () => {
    const { release } = jest.requireActual<typeof Os>('node:os')

    expect(await reasonOf({}, 1)).toMatch(/^it needs Landlock ABI 2 \(Linux 5\.19\), .*has ABI 1$/)
    expect(await reasonOf({}, 1)).toContain(release())
    expect(requests).toEqual([])
  })

  test('without Landlock', async () => {
    expect(await reasonOf({}, -errno.ENOSYS)).toMatch(/Linux 5\.19 or newer/)
    expect(await reasonOf({}, -errno.EOPNOTSUPP)).toMatch(/disabled at boot/)
    expect(requests).toEqual([])
  })

  test('under another listener', async () => {
    expect(await reasonOf(notStarted('seccomp listener', errno.EBUSY))).toMatch(
      /^another seccomp listener supervises this process already/,
    )
  })

  test('in a command that may write, whose filter refuses openat2', async () => {
    expect(await reasonOf(notStarted('open writable root', errno.ENOSYS))).toMatch(
      /^openat2 is refused: this runs in a command of bashward/,
    )
  })

  test('without seccomp listeners', async () => {
    expect(await reasonOf(notStarted('seccomp listener', errno.EINVAL))).toMatch(/has no seccomp listeners/)
    expect(await reasonOf(notStarted('seccomp listener', errno.EPERM))).toMatch(/listeners are refused/)
  })

  test('where Yama lets nobody read another process', async () => {
    files['/proc/sys/kernel/yama/ptrace_scope'] = '2\n'
    files['/proc/self/status'] = 'CapEff:\t0000000000000000\n'

    expect(await reasonOf(notStarted('start broker', errno.EPERM))).toMatch(
      /^kernel\.yama\.ptrace_scope is 2, .*needs CAP_SYS_PTRACE$/,
    )
    expect(await reasonOf({ confirmed: all & ~metadata })).toMatch(/^kernel\.yama\.ptrace_scope is 2/)
  })

  test('where process_vm_readv and /proc/PID/mem are refused', async () => {
    files['/proc/sys/kernel/yama/ptrace_scope'] = '2\n'
    files['/proc/self/status'] = 'CapEff:\t0000000000080000\n'

    expect(await reasonOf(notStarted('start broker', errno.EPERM))).toMatch(
      /^process_vm_readv and \/proc\/PID\/mem are both refused/,
    )
  })

  test('without /proc', async () => {
    files['/proc/self/status'] = 'missing'

    expect(await reasonOf(notStarted('start broker', errno.EPERM))).toBe('/proc is not mounted')
    expect(await reasonOf(notStarted('start broker', errno.ENOENT))).toBe('/proc is not mounted')
  })

  test('in as many Landlock domains as there can be', async () => {
    expect(await reasonOf(notStarted('landlock_restrict_self', errno.E2BIG))).toMatch(/which is 16/)
  })

  test('where the broker does not answer', async () => {
    expect(await reasonOf({ confirmed: all & ~metadata })).toMatch(/could not be changed/)
  })

  test('where the kernel does not hold what it promises', async () => {
    expect(await reasonOf({ confirmed: all & ~signals })).toBe(
      'the kernel did not enforce what it promised: signals',
    )
  })
})

test('a trial that could not run is made again by the next who asks', async () => {
  const probe = arrange(7, notStarted('start broker', errno.EAGAIN), {})

  expect(await probe()).toEqual({
    available: false,
    reason: 'it could not be tried out: start broker: EAGAIN (resource temporarily unavailable)',
  })
  expect(await probe()).toEqual({ available: true })
})

testWorkspace('is there also where temporary files are in shared memory', async () => {
  const command = 'echo out >"$TMPDIR/file"; cat "$TMPDIR/file"; dirname "$TMPDIR"'
  const options = { cwd: tempDir(), sandbox: 'workspace' }
  const { results } = await runHost<{ results: unknown[] }>('run-commands', {
    env: { ...process.env, TMPDIR: '/dev/shm' },
    argument: { commands: [{ command, options }] },
  })

  expect(results).toMatchObject([{ status: 'completed', output: 'out\n/dev/shm\n' }])
})
