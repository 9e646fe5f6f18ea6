// What a command reads from stdin.
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { JobStore, type RunOptions, run } from '../../../lib/index.js'
import { killLeftovers } from '../../support/processes.js'
import { testRestricted } from '../../support/restricted.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { testWorkspace } from '../../support/workspace.js'

afterEach(killLeftovers)
afterAll(removeTempDirs)

const outputOf = async (command: string, options: Partial<RunOptions> = {}): Promise<string> => {
  const { status, output } = await run(command, { cwd: '/', timeout: 30_000, ...options })
  return status === 'completed' ? output : `${status}: ${output}`
}

test('by default there is nothing', async () => {
  expect(await outputOf('wc -c; readlink /proc/self/fd/0')).toBe('0\n/dev/null\n')
})

test.each<[string, RunOptions['input'], string]>([
  ['text', 'ä\nb', 'ä\nb'],
  ['no text', '', ''],
  ['bytes', Buffer.from('a\0b'), 'a␀b'],
  ['a part of others', new Uint8Array(Buffer.from('xabcx').buffer, 0, 0), ''],
  ['a view', Buffer.from('xabcx').subarray(1, 4), 'abc'],
])('%s', async (_, input, expected) => {
  expect(await outputOf('cat', { input })).toBe(expected)
})

test('more than a pipe holds', async () => {
  const input = randomBytes(5_000_000)
  const sum = createHash('sha256').update(input).digest('hex')

  expect(await outputOf('sha256sum', { input })).toBe(`${sum}  -\n`)
})

test('what one program has left, the next one reads', async () => {
  expect(await outputOf('read -r line; echo "<$line>"; cat', { input: 'one\ntwo\nthree\n' })).toBe(
    '<one>\ntwo\nthree\n',
  )
})

test('a command that reads none of it, or a part, is as any other', async () => {
  const input = 'x\n'.repeat(1_000_000)

  expect(await outputOf('echo done', { input })).toBe('done\n')
  expect(await outputOf('head -n 1', { input })).toBe('x\n')
})

test('cannot be changed by the command', async () => {
  const command = 'echo y >/proc/self/fd/0; cat'

  expect(await outputOf(`{ ${command}; } 2>/dev/null`, { input: 'x' })).toBe('x')
})

test('is what it was when run() was called', async () => {
  const input = Buffer.from('before')
  const output = outputOf('cat', { input })
  input.fill('x')

  expect(await output).toBe('before')
})

test('of two calls each has its own', async () => {
  const options = { cwd: '/', input: 'one' }
  const first = run('cat', options)
  const second = run('cat', { ...options, input: 'two' })
  const third = run('cat', { cwd: '/' })
  const outputs = (await Promise.all([first, second, third])).map(({ output }) => output)

  expect(outputs).toEqual(['one', 'two', ''])
})

test('with separate streams', async () => {
  const { stdout, stderr } = await run('cat; echo e >&2', { cwd: '/', input: 'in', streams: 'separate' })

  expect([stdout, stderr]).toEqual(['in', 'e\n'])
})

testRestricted('in Restricted mode', async () => {
  expect(await outputOf('cat; wc -c </dev/stdin', { input: 'in', sandbox: 'restricted' })).toMatch(/^in/)
})

testWorkspace('in Workspace mode', async () => {
  expect(await outputOf('cat >file; cat file', { input: 'in', sandbox: 'workspace', cwd: tempDir() })).toBe(
    'in',
  )
})

test('a command that goes on as a job reads on', async () => {
  const gate = join(tempDir(), 'gate')
  const command = `read -r line; echo $line; until [ -e '${gate}' ]; do sleep .02; done; cat`
  const { status, jobId = '' } = await run(command, { cwd: '/', input: 'one\ntwo\n', backgroundAfter: 500 })
  writeFileSync(gate, '')
  const jobs = new JobStore()
  await jobs.wait(jobId)

  expect(status).toBe('background')
  expect((await jobs.read(jobId)).output).toBe('one\ntwo\n')
})

test('leaves no descriptor behind', async () => {
  const isInput = (fd: string) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith('/memfd:bashward-input')
    } catch {
      // That of the directory itself.
      return false
    }
  }
  await outputOf('cat', { input: 'x' })

  await waitFor(() => !readdirSync('/proc/self/fd').some(isInput), { what: 'the input to be closed' })
})

test.each<[unknown, string]>([
  [7, 'input: must be a string or a Uint8Array (got 7)'],
  [null, 'input: must be a string or a Uint8Array (got null)'],
  [['a'], 'input: must be a string or a Uint8Array (got ["a"])'],
  [
    'x'.repeat(256 * 1024 ** 2 + 1),
    'input: must be at most 268435456 bytes (got 268435457); let the command read a file',
  ],
])('something else is refused by name', async (input, message) => {
  await expect(run('cat', { cwd: '/', input: input as string })).rejects.toMatchObject({
    code: 'ERR_INVALID_INPUT',
    message,
  })
})

test('by another name it is asked for', async () => {
  await expect(run('cat', { cwd: '/', stdin: 'x' } as RunOptions)).rejects.toMatchObject({
    message: expect.stringContaining('input'),
  })
})
