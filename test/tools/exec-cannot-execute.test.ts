// What bash could not execute is an error of the exec tool's, told from what bash says of it.
import { createExecTool } from '../../lib/tools/exec-tool.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { unexecutable } from './unexecutable.js'

afterAll(removeTempDirs)

const tool = createExecTool()

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
    ['PATH=/usr/bin:/bin env no-such-command-here'],
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
