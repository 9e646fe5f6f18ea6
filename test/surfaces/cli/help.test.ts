import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../support/as-user.js'
import { bashward } from './in-process.js'
import { killPrograms, quotedBashward, startProgram } from './program.js'

afterEach(killPrograms)

const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string }

describe('--help', () => {
  test.each([['--help'], ['-h']])('%s lists the commands', async (option) => {
    const { code, stdout, stderr } = await bashward([option])

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Usage: bashward /)
    expect(stdout).toMatch(/^ {2}run /m)
    expect(stdout).toMatch(/^ {2}check /m)
    expect(stdout).toMatch(/^ {2}jobs /m)
    expect(stdout).toMatch(/^ {2}doctor /m)
  })

  test('run --help names every option and exit status', async () => {
    const { code, stdout } = await bashward(['run', '--help'])

    expect(code).toBe(0)
    for (const part of [
      '--mode',
      'background',
      '--profile',
      'exec',
      'suite',
      '--timeout',
      '--tty',
      '--rows',
      '--cols',
      '--cwd',
      '--restricted',
      '--scratch',
      '--workspace',
      '--writable',
      '--unreadable',
      '--allow-domain',
      '--shared-memory',
      '--no-safety',
      '--json',
      '--help',
      '--version',
      '124',
      '125',
      '126',
      '130',
    ]) {
      expect(stdout).toContain(part)
    }
  })

  test('jobs --help names every word, option and exit status', async () => {
    const { code, stdout } = await bashward(['jobs', '--help'])

    expect(code).toBe(0)
    for (const part of [
      ...['list', 'output ID', 'wait ID', 'attach ID', 'screen ID', 'input ID', 'kill ID', 'clean'],
      ...['  1 ', '122', '123', '124', '125', '128+n'],
      ...['--running', '-f, --follow', '--filter', '--offset', '--all', '--json', '--timeout', '--read-only'],
      ...['--resize', '--keys', '--no-submit'],
    ]) {
      expect(stdout).toContain(part)
    }
  })

  test('doctor --help names every option and exit status', async () => {
    const { code, stdout } = await bashward(['doctor', '--help'])

    expect(code).toBe(0)
    for (const part of ['--json', '  0 ', '  1 ', '125']) expect(stdout).toContain(part)
  })

  test.each([
    ['--help'],
    ['run --help'],
    ['check --help'],
    ['jobs --help'],
    ['doctor --help'],
    ['mcp --help'],
  ])('%s fits a terminal of 80 columns', async (words) => {
    const { stdout } = await bashward(words.split(' '))

    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  test('a reader that has seen enough is no error', async () => {
    const pipeline = `${quotedBashward} run --help | head -1; echo "\${PIPESTATUS[0]}"`
    const { stdout, stderr } = await startProgram('bash', ['--norc', '-c', pipeline]).exited()

    expect(stdout).toBe('Usage: bashward run [OPTIONS] [--] COMMAND...\n0\n')
    expect(stderr).toBe('')
  })
})

describe('--version', () => {
  test.each([['--version'], ['run --version'], ['jobs --version'], ['doctor --version']])(
    '%s prints that of the package',
    async (words) => {
      expect(await bashward(words.split(' '))).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' })
    },
  )
})
