// The options of run() that confine a command, and what the engine is asked for.
import { realpathSync } from 'node:fs'
import { constants } from 'node:os'
import { type RunOptions, resolveOptions } from '../../../lib/commands/run/options.js'
import { buildRequest } from '../../../lib/commands/run/request.js'
import { watchedByDefault } from '../../../lib/guard/sandbox/watched.js'
import { type Completion, Outcome } from '../../../lib/processes/engine/completion.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { build, completion } from './completions.js'

const cwd = realpathSync(tempDir())
afterAll(removeTempDirs)

const requestFor = (options: Partial<RunOptions>) => {
  const resolved = resolveOptions({ cwd, shellPath: '/bin/bash', ...options })
  return buildRequest('true', resolved, resolved.environment.current())
}

describe('Workspace mode', () => {
  test('makes the working directory writable, and watches it', () => {
    expect(requestFor({ sandbox: 'workspace' }).confinement).toMatchObject({
      writable: [cwd],
      watched: watchedByDefault,
      sharedMemory: false,
      probe: false,
    })
  })

  test('keeps passwords and keys from being read', () => {
    const { confinement } = requestFor({ sandbox: 'workspace', env: { set: { HOME: '/srv/home' } } })

    expect(confinement?.unreadable).toContain('/srv/home/.ssh')
  })

  test('may be changed', () => {
    const workspace = { unreadable: [], protect: ['.env'], sharedMemory: true }

    expect(requestFor({ sandbox: 'workspace', workspace }).confinement).toMatchObject({
      writable: [cwd],
      unreadable: [],
      watched: ['.env'],
      sharedMemory: true,
    })
  })

  test('has a scratch directory, which TMPDIR names', () => {
    const { confinement, environment, variables } = requestFor({ sandbox: 'workspace' })

    expect(confinement?.scratchDirectory).toMatch(/\/bashward-scratch-\w+$/)
    expect(`\0${environment}${variables}`.split('\0').filter((entry) => entry.startsWith('TMPDIR='))).toEqual(
      [`TMPDIR=${confinement?.scratchDirectory}`],
    )
  })

  test('has none where there is to be none', () => {
    expect(requestFor({ sandbox: 'workspace', scratch: false }).confinement?.scratchDirectory).toBe('')
  })

  test('lets what a command leaves running live on', () => {
    expect(resolveOptions({ cwd, sandbox: 'workspace' }).killSurvivors).toBe(false)
  })

  test('limits files as Restricted mode does, and not as the scratch directory', () => {
    const { limits } = requestFor({ sandbox: 'workspace' })

    expect(limits).toEqual(requestFor({ sandbox: 'restricted' }).limits)
  })

  test('keeps programs from trying to reach a network', () => {
    expect(requestFor({ sandbox: 'workspace' }).environment.toString()).toContain('npm_config_offline=true\0')
  })

  test('a working directory that is not there is told as without a sandbox', () => {
    expect(() => requestFor({ sandbox: 'workspace', cwd: `${cwd}/gone` })).toThrow(
      expect.objectContaining({
        code: 'ERR_WORKING_DIR',
        message: `chdir ${cwd}/gone: ENOENT (no such file or directory)`,
      }),
    )
  })

  test('a directory that cannot be writable is refused by name', () => {
    expect(() => requestFor({ sandbox: 'workspace', cwd: '/etc' })).toThrow(
      expect.objectContaining({
        code: 'ERR_INVALID_INPUT',
        message: 'workspace.writable[0]: /etc: cannot be made writable: it is a system directory',
      }),
    )
  })
})

