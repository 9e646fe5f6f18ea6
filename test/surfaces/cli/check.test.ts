// `bashward check`: the verdict on commands that are not run.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { bashward } from './in-process.js'
import { killPrograms, quotedBashward, startBashward, startProgram } from './program.js'

afterEach(async () => {
  await killPrograms()
  removeTempDirs()
})

/** If it ran all the same, git would have no repository. */
const refused = 'GIT_DIR=/no-such-directory git add -A'

describe('one command', () => {
  test('allowed: status 0, and nothing is printed', async () => {
    expect(await bashward(['check', 'ls -la'])).toMatchObject({ code: 0, stdout: '', stderr: '' })
  })

  test('refused: status 1, and what a model would read, on stdout', async () => {
    const { code, stdout, stderr } = await bashward(['check', refused], { cwd: tempDir() })

    expect(stdout).toMatch(/^\[command rejected: git-add-blind\] \S.*\n$/s)
    expect([code, stderr]).toEqual([1, ''])
  })

  test('several words are one command, and options after the first belong to it', async () => {
    expect(await bashward(['check', ...refused.split(' ')], { cwd: tempDir() })).toMatchObject({ code: 1 })
    expect(await bashward(['check', '--', '--json'])).toMatchObject({ code: 0, stdout: '' })
  })

  test('is not run', async () => {
    const cwd = tempDir()

    await bashward(['check', 'touch made'], { cwd })
    await bashward(['check', '--json', `touch made; ${refused}`], { cwd })

    expect(existsSync(join(cwd, 'made'))).toBe(false)
  })

  test('as JSON, allowed', async () => {
    const { code, stdout } = await bashward(['check', '--json', 'ls'])

    expect([code, JSON.parse(stdout)]).toEqual([0, { allowed: true, rule: null, match: null, message: null }])
  })

  test('as JSON, refused: with the place in the command', async () => {
    const { code, stdout } = await bashward(['check', '--json', `true && ${refused}`], { cwd: tempDir() })

    expect([code, JSON.parse(stdout)]).toEqual([
      1,
      {
        allowed: false,
        rule: 'git-add-blind',
        match: { start: expect.any(Number), end: expect.any(Number), text: expect.any(String) },
        message: expect.any(String),
      },
    ])
  })

  test('--cwd is where it would run', async () => {
    const home = tempDir()
    const env = { HOME: join(home, 'user') }
    const command = 'rm -rf user'

    // The home of a process is that of its own environment.
    const check = (cwd: string) => startBashward(['check', '--cwd', cwd, command], { env }).exited()

    expect(await check(home)).toMatchObject({ code: 1 })
    expect(await check(join(home, 'other'))).toMatchObject({ code: 0 })
  })
})

describe('wrong command lines', () => {
  test.each([
    ['no command', ['check'], 'no command given'],
    ['an empty directory', ['check', '--cwd', '', 'ls'], '--cwd must be the path of a directory (got "")'],
    ['an unknown option', ['check', '--nope', 'ls'], "unknown option '--nope'"],
    [
      'words beside --jsonl',
      ['check', '--jsonl', 'ls'],
      '--jsonl reads commands from stdin, and takes none here',
    ],
    [
      'both JSON',
      ['check', '--json', '--jsonl'],
      '--json cannot be used with --jsonl, which prints JSON anyway',
    ],
  ])('%s', async (_, args, message) => {
    const { code, stdout, stderr } = await bashward(args)

    expect([code, stdout]).toEqual([125, ''])
    expect(stderr).toContain(`bashward check: ${message}`)
  })
})

describe('--jsonl', () => {
  const ask = async (input: string, args: string[] = []) => {
    const { code, stdout, stderr } = await bashward(['check', '--jsonl', ...args], { cwd: tempDir(), input })
    return {
      code,
      stderr,
      answers: stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    }
  }

  test('answers each line, in order', async () => {
    const lines = ['ls', refused, `echo "${refused}"`].map((command) => JSON.stringify({ command }))
    const { code, stderr, answers } = await ask(lines.join('\n'))

    expect(answers).toEqual([
      { allowed: true, rule: null, message: null },
      { allowed: false, rule: 'git-add-blind', message: expect.any(String) },
      { allowed: true, rule: null, message: null },
    ])
    expect([code, stderr]).toEqual([0, ''])
  })

  test('answers a line before the next one comes', async () => {
    const program = startBashward(['check', '--jsonl'])
    const answers = () => program.stdout().split('\n').length - 1
    for (const count of [1, 2]) {
      program.process.stdin?.write('{"command":"ls"}\n')
      await waitFor(() => answers() === count || undefined, { what: `answer ${count}` })
    }
    program.process.stdin?.end()

    expect(await program.exited()).toMatchObject({ code: 0 })
  })

  test('a line that is wrong gets an error, the others their answers, and the status tells', async () => {
    const { code, stderr, answers } = await ask('{"command":"ls"}\nnonsense\n{"command":"ls"}\n')

    expect(answers).toEqual([
      { allowed: true, rule: null, message: null },
      {
        error: {
          code: 'ERR_INVALID_INPUT',
          message: 'line 2: input: must be a JSON object (got "nonsense")',
        },
      },
      { allowed: true, rule: null, message: null },
    ])
    expect([code, stderr]).toEqual([125, ''])
  })

  test('nothing in, nothing out', async () => {
    expect(await ask('')).toEqual({ code: 0, stderr: '', answers: [] })
  })

  test('a reader that has seen enough ends it', async () => {
    const script = `yes '{"command":"ls"}' | ${quotedBashward} check --jsonl | head -n 1`
    const { code, stdout, stderr } = await startProgram('bash', ['--norc', '-c', script]).exited()

    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toMatchObject({ allowed: true })
  })
})

describe('bashward run', () => {
  test('a refused command ends with status 126, and has not run', async () => {
    const cwd = tempDir()
    const { code, stdout, stderr } = await bashward(['run', `touch made; ${refused}`], { cwd })

    expect([code, stdout]).toEqual([126, ''])
    expect(stderr).toMatch(/^\[command rejected: git-add-blind\] \S/)
    expect(existsSync(join(cwd, 'made'))).toBe(false)
  })

  test.each(['bash', 'suite', 'exec'])('with --profile %s too, and --json', async (profile) => {
    const options = { cwd: tempDir() }
    const { code, stdout } = await bashward(['run', '--profile', profile, '--json', refused], options)

    expect(code).toBe(126)
    expect(JSON.parse(stdout)).toMatchObject(
      profile === 'exec'
        ? {
            stdout: '',
            stderr: '',
            exitCode: null,
            error: expect.stringMatching(/^command rejected: git-add-blind: /),
          }
        : { status: 'rejected', rejection: { rule: 'git-add-blind' } },
    )
  })

  test('a background job that is refused does not start', async () => {
    const { code, stdout } = await bashward(['run', '--mode', 'background', refused], { cwd: tempDir() })

    expect([code, stdout]).toEqual([126, ''])
  })

  test.each(['bash', 'suite', 'exec'])('--no-safety runs it, with --profile %s', async (profile) => {
    const args = ['run', '--profile', profile, '--no-safety', `${refused}; echo "it ran"`]
    const { code, stdout } = await bashward(args, { cwd: tempDir() })

    expect([code, stdout]).toEqual([0, expect.stringMatching(/it ran\n$/)])
  })
})
