// Deno, with the permissions that docs/runtimes.md names.
import { join } from 'node:path'
import { removeTempDirs } from '../support/temp-dir.js'
import {
  addPrograms,
  bashward,
  type Consumer,
  execute,
  makeConsumer,
  type Outcome,
  output,
} from './support/consumer.js'
import { expectWorking, parseReport } from './support/expectations.js'
import { nodePath, tarball, toolPath } from './support/tools.js'

const forCommands = ['--allow-read', '--allow-env', '--allow-sys', '--allow-ffi']

let consumer: Consumer

beforeAll(() => {
  consumer = makeConsumer(nodePath(24))
  output(consumer, [nodePath(24), toolPath('npm-11/bin/npm-cli.js'), 'install', '--no-audit', tarball])
  addPrograms(consumer)
  Object.assign(consumer.environment, { DENO_DIR: join(consumer.directory, 'deno'), NO_COLOR: '1' })
})

afterAll(removeTempDirs)

const deno = (permissions: string[], program: string): Outcome =>
  execute(consumer, [toolPath('deno/deno'), 'run', '--no-prompt', ...permissions, program])

test.each(['consumer.mjs', 'consumer.cjs'])('%s does everything with all permissions', (program) => {
  const { stdout, stderr } = deno(['--allow-all'], program)

  expect(stderr).toBe('')
  expectWorking(parseReport(stdout))
})

test('the command line', () => {
  const words = [toolPath('deno/deno'), 'run', '--allow-all', bashward, 'run', 'echo hi; exit 3']

  expect(execute(consumer, words)).toMatchObject({ status: 3, stdout: 'hi\n' })
})

test('commands and sessions need four', () => {
  const { stdout, stderr } = deno(forCommands, 'commands.mjs')

  expect(stderr).toBe('')
  expect(stdout).toBe('{"output":"","exitCode":0}\n{"output":"hello\\n","exitCode":3}\n')
})

test('Restricted mode needs to write, too', () => {
  const { stdout, stderr } = deno([...forCommands, '--allow-write'], 'restricted.mjs')

  expect(stderr).toBe('')
  expect(stdout).toBe('hi\nbash: line 1: written: Permission denied\n\n')
  expect(deno(forCommands, 'restricted.mjs').stdout).toContain('run again with the --allow-write flag')
})

test.each(['--allow-env', '--allow-sys', '--allow-ffi', '--allow-read'])(
  'Deno names %s when it is missing',
  (missing) => {
    const { stdout, stderr } = deno(
      forCommands.filter((permission) => permission !== missing),
      'commands.mjs',
    )

    expect(stdout + stderr).toContain(`run again with the ${missing} flag`)
  },
)
