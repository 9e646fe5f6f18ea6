// The exec tool: its definition, its examples, its options.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createExecTool, type ExecToolOptions } from '../../lib/tools/exec-tool.js'
import { killHosts, runHost } from '../support/host.js'
import { killLeftovers, uniqueSleep, waitForSleep } from '../support/processes.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'

afterEach(killHosts)
afterEach(killLeftovers)
afterAll(removeTempDirs)

const tool = createExecTool()

describe('the definition', () => {
  test('is named bash', () => {
    expect(tool.name).toBe('bash')
  })

  test('has the input {command}', () => {
    expect(JSON.parse(JSON.stringify(tool.inputSchema))).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { command: { type: 'string', minLength: 1, description: 'The bash command to execute' } },
      required: ['command'],
      additionalProperties: false,
    })
  })

  test('describes itself in its own words, with its limits and the working directory', () => {
    expect(createExecTool({ timeout: 1500, safety: false }).description({ workingDir: '/usr' })).toBe(
      'Execute a bash command and return stdout/stderr\n\n' +
        'Commands are killed after 1.5s. Of stdout and of stderr the first 1 MiB is returned.\n\n' +
        '<pwd>/usr</pwd>',
    )
  })

  test("describes the process's own directory without a context", () => {
    expect(tool.description()).toContain(`<pwd>${process.cwd()}</pwd>`)
  })

  test('cannot describe a context that cannot be used', () => {
    expect(() => tool.description({ workingDir: '' })).toThrow(/^context\.workingDir: must be the path/)
  })
})

describe('the examples of 002', () => {
  test('a simple command', async () => {
    expect(await tool.execute({ command: "echo 'hello world'" })).toEqual({
      stdout: 'hello world\n',
      stderr: '',
      exitCode: 0,
    })
  })

  test('a command with an error', async () => {
    expect(await tool.execute({ command: 'LC_ALL=C ls /nonexistent' })).toEqual({
      stdout: '',
      // 002 shows the words and the status of another system's ls.
      stderr: expect.stringMatching(/^ls: .*\/nonexistent.*: No such file or directory\n$/),
      exitCode: 2,
    })
  })

  test('a piped command', async () => {
    const workingDir = tempDir()
    writeFileSync(join(workingDir, 'file.txt'), 'a pattern\nnothing\nanother pattern\n')

    expect(await tool.execute({ command: 'cat file.txt | grep pattern | wc -l' }, { workingDir })).toEqual({
      stdout: '2\n',
      stderr: '',
      exitCode: 0,
    })
  })
})

describe('a command', () => {
  test('has its two streams apart', async () => {
    expect(await tool.execute({ command: 'echo out; echo err >&2; echo out; exit 7' })).toEqual({
      stdout: 'out\nout\n',
      stderr: 'err\n',
      exitCode: 7,
    })
  })

  test('runs in /bin/bash, whatever bash is on PATH', async () => {
    expect(await tool.execute({ command: 'readlink -f /proc/$$/exe; readlink -f /bin/bash' })).toMatchObject({
      stdout: expect.stringMatching(/^(\/.+)\n\1\n$/),
    })
  })

  test('runs in the directory of the context', async () => {
    expect(await tool.execute({ command: 'pwd' }, { workingDir: '/usr' })).toMatchObject({ stdout: '/usr\n' })
  })

  test.each<[string, object | undefined]>([
    ['no context', undefined],
    ['a context without one', {}],
    ['a context with an undefined one', { workingDir: undefined }],
  ])("runs in the process's own directory with %s", async (_, context) => {
    expect(await tool.execute({ command: 'pwd' }, context)).toMatchObject({ stdout: `${process.cwd()}\n` })
  })

  test('follows the process to another directory', async () => {
    const before = process.cwd()
    process.chdir('/usr')
    const result = await tool.execute({ command: 'pwd' })
    process.chdir(before)

    expect(result.stdout).toBe('/usr\n')
  })

  test('keeps nothing for the next one', async () => {
    await tool.execute({ command: 'cd /usr; export KEPT=1' }, { workingDir: '/' })

    expect(await tool.execute({ command: 'pwd; echo "$KEPT"' }, { workingDir: '/' })).toMatchObject({
      stdout: '/\n\n',
    })
  })

  test('reads an empty stdin', async () => {
    expect(await tool.execute({ command: 'cat; read -r line; echo $?' })).toMatchObject({ stdout: '1\n' })
  })

  test('returns at once when it leaves a process running, which lives on', async () => {
    const marker = uniqueSleep()

    expect(await tool.execute({ command: `sleep ${marker} & echo done` })).toEqual({
      stdout: 'done\n',
      stderr: '',
      exitCode: 0,
    })
    expect(await waitForSleep(marker)).toHaveLength(1)
  })

  test('does not mix with others that run at the same time', async () => {
    const commands = Array.from({ length: 8 }, (_, i) => `echo out${i}; echo err${i} >&2; exit ${i}`)
    const results = await Promise.all(commands.map((command) => tool.execute({ command })))

    expect(results).toEqual(
      commands.map((_, i) => ({ stdout: `out${i}\n`, stderr: `err${i}\n`, exitCode: i })),
    )
  })
})

