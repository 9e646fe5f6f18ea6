// Errors of the exec tool (REQ-EXEC-005), each by a real command: `execute` returns a result with `error` and never rejects.
import { constants } from 'node:os'
import { BashError } from '../../lib/base/errors.js'
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
  test('a blank command is reported before a context that cannot be used', async () => {
    expect(await executeUntyped({ command: ' ' }, { cwd: '/tmp' })).toEqual(
      notRun('invalid input: command: must not be empty (got " ")'),
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
