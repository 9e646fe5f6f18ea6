// What `bashward run` gives its command to read: what was piped into it, or its file.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testRestricted } from '../../support/restricted.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { binPath, killPrograms, quotedBashward, startProgram } from './program.js'

afterEach(killPrograms)
afterAll(removeTempDirs)

/** A shell's command line in which BASHWARD stands for the program. */
const shell = (line: string): string => {
  const { stdout, stderr } = spawnSync('bash', ['-c', line.replaceAll('BASHWARD', quotedBashward)], {
    cwd: '/',
    encoding: 'utf8',
    timeout: 60_000,
  })
  return stdout + stderr
}

test('a pipe', () => {
  expect(shell("printf 'a\\nb\\n' | BASHWARD run 'wc -l; echo done'")).toBe('2\ndone\n')
})

test('a file', () => {
  const file = join(tempDir(), 'file')
  writeFileSync(file, 'text')

  expect(shell(`BASHWARD run cat <'${file}'`)).toBe('text')
})

test.each(['exec', 'suite'])('with --profile %s', (profile) => {
  expect(shell(`echo x | BASHWARD run --profile ${profile} cat`)).toContain('x\n')
})

testRestricted('in Restricted mode', async () => {
  expect(shell('echo x | BASHWARD run --restricted cat')).toBe('x\n')
})

test('a pipe that ends late is waited for', () => {
  expect(shell('(sleep 1; echo late) | BASHWARD run cat')).toBe('late\n')
})

test.each([
  ['where it reads its command from there', "echo 'wc -c' | BASHWARD run -"],
  ['of /dev/null', 'BASHWARD run wc -c </dev/null'],
  ['where there is no stdin', 'BASHWARD run wc -c <&-'],
])('nothing %s', (_, line) => {
  expect(shell(line)).toBe('0\n')
})

test.each([
  ['what is in it', 'text'],
  ['its end', ''],
])('of a socket, as programs of Node give it, %s', (_, input) => {
  const { stdout } = spawnSync(process.execPath, [binPath, 'run', 'cat; echo done'], {
    input,
    encoding: 'utf8',
  })

  expect(stdout).toBe(`${input}done\n`)
})

// bash takes itself for the shell of rshd then.
test.each(['native', 'portable'])('a socket does not make bash read ~/.bashrc: %s engine', (engine) => {
  const HOME = tempDir()
  writeFileSync(join(HOME, '.bashrc'), 'echo noise\n')
  const { stdout } = spawnSync(process.execPath, [binPath, 'run', 'cat'], {
    input: 'text',
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME, BASHWARD_ENGINE: engine },
  })

  expect(stdout).toBe('text')
})

test('nothing of a socket that says nothing, which would be waited for', async () => {
  const program = startProgram(process.execPath, [binPath, 'run', 'wc -c'])

  expect(await program.exited()).toMatchObject({ stdout: '0\n' })
})

test('nothing for a background job', () => {
  const text = shell("echo x | BASHWARD run --mode background 'readlink /proc/self/fd/0; sleep 300'")
  const [id] = /bash_\w+/.exec(text) ?? []

  expect(
    shell(`BASHWARD jobs wait ${id} --timeout 1; BASHWARD jobs output ${id}; BASHWARD jobs kill ${id}`),
  ).toContain('/dev/null')
})
