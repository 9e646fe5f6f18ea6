// Where what package managers download is kept, for commands that have the same writable directories.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { cacheVariables } from '../../../lib/guard/proxy/variables.js'
import { cacheDirectoryFor } from '../../../lib/guard/sandbox/cache-directory.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'

afterAll(removeTempDirs)

const { XDG_STATE_HOME } = process.env
let state: string
beforeEach(() => {
  state = tempDir()
  process.env.XDG_STATE_HOME = state
})
afterEach(() => {
  if (XDG_STATE_HOME === undefined) delete process.env.XDG_STATE_HOME
  else process.env.XDG_STATE_HOME = XDG_STATE_HOME
})

test('is made where bashward keeps its jobs, for this user alone', () => {
  const directory = cacheDirectoryFor(['/ws'], [])

  expect(directory).toMatch(/\/bashward\/caches\/[0-9a-f]{32}$/)
  expect(statSync(directory ?? '').mode & 0o777).toBe(0o700)
})

test('has a directory in it already, for programs that make none', () => {
  const { XDG_CACHE_HOME } = cacheVariables(cacheDirectoryFor(['/ws'], []) ?? '')

  expect(statSync(XDG_CACHE_HOME ?? '').isDirectory()).toBe(true)
})

test('is the same for the same directories, in whatever order', () => {
  expect(cacheDirectoryFor(['/a', '/b'], [])).toBe(cacheDirectoryFor(['/b', '/a'], []))
})

test.each([[['/a']], [['/a', '/b', '/c']], [['/a,/b']], [['/a/b']]])('is another one for %j', (roots) => {
  expect(cacheDirectoryFor(roots, [])).not.toBe(cacheDirectoryFor(['/a', '/b'], []))
})

test('has its real name where the way to it has links', () => {
  const link = join(tempDir(), 'link')
  symlinkSync(state, link)
  const direct = cacheDirectoryFor(['/ws'], [])
  process.env.XDG_STATE_HOME = link

  expect(cacheDirectoryFor(['/ws'], [])).toBe(direct)
})

test('a link in its place is none', () => {
  const directory = cacheDirectoryFor(['/ws'], []) ?? ''
  const other = cacheDirectoryFor(['/other'], []) ?? ''
  const elsewhere = tempDir()
  mkdirSync(join(elsewhere, 'x'), { mode: 0o700 })
  process.env.XDG_STATE_HOME = elsewhere
  mkdirSync(join(elsewhere, 'bashward/caches'), { recursive: true })
  symlinkSync(other, directory.replace(state, elsewhere))

  expect(cacheDirectoryFor(['/ws'], [])).toBeUndefined()
})

test('one that others can write to is none', () => {
  chmodSync(cacheDirectoryFor(['/ws'], []) ?? '', 0o777)

  expect(cacheDirectoryFor(['/ws'], [])).toBeUndefined()
})

test.each(['', '/bashward/caches', '/bashw*', '/bashward/c*s'])(
  'one below an unreadable %s is none',
  (path) => {
    expect(cacheDirectoryFor(['/ws'], [`${state}${path}`])).toBeUndefined()
  },
)

test.each(['/other', '/*.key', '/bashward/jobs'])('an unreadable %s does no harm', (path) => {
  expect(cacheDirectoryFor(['/ws'], [`${state}${path}`])).toBeDefined()
})

test('where none can be made there is none', () => {
  process.env.XDG_STATE_HOME = '/proc/nowhere'

  expect(cacheDirectoryFor(['/ws'], [])).toBeUndefined()
})

const day = 24 * 60 * 60

/** Makes one that no command has had for so long, in days. */
const oldOne = (days: number): string => {
  const directory = cacheDirectoryFor([`/unused-for-${days}`], []) ?? ''
  const then = Date.now() / 1000 - days * day
  utimesSync(`${directory}.used`, then, then)
  return directory
}

test('one that nobody has had for thirty days is removed when another is made', async () => {
  const [newer, old] = [oldOne(29), oldOne(31)]
  const outside = tempDir()
  writeFileSync(join(outside, 'file'), 'kept')
  // As Go leaves what it has downloaded; and a link is removed, not what it leads to.
  const readOnly = join(old, 'cache/go-mod/module')
  mkdirSync(readOnly, { recursive: true })
  writeFileSync(join(readOnly, 'file'), '')
  symlinkSync(outside, join(readOnly, 'link'))
  chmodSync(readOnly, 0o555)

  const made = cacheDirectoryFor(['/new'], []) ?? ''

  expect(existsSync(old)).toBe(false)
  const left = () => readdirSync(join(state, 'bashward/caches')).sort()
  const kept = [made, newer].flatMap((path) => [path, `${path}.used`]).map((path) => path.split('/').at(-1))
  await waitFor(() => left().join() === kept.sort().join(), { what: 'the old one to be removed' })
  expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('kept')
})

test('one that is used again stays', () => {
  const old = oldOne(29)
  jest.useFakeTimers({ now: Date.now() + 2 * day * 1000, doNotFake: ['nextTick', 'setImmediate'] })
  try {
    cacheDirectoryFor(['/unused-for-29'], [])
    cacheDirectoryFor(['/new'], [])
  } finally {
    jest.useRealTimers()
  }

  expect(existsSync(old)).toBe(true)
})

test('what a command does to the times of its own does not end it', () => {
  const directory = cacheDirectoryFor(['/ws'], []) ?? ''
  utimesSync(directory, 0, 0)

  cacheDirectoryFor(['/new'], [])

  expect(existsSync(directory)).toBe(true)
})

test('what a program that ended has left of one is removed', async () => {
  const left = `${cacheDirectoryFor(['/ws'], [])}.removed`
  mkdirSync(join(left, 'half'), { recursive: true })

  cacheDirectoryFor(['/new'], [])

  await waitFor(() => !existsSync(left), { what: 'the rest to be removed' })
})