describe('a policy', () => {
  test('without paths asks for what Restricted mode does', () => {
    expect(requestFor({ sandbox: {} }).confinement).toEqual(requestFor({ sandbox: 'restricted' }).confinement)
  })

  test('with nothing writable ends what a command leaves running, and has no scratch directory', () => {
    const resolved = resolveOptions({ cwd, sandbox: { unreadable: 'default' } })

    expect(resolved).toMatchObject({ sandbox: 'custom', killSurvivors: true, scratch: undefined })
  })

  test('with something writable does as Workspace mode', () => {
    const resolved = resolveOptions({ cwd, sandbox: { writable: ['.'] } })

    expect(resolved).toMatchObject({
      sandbox: 'custom',
      killSurvivors: false,
      scratch: { directory: expect.any(String) },
    })
  })

  test('takes scratch, limits and required', () => {
    const options = {
      scratch: { maxBytes: 2 * 1024 ** 2 },
      limits: { cpuSeconds: 5 },
      required: ['signals'],
    } as const

    expect(resolveOptions({ cwd, sandbox: {}, ...options })).toMatchObject({
      scratch: { maxBytes: 2 * 1024 ** 2 },
      limits: { cpuSeconds: 5, fileSizeBytes: 2 * 1024 ** 2 },
      required: ['signals'],
    })
  })

  test('a policy that has changed since is seen', () => {
    const sandbox = { writable: ['.'], sharedMemory: false }
    requestFor({ sandbox })
    sandbox.sharedMemory = true

    expect(requestFor({ sandbox }).confinement?.sharedMemory).toBe(true)
  })

  test('a path that is wrong is refused by name', () => {
    expect(() => requestFor({ sandbox: { writable: ['gone'] } })).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/^sandbox\.writable\[0\]: \S+\/gone: must be/),
      }),
    )
  })
})

test.each([[undefined], ['restricted']])(
  'changes of Workspace mode are refused in sandbox: %j',
  (sandbox) => {
    expect(() => requestFor({ sandbox: sandbox as 'restricted', workspace: {} })).toThrow(
      "workspace: must be left out without sandbox: 'workspace' (got {})",
    )
  },
)

test('changes of Workspace mode are refused beside a policy', () => {
  expect(() => requestFor({ sandbox: {}, workspace: { sharedMemory: true } })).toThrow(
    'workspace: must be left out without sandbox: \'workspace\' (got {"sharedMemory":true})',
  )
})

test('that no scratch directory is wanted may be said in Unrestricted mode', () => {
  expect(resolveOptions({ cwd, scratch: false }).scratch).toBeUndefined()
})

describe('results', () => {
  const workspace = { cwd, sandbox: 'workspace' } as const
  const report = { denials: [], denialsDropped: 0, changed: [], changedDropped: 0, brokerEnded: false }
  const reported = (parts: Partial<NonNullable<Completion['report']>>) =>
    build(completion({ report: { ...report, ...parts } }), workspace)

  test('have the name of the mode', () => {
    expect(build(completion(), workspace).sandbox).toBe('workspace')
  })

  test("have a name of their own for a caller's policy", () => {
    expect(build(completion(), { cwd, sandbox: { writable: ['.'] } }).sandbox).toBe('custom')
  })

  test('name the watched paths that have changed', () => {
    expect(reported({ changed: [`${cwd}/.envrc`] }).protectedChanged).toEqual([`${cwd}/.envrc`])
  })

  test('have no list of them when nothing has changed', () => {
    expect(reported({})).not.toHaveProperty('protectedChanged')
  })

  test('say how many others may have changed', () => {
    expect(reported({ changedDropped: 3 }).protectedDropped).toBe(3)
    expect(reported({})).not.toHaveProperty('protectedDropped')
  })

  test('a command that was killed since its sandbox had ended is an error', () => {
    expect(reported({ brokerEnded: true })).toMatchObject({
      status: 'error',
      exitCode: null,
      error: { code: 'ERR_SANDBOX_LOST', message: expect.stringMatching(/^the part of the sandbox/) },
    })
  })
})

describe('a start that fails', () => {
  const failed = (step: string, errno: number) => () =>
    build(completion({ outcome: Outcome.notStarted, pid: 0, step, errno, exited: undefined }), {
      cwd,
      sandbox: 'workspace',
    })

  test.each(['open writable root', 'start broker', 'seccomp listener', 'connect to the proxy'])(
    '%s is a failure of the sandbox',
    (step) => {
      expect(failed(step, constants.errno.EMFILE)).toThrow(
        expect.objectContaining({ code: 'ERR_SANDBOX_SETUP', step, errno: constants.errno.EMFILE }),
      )
    },
  )

  test('another listener means that there can be no Workspace mode here', () => {
    expect(failed('seccomp listener', constants.errno.EBUSY)).toThrow(
      expect.objectContaining({
        code: 'ERR_SANDBOX_UNAVAILABLE',
        message: expect.stringMatching(
          /^Workspace mode is not available here: another seccomp listener .* \(missing: broker\)$/,
        ),
      }),
    )
  })
})
