// Errors of the exec tool (REQ-EXEC-005), each by a real command: `execute` returns a result with `error` and never rejects.
import { constants } from 'node:os'
import fc from 'fast-check'
import { BashError } from '../../lib/errors.js'
import { describeStartFailure, type ExecResult } from '../../lib/tools/exec-result.js'
import { createExecTool } from '../../lib/tools/exec-tool.js'
import { killHosts, runHost } from '../support/host.js'
import { removeTempDirs } from '../support/temp-dir.js'
import { unexecutable } from './unexecutable.js'

afterEach(killHosts)
afterAll(removeTempDirs)

const tool = createExecTool()
/** It reads no command: nothing that is made up here can do anything. */
const harmless = createExecTool({ shellPath: '/bin/true' })
const executeUntyped = harmless.execute as (input: unknown, context?: unknown) => Promise<ExecResult>

const notRun = (error: unknown) => ({ stdout: '', stderr: '', exitCode: null, error })

describe('invalid input', () => {
  test.each<[unknown, string]>([
    [undefined, 'input: must be an object (got undefined)'],
    ['ls', 'input: must be an object (got "ls")'],
    [{}, 'command: is required'],
    [{ command: 7 }, 'command: must be a string (got 7)'],
    [{ command: '' }, 'command: must not be empty (got "")'],
    [{ command: ' \n\t' }, 'command: must not be empty (got " \\n\\t")'],
    [{ command: 'a\0b' }, 'command: must not contain NUL characters (got one at index 1)'],
    [{ command: 'ls', mode: 'slow' }, 'mode: is not a known property (allowed: command)'],
  ])('%j: %s', async (input, message) => {
    expect(await executeUntyped(input)).toEqual(notRun(`invalid input: ${message}`))
  })

  test('a blank command is reported before a context that cannot be used', async () => {
    expect(await executeUntyped({ command: ' ' }, { cwd: '/tmp' })).toEqual(
      notRun('invalid input: command: must not be empty (got " ")'),
    )
  })

  test('more than 4 MiB', async () => {
    expect(await executeUntyped({ command: 'x'.repeat(4 * 1024 * 1024 + 1) })).toEqual(
      notRun(expect.stringMatching(/^invalid input: command: must be at most 4194304 bytes \(got 4194305\)/)),
    )
  })

  test('a comment alone is a command that does nothing', async () => {
    expect(await tool.execute({ command: '# nothing' })).toEqual({ stdout: '', stderr: '', exitCode: 0 })
  })
})

describe('a context that cannot be used', () => {
  test.each<[unknown, string]>([
    [null, 'context: must be an object (got null)'],
    [{ workingDir: 7 }, 'context.workingDir: must be the path of a directory (got 7)'],
    [{ cancel: {} }, 'context.cancel: must be an AbortSignal (got {})'],
    [{ onEvent: 'log' }, 'context.onEvent: must be a function (got "log")'],
    [{ toolCallId: 7 }, 'context.toolCallId: must be a string (got 7)'],
    [{ sandbox: 'none' }, 'context.sandbox: must be one of unrestricted, restricted, workspace (got "none")'],
  ])('%j: %s', async (context, message) => {
    expect(await executeUntyped({ command: 'true' }, context)).toEqual(notRun(`invalid input: ${message}`))
  })

  test.each([
    ['/nonexistent', 'ENOENT (no such file or directory)'],
    ['/etc/passwd', 'ENOTDIR (not a directory)'],
  ])('a working directory %s that cannot be entered', async (workingDir, reason) => {
    expect(await tool.execute({ command: 'true' }, { workingDir })).toEqual(
      notRun(`working directory cannot be used: chdir ${workingDir}: ${reason}`),
    )
  })
})

describe('the command cannot be started', () => {
  test('no shell', async () => {
    const shellless = createExecTool({ shellPath: '/nonexistent/bash' })

    expect(await shellless.execute({ command: 'true' })).toEqual(
      notRun('command could not be started: execve /nonexistent/bash: ENOENT (no such file or directory)'),
    )
  })

  test('a shell that may not be executed', async () => {
    const path = unexecutable()

    expect(await createExecTool({ shellPath: path }).execute({ command: 'true' })).toEqual(
      notRun(`command could not be started: execve ${path}: EACCES (permission denied)`),
    )
  })

  test('no descriptors left: resources are exhausted, and afterwards commands run', async () => {
    const prefix = ['/bin/bash', '-c', 'ulimit -Sn 256 && exec "$@"', 'limited']

    expect(await runHost('exec-without-descriptors', { prefix })).toEqual({
      without: notRun('system resources unavailable: pipe: EMFILE (too many open files)'),
      afterwards: { stdout: 'done\n', stderr: '', exitCode: 0 },
    })
  })

  test.each(['EAGAIN', 'ENOMEM', 'ENFILE', 'EMFILE'] as const)('%s counts as exhausted', (name) => {
    const error = new BashError('ERR_SPAWN', `clone: ${name}`, {
      step: 'clone',
      errno: constants.errno[name],
    })

    expect(describeStartFailure(error).message).toBe(`system resources unavailable: clone: ${name}`)
  })

  test('where there is no sandbox, that is what is told', () => {
    const error = new BashError('ERR_SANDBOX_UNAVAILABLE', 'Restricted mode requires Linux')

    expect(describeStartFailure(error).message).toBe('sandbox unavailable: Restricted mode requires Linux')
  })

  test.each([new Error('by chance'), 'by chance'])('an exception of another kind is told: %p', (thrown) => {
    expect(describeStartFailure(thrown).message).toBe('by chance')
  })
})

describe('execute never rejects', () => {
  const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true })

  const expectResult = ({ stdout, stderr, exitCode, error }: ExecResult): void => {
    expect([typeof stdout, typeof stderr]).toEqual(['string', 'string'])
    expect(exitCode === null || Number.isInteger(exitCode)).toBe(true)
    expect(exitCode !== null || typeof error === 'string').toBe(true)
  }

  test('whatever the input', async () => {
    const inputs = fc.oneof(anything, fc.record({ command: anything }), fc.record({ command: fc.string() }))
    await fc.assert(
      fc.asyncProperty(inputs, async (input) => expectResult(await executeUntyped(input))),
      { numRuns: 200 },
    )
  })

  test('whatever the context', async () => {
    const contexts = fc.record(
      {
        workingDir: anything,
        cancel: anything,
        sandbox: anything,
        onEvent: anything,
        conversationId: anything,
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(fc.oneof(anything, contexts), async (context) =>
        expectResult(await executeUntyped({ command: 'true' }, context)),
      ),
      { numRuns: 200 },
    )
  })

  test('not even for a context that throws at every touch', async () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()

    expect(await executeUntyped({ command: 'true' }, proxy)).toEqual(notRun(expect.any(String)))
  })
})
