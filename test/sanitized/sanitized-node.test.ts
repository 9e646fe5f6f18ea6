// What is sanitized in a run of jest.sanitized.config.js, and what is not.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../lib/index.js'

const addon = join(process.env.BASHWARD_PREBUILD ?? '', 'build/Release/bashward.node')

const output = async (command: string): Promise<string> => (await run(command, { cwd: '/' })).output

/** An addon is in memory of its own; a descriptor keeps the number of its file. */
const openFiles = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${descriptor}`)]
    } catch {
      return [] // that of the look itself
    }
  })

test('the addon of this process is', async () => {
  expect(await output('echo hello')).toBe('hello\n')
  expect(openFiles(process.pid)).toContain(addon)
  expect(readFileSync('/proc/self/maps', 'utf8')).toContain('asan')
})

test('that of another Node is, whatever its environment', () => {
  const program = `
    const { run } = require('${join(__dirname, '../../dist/index.js')}')
    run('exit 7', { cwd: '/' }).then(async ({ exitCode }) => {
      const { output } = await run('readlink /proc/' + process.pid + '/fd/*', { cwd: '/' })
      console.log(exitCode, output.split('\\n').includes('${addon}'))
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
