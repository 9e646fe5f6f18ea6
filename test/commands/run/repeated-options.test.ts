// Options are checked and resolved once for calls in a row that give the same: nothing else may count as the same.
import os from 'node:os'
import { type RunOptions, resolveOptions } from '../../../lib/commands/run/options.js'
import type { ResolvedOptions } from '../../../lib/commands/run/resolved-options.js'

const options: RunOptions = { cwd: '/', timeout: 1000 }

beforeEach(() => {
  resolveOptions(options)
})

test('the same options give the same', () => {
  expect(resolveOptions({ ...options })).toEqual(resolveOptions({ ...options }))
})

test('what a caller does with resolved options does not reach the next call', () => {
  resolveOptions(options).adoption = () => undefined

  expect(resolveOptions(options).adoption).toBeUndefined()
})

test.each<[string, RunOptions]>([
  ['another value', { cwd: '/', timeout: 2000 }],
  ['one option less', { cwd: '/' }],
  ['one more', { cwd: '/', timeout: 1000, sandbox: 'restricted' }],
  ['undefined for one', { cwd: '/', timeout: undefined }],
])('%s is seen', (_, changed) => {
  const fresh = resolveOptions({ ...changed, termGraceMs: 2000 })
  resolveOptions(options)

  expect(resolveOptions(changed)).toEqual(fresh)
})

test('an object that has changed since is seen', () => {
  const changing = { ...options }
  resolveOptions(changing)
  changing.timeout = 3000

  expect(resolveOptions(changing).timeoutMs).toBe(3000)
})

test('an object within that has changed since is seen', () => {
  const changing = { cwd: '/', limits: { cpuSeconds: 1 } }
  resolveOptions(changing)
  changing.limits.cpuSeconds = 2

  expect(resolveOptions(changing).limits).toEqual({ cpuSeconds: 2 })
})

test.each([
  ['an unknown option', { ...options, tmeout: 1 }],
  ['an unknown option without a value', { ...options, tmeout: undefined }],
  ['a value of another type', { ...options, timeout: '1000' }],
  ['a value of another type in place of an option', { cwd: '/', timeoutMs: 1000 }],
])('%s is refused as ever', (_, wrong) => {
  expect(() => resolveOptions(wrong as RunOptions)).toThrow(
    expect.objectContaining({ code: 'ERR_INVALID_INPUT' }),
  )
})

test.each([[undefined], [null], ['/']])('%p is refused as ever', (wrong) => {
  expect(() => resolveOptions(wrong as unknown as RunOptions)).toThrow(
    expect.objectContaining({ code: 'ERR_INVALID_INPUT' }),
  )
})

test.each<[string, RunOptions]>([
  ['scratch directory', { cwd: '/', sandbox: 'workspace' }],
  ['file of the whole output', { cwd: '/', saveOutput: true }],
])('the directory for temporary files is looked up each time for the %s', (_, given) => {
  const directoryOf = ({ scratch, saveOutput }: ResolvedOptions) => (scratch ?? saveOutput)?.directory
  const { TMPDIR } = process.env
  // Node reads the environment of the process, of which jest shows a copy.
  const tmpdir = jest.spyOn(os, 'tmpdir').mockImplementation(() => process.env.TMPDIR ?? '')
  try {
    process.env.TMPDIR = '/var/tmp'
    const before = directoryOf(resolveOptions(given))
    process.env.TMPDIR = '/dev/shm'

    expect([before, directoryOf(resolveOptions(given))]).toEqual(['/var/tmp', '/dev/shm'])
  } finally {
    tmpdir.mockRestore()
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  }
})

test('a relative directory is looked up each time', () => {
  const relative = { cwd: '.' }
  const [before, here] = [resolveOptions(relative).cwd, process.cwd()]
  try {
    process.chdir('/')

    expect([before, resolveOptions(relative).cwd]).toEqual([here, '/'])
  } finally {
    process.chdir(here)
  }
})
