// What a command gets, and where its output and its end are reported: stdout holds output only.
import { mkdirSync, realpathSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { killLeftovers, sleepsWith, uniqueSleep } from '../../support/processes.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { bashward } from './in-process.js'
import { jobsOfTest, killPrograms, quotedBashward, startProgram } from './program.js'

afterEach(async () => {
  await killPrograms()
  killLeftovers()
  removeTempDirs()
})

describe('bashward run', () => {
  test('prints the output of a success and nothing else', async () => {
    expect(await bashward(['run', 'echo hello'])).toMatchObject({ stdout: 'hello\n', stderr: '' })
  })

  test('prints nothing for a success without output', async () => {
    expect(await bashward(['run', 'true'])).toMatchObject({ stdout: '', stderr: '' })
  })

  test('stdout and stderr of the command are both output, in their order', async () => {
    const command = 'for i in 1 2 3; do echo o$i; echo e$i >&2; done'
    expect(await bashward(['run', command])).toMatchObject({
      stdout: 'o1\ne1\no2\ne2\no3\ne3\n',
      stderr: '',
    })
  })

  test('several words are one command', async () => {
    const { stdout } = await bashward(['run', 'printf', '%s,', 'a', '"b c";', 'echo', '-n', '--json'])
    expect(stdout).toBe('a,b c,--json')
  })

  test('a command may begin with a dash after --', async () => {
    expect(await bashward(['run', '--', '-no-such-command'])).toMatchObject({
      code: 127,
      stdout: expect.stringContaining('-no-such-command: command not found'),
    })
  })

  test('the status of a failure goes to stderr', async () => {
    expect(await bashward(['run', 'echo before; exit 3'])).toMatchObject({
      stdout: 'before\n',
      stderr: '[command failed: exit code 3]\n',
    })
  })

  test('so does that of a timeout, with the output before it on stdout', async () => {
    expect(await bashward(['run', '--timeout', '1.5', 'echo before; sleep 30'])).toMatchObject({
      stdout: 'before\n',
      stderr: '[command timed out after 1.5s]\n',
    })
  })

  test('--timeout replaces that of mode slow too', async () => {
    expect(await bashward(['run', '--mode', 'slow', '--timeout', '0.2', 'sleep 30'])).toMatchObject({
      stderr: '[command timed out after 0.2s]\n',
    })
  })

  test('an error of the system goes to stderr', async () => {
    expect(await bashward(['run', '--cwd', '/no/such/directory', 'true'])).toMatchObject({
      stdout: '',
      stderr: '[system error: chdir /no/such/directory: ENOENT (no such file or directory)]\n',
    })
  })

  test('processes left running are named on stderr, with the job they have become', async () => {
    const marker = uniqueSleep()
    const { code, stdout, stderr } = await bashward(['run', `sleep ${marker} & echo done`])
    const [survivor] = sleepsWith(marker)
    const [job] = await jobsOfTest().list()

    expect({ code, stdout }).toEqual({ code: 0, stdout: 'done\n' })
    expect(job).toMatchObject({ status: 'running', record: { adopted: true } })
    expect(stderr).toBe(
      `[still running as job ${job?.id}: ${survivor?.pid} (sleep ${marker}); ` +
        `output goes on in ${job?.outputFile}; to stop: bashward jobs kill ${job?.id}]\n`,
    )
  })

  test('no escape sequences where there is no terminal', async () => {
    const { stderr } = await bashward(['run', 'exit 3'], { env: { COLORTERM: 'truecolor' } })
    expect(stderr).toBe('[command failed: exit code 3]\n')
  })
})

describe('the working directory', () => {
  test('is the current one', async () => {
    const cwd = realpathSync(tempDir())
    expect(await bashward(['run', 'pwd'], { cwd })).toMatchObject({ stdout: `${cwd}\n` })
  })

  test('is that of --cwd, taken from the current one', async () => {
    const cwd = realpathSync(tempDir())
    mkdirSync(join(cwd, 'inner'))
    expect(await bashward(['run', '--cwd', 'inner', 'pwd'], { cwd })).toMatchObject({
      stdout: `${cwd}/inner\n`,
    })
  })

  test('a removed one is an error that says so', async () => {
    const cwd = realpathSync(tempDir())
    const remove = `cd '${cwd}/inner' && rmdir '${cwd}/inner' && exec ${quotedBashward} run pwd`
    mkdirSync(join(cwd, 'inner'))
    const { code, stdout, stderr } = await startProgram('bash', ['--norc', '-c', remove]).exited()

    expect({ code, stdout }).toEqual({ code: 125, stdout: '' })
    expect(stderr).toMatch(/^\[system error: getcwd: ENOENT/)
    expect(() => rmdirSync(join(cwd, 'inner'))).toThrow('ENOENT')
  })
})
