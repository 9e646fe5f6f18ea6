// The error conditions of 002, each with a real command: `execute` gives a result with an `error`, and never rejects.
import { chmodSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { BashError } from '../../lib/errors.js'
import { describeStartFailure, type ExecResult } from '../../lib/tools/exec-result.js'
import { createExecTool } from '../../lib/tools/exec-tool.js'
import { killHosts, runHost } from '../support/host.js'
import { killLeftovers, processesWith, uniqueSleep } from '../support/processes.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'

afterEach(killHosts)
afterEach(killLeftovers)
afterAll(removeTempDirs)

const tool = createExecTool()
/** It reads no command: nothing that is made up here can do anything. */
const harmless = createExecTool({ shellPath: '/bin/true' })
const executeUntyped = harmless.execute as (input: unknown, context?: unknown) => Promise<ExecResult>

const notRun = (error: unknown) => ({ stdout: '', stderr: '', exitCode: null, error })

/** A file without permission to execute it, which not even root may. */
const unexecutable = (): string => {
  const path = join(tempDir(), 'script')
  writeFileSync(path, '#!/bin/sh\necho hi\n')
  chmodSync(path, 0o644)
  return path
}

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
    [{ sandbox: 'none' }, 'context.sandbox: must be one of unrestricted, restricted (got "none")'],
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

describe('timeout', () => {
  test('is an error beside the output, and nothing is left running', async () => {
    const marker = uniqueSleep()
    const impatient = createExecTool({ timeout: 500 })
    const command = `setsid -f sleep ${marker}; echo out; echo err >&2; sleep ${marker}`

    expect(await impatient.execute({ command })).toEqual({
      stdout: 'out\n',
      stderr: expect.stringMatching(/^err\n/),
      exitCode: null,
      error: 'command timed out after 0.5s',
    })
    expect(processesWith(marker)).toEqual([])
  })

  test('has no exit code, also when bash exits with 0 on being terminated', async () => {
    const impatient = createExecTool({ timeout: 500 })
    const result = await impatient.execute({ command: 'trap "exit 0" TERM; while :; do sleep 0.05; done' })

    expect(result).toMatchObject({ exitCode: null, error: 'command timed out after 0.5s' })
  })
})

describe('cancel', () => {
  test('is an error beside the output, and nothing is left running', async () => {
    const marker = uniqueSleep()
    const controller = new AbortController()
    const context = {
      cancel: controller.signal,
      onEvent: ({ type }: { type: string }) => {
        if (type === 'output') controller.abort()
      },
    }

    expect(await tool.execute({ command: `echo on; sleep ${marker}` }, context)).toEqual({
      stdout: 'on\n',
      stderr: expect.any(String),
      exitCode: null,
      error: 'command cancelled',
    })
    expect(processesWith(marker)).toEqual([])
  })

  test('before the call: the command does not run', async () => {
    expect(await tool.execute({ command: 'echo hi' }, { cancel: AbortSignal.abort() })).toEqual(
      notRun('command cancelled'),
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

    expect(describeStartFailure(error)).toBe(`system resources unavailable: clone: ${name}`)
  })

  test('where there is no sandbox, that is what is told', () => {
    const error = new BashError('ERR_SANDBOX_UNAVAILABLE', 'Restricted mode requires Linux')

    expect(describeStartFailure(error)).toBe('sandbox unavailable: Restricted mode requires Linux')
  })

  test.each([new Error('by chance'), 'by chance'])('an exception of another kind is told: %p', (thrown) => {
    expect(describeStartFailure(thrown)).toBe('by chance')
  })
})

describe('command not found', () => {
  test.each([
    ['no-such-command-here', 'no-such-command-here'],
    ['no-such-command-here --version 2>&1', 'no-such-command-here'],
    ['cd /; ./no-such-script', './no-such-script'],
    ['exec no-such-command-here', 'no-such-command-here'],
    ['f() { no-such-command-here; }; f', 'no-such-command-here'],
    ['echo before; (no-such-command-here)', 'no-such-command-here'],
    [`no-such-command-here '${'x'.repeat(140_000)}'`, 'no-such-command-here'],
  ])('%.60s', async (command, name) => {
    const { exitCode, error } = await tool.execute({ command })

    expect({ exitCode, error }).toEqual({ exitCode: 127, error: `command not found: ${name}` })
  })

  test('is an error beside the output', async () => {
    expect(await tool.execute({ command: 'echo before; no-such-command-here' })).toEqual({
      stdout: 'before\n',
      stderr: 'bash: line 1: no-such-command-here: command not found\n',
      exitCode: 127,
      error: 'command not found: no-such-command-here',
    })
  })

  test.each([
    ['exit 127'],
    ["echo 'foo: command not found' >&2; exit 127"],
    ['env no-such-command-here'],
    ['set -u; echo $no_such_variable'],
    ['no-such-command-here 2>/dev/null'],
    ["printf 'no-such-command-here\\n' > script; bash script"],
  ])('%s fails as a command', async (command) => {
    const result = await tool.execute({ command }, { workingDir: tempDir() })

    expect(result).toMatchObject({ exitCode: 127 })
    expect(result).not.toHaveProperty('error')
  })

  test('that the command goes on after is no error', async () => {
    expect(await tool.execute({ command: 'no-such-command-here || echo instead' })).toEqual({
      stdout: 'instead\n',
      stderr: expect.stringContaining('command not found'),
      exitCode: 0,
    })
  })
})

describe('permission denied', () => {
  test('for a file that is not executable', async () => {
    const path = unexecutable()

    expect(await tool.execute({ command: path })).toEqual({
      stdout: '',
      stderr: `bash: line 1: ${path}: Permission denied\n`,
      exitCode: 126,
      error: `permission denied: ${path}`,
    })
  })

  test('a directory cannot be executed', async () => {
    expect(await tool.execute({ command: '/usr' })).toMatchObject({
      exitCode: 126,
      error: 'command cannot be executed: /usr: Is a directory',
    })
  })

  test.each([
    ['exit 126', 126],
    ["echo 'cat: /etc/shadow: Permission denied' >&2; exit 1", 1],
    [`env '${__filename}'`, 126],
  ])('%.60s fails as a command', async (command, exitCode) => {
    const result = await tool.execute({ command })

    expect(result).toMatchObject({ exitCode })
    expect(result).not.toHaveProperty('error')
  })
})

describe('resources that the command lacks', () => {
  test('bash without descriptors for a pipe', async () => {
    expect(await tool.execute({ command: 'ulimit -n 3; true | true' })).toMatchObject({
      exitCode: expect.any(Number),
      error: 'system resources unavailable: pipe error: Too many open files',
    })
  })
})

describe('a signal', () => {
  test('that ends bash is an error, with the exit code of a shell', async () => {
    expect(await tool.execute({ command: 'echo before; kill -KILL $$' })).toEqual({
      stdout: 'before\n',
      stderr: '',
      exitCode: 137,
      error: 'command killed by SIGKILL',
    })
  })

  test('without a name is numbered', async () => {
    expect(await tool.execute({ command: 'kill -40 $$' })).toMatchObject({
      exitCode: 168,
      error: 'command killed by signal 40',
    })
  })

  test('that ends a program of the command is a failure like any other', async () => {
    const result = await tool.execute({ command: "bash -c 'kill -KILL $$'; exit $?" })

    expect(result).toMatchObject({ exitCode: 137 })
    expect(result).not.toHaveProperty('error')
  })

  test('to the process that watches over the command is told', async () => {
    expect(await tool.execute({ command: 'kill -KILL $PPID; sleep 30' })).toMatchObject({
      exitCode: null,
      error:
        'the process that watched over the command was killed, and bash with it; ' +
        'what the command had moved to other process groups may still run',
    })
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
