// Marks where the usual way to make them is not there: other file systems, no privileges, no /proc.
import { spawnSync } from 'node:child_process'
import { chownSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BashResult } from '../../../lib/index.js'
import { canBecomeOrdinaryUser, isRoot, ordinaryOwner, packageRoot } from '../../support/as-user.js'
import { killHosts, runHost } from '../../support/host.js'
import { cannotTest, onlyRootCanTest } from '../../support/must-work.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterEach(killHosts)
afterAll(removeTempDirs)

let built: string | undefined

/** The words to put before a command; undefined, and says so, where there is no compiler. */
const without = (what: string): string[] | undefined => {
  if (built === undefined) {
    const program = join(tempDir(), 'mark-shim')
    const source = join(packageRoot, 'test/fixtures/mark-shim.c')
    const { status, stderr, error } = spawnSync('cc', ['-O1', '-o', program, source], { encoding: 'utf8' })
    if (error !== undefined) {
      cannotTest('there is no C compiler')
      return undefined
    }
    if (status !== 0) throw new Error(`cc: ${stderr}`)
    built = program
  }
  return [built, what]
}

interface Elsewhere {
  prefix?: string[]
  outerPrefix?: string[]
  ordinaryUser?: boolean
}

/** Sends a call twice, and then one that another host has sent. */
const send = async (elsewhere: Elsewhere) => {
  const directory = tempDir()
  if (elsewhere.ordinaryUser && ordinaryOwner !== undefined)
    chownSync(directory, ordinaryOwner, ordinaryOwner)
  const call = { id: 'a', command: `echo run >> ${directory}/runs; echo out` }
  const options = { argument: { directory, calls: [call, call] }, ...elsewhere }
  const results = await runHost<BashResult[]>('calls', options)
  const [later] = await runHost<BashResult[]>('calls', { ...options, argument: { directory, calls: [call] } })
  const files = readdirSync(join(directory, 'calls')).filter((name) => name !== 'clean-up.lock')
  return { results: [...results, later], files, runs: () => readFileSync(join(directory, 'runs'), 'utf8') }
}

const expectOnce = ({ results, files, runs }: Awaited<ReturnType<typeof send>>) => {
  const [first, second, later] = results
  expect(first).toMatchObject({ status: 'completed', output: 'out\n' })
  expect(first).not.toHaveProperty('replayed')
  for (const again of [second, later]) expect(again).toMatchObject({ output: 'out\n', replayed: true })
  expect(runs()).toBe('run\n')
  // Nothing with a name of its own is left.
  expect(files.filter((name) => name.endsWith('.tmp'))).toEqual([])
}

describe.each([
  ['as the user of the tests', false],
  ['as an ordinary user', true],
])('%s', (_, ordinaryUser) => {
  const canRun = () => {
    if (!ordinaryUser || canBecomeOrdinaryUser()) return true
    cannotTest('the user cannot be changed')
    return false
  }

  test.each([
    ['as it is', undefined],
    ['without files that have no name', 'tmpfile'],
    ['without links by a descriptor', 'empty'],
    ['without links by a descriptor or by /proc', 'empty,proc'],
    ['without any of these', 'tmpfile,empty,proc'],
  ])('a call runs once %s', async (_, what) => {
    const prefix = what === undefined ? [] : without(what)
    if (prefix === undefined || !canRun()) return
    expectOnce(await send({ prefix, ordinaryUser }))
  })

  test('a call runs once without /proc', async () => {
    const own = isRoot ? [] : ['--user', '--map-current-user']
    const script = 'mount -t tmpfs none /proc && exec "$@"'
    const outerPrefix = ['unshare', ...own, '--mount', '--propagation', 'private', 'sh', '-c', script, 'sh']
    const [program = '', ...args] = outerPrefix
    if (spawnSync(program, [...args, 'true'], { stdio: 'ignore' }).status !== 0) {
      return onlyRootCanTest('nothing can be mounted over /proc')
    }
    if (canRun()) expectOnce(await send({ outerPrefix, ordinaryUser }))
  })
})

describe('a call does not start, and its id is not used up', () => {
  test.each([
    ['hard links', 'tmpfile,hardlinks', 'EPERM'],
    ['locks of open files', 'locks', 'ENOLCK'],
  ])('without %s', async (_, what, errno) => {
    const prefix = without(what)
    if (prefix === undefined) return
    const { results, files, runs } = await send({ prefix })

    for (const result of results) {
      expect(result).toMatchObject({
        status: 'error',
        error: { code: 'ERR_NOT_STARTED', message: expect.stringContaining(`make call mark: ${errno}`) },
      })
      expect(result).not.toHaveProperty('replayed')
    }
    expect(files).toEqual([])
    expect(runs).toThrow('ENOENT')
  })
})