describe('the text', () => {
  test('is the JSON of 002', async () => {
    const result = await tool.execute({ command: 'echo "\\"é"; echo err >&2; exit 1' })

    expect(tool.toText(result)).toBe('{"stdout":"\\"é\\n","stderr":"err\\n","exitCode":1}')
  })

  test('has the error last', () => {
    expect(tool.toText({ error: 'command cancelled', exitCode: null, stderr: '', stdout: 'on\n' })).toBe(
      '{"stdout":"on\\n","stderr":"","exitCode":null,"error":"command cancelled"}',
    )
  })
})

describe('options', () => {
  const createUntyped = createExecTool as (options: unknown) => unknown

  test.each<[unknown, string]>([
    [null, 'options: must be an object (got null)'],
    [
      { cwd: '/' },
      'options.cwd: unknown field; workingDir belongs in the context of a call (allowed: shellPath, env, timeout, survivors, termGraceMs, scratch, required, workspace, redact, maxOutputChars, explain, safety, verdicts, calls)',
    ],
    [{ shellPath: 'bash' }, 'shellPath: must be an absolute path (got "bash")'],
    [{ timeout: 0 }, 'timeout: must be an integer from 1 to 86400000 milliseconds (got 0)'],
    [{ timeout: '30s' }, 'timeout: must be an integer from 1 to 86400000 milliseconds (got "30s")'],
    [{ env: null }, 'env: must be an object (got null)'],
    [{ env: 'all' }, 'env: must be an object (got "all")'],
    [{ env: { inherit: 'some' } }, 'env.inherit: must be one of filtered, all, none (got "some")'],
    [{ survivors: 'keep' }, 'survivors: must be one of adopt, kill (got "keep")'],
    [{ termGraceMs: -1 }, 'termGraceMs: must be an integer from 0 to 10000 milliseconds (got -1)'],
  ])('%j: %s', (options, message) => {
    expect(() => createUntyped(options)).toThrow(
      expect.objectContaining({ name: 'BashError', code: 'ERR_INVALID_INPUT', message }),
    )
  })

  test('that are undefined are left at their defaults', async () => {
    const options: Required<ExecToolOptions> = {
      shellPath: undefined,
      env: undefined,
      timeout: undefined,
      survivors: undefined,
      termGraceMs: undefined,
    } as Required<ExecToolOptions>

    expect(await createExecTool(options).execute({ command: 'echo hi' })).toMatchObject({ stdout: 'hi\n' })
  })

  test('shellPath is the program that gets the command', async () => {
    const echo = createExecTool({ shellPath: '/bin/echo' })

    expect(await echo.execute({ command: 'a  b' })).toEqual({
      stdout: '-c -- a  b\n',
      stderr: '',
      exitCode: 0,
    })
  })

  test("survivors: 'kill' leaves nothing running", async () => {
    const marker = uniqueSleep()
    const killing = createExecTool({ survivors: 'kill' })
    const result = await killing.execute({
      command: `sleep ${marker} & echo $!; disown`,
    })

    expect(await tool.execute({ command: `kill -0 ${result.stdout}` })).toMatchObject({ exitCode: 1 })
  })
})

describe('in a host of its own', () => {
  test('a working directory that is gone is told, and others work', async () => {
    expect(await runHost('exec-removed-directory')).toEqual({
      result: {
        stdout: '',
        stderr: '',
        exitCode: null,
        error: 'working directory cannot be used: getcwd: ENOENT (no such file or directory)',
      },
      elsewhere: { stdout: '/\n', stderr: '', exitCode: 0 },
    })
  })
})
