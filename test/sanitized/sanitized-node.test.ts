// What is sanitized in a run of jest.sanitized.config.js, and what is not.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../lib/index.js'

const addon = join(process.env.BASHWARD_PREBUILD ?? '', 'build/Release/bashward.node')

const output = async (command: string): Promise<string> => (await run(command, { cwd: '/' })).output

test('the addon of this process is', async () => {
  expect(await output('echo hello')).toBe('hello\n')
  const maps = readFileSync('/proc/self/maps', 'utf8')
  expect(maps).toContain(addon)
  expect(maps).toContain('asan')
})

test('that of another Node is, whatever its environment', () => {
  const program = `
    const { run } = require('${join(__dirname, '../../dist/index.js')}')
    run('exit 7', { cwd: '/' }).then(({ exitCode }) => {
      console.log(exitCode, require('node:fs').readFileSync('/proc/self/maps', 'utf8').includes('${addon}'))
    })`
  expect(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8', env: {} })).toBe('7 true\n')
})

test('the supervisor is', async () => {
  expect(await output('grep -c asan /proc/$PPID/maps')).toMatch(/^[1-9]/)
})

test('a command is not, and nothing in its environment tells', async () => {
  expect(await output('grep -c asan /proc/$$/maps')).toBe('0\n')
  expect(await output('env | grep -Ei "^(asan|ubsan|lsan)_|^ld_preload|sanitized/preload"')).toBe('')
})
