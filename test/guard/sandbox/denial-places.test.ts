// Where paths lead, and that none is looked up where an answer may take forever.

import type * as Fs from 'node:fs'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isWithin } from '../../../lib/base/util/absolute-paths.js'
import { Places } from '../../../lib/guard/sandbox/denial-places.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

let mountinfo: string | undefined
const looked: string[] = []

jest.mock('node:fs', () => {
  const actual = jest.requireActual<typeof Fs>('node:fs')
  return {
    ...actual,
    lstatSync: (path: string) => {
      looked.push(path)
      return actual.lstatSync(path)
    },
    readFileSync: (path: string, ...rest: []) => {
      if (path !== '/proc/self/mountinfo') return actual.readFileSync(path, ...rest)
      if (mountinfo === undefined) throw new Error('ENOENT')
      return mountinfo
    },
  }
})

const root = tempDir()
const remote = join(root, 're mote')
mkdirSync(join(root, 'a/b'), { recursive: true })
mkdirSync(join(remote, 'c'), { recursive: true })
writeFileSync(join(root, 'a/file'), '')
symlinkSync('a/b', join(root, 'relative'))
symlinkSync(join(root, 'a'), join(root, 'a/b/absolute'))
symlinkSync('loop', join(root, 'loop'))
symlinkSync('re mote/c', join(root, 'out'))

const line = (point: string, type: string) => `36 35 98:0 / ${point} rw,noatime master:1 - ${type} none rw`
const escaped = remote.replaceAll(' ', '\\040')

beforeEach(() => {
  mountinfo = [line('/', 'ext4'), line(escaped, 'nfs4')].join('\n')
  looked.length = 0
})

afterAll(removeTempDirs)

const follow = (path: string, trusted: string[] = []) => new Places(trusted).follow(join(root, path))

test.each([
  ['a/b', 'a/b', 'a/b'],
  ['a/new', 'a/new', 'a'],
  ['a/new/x/y', 'a/new/x/y', 'a'],
  ['a/file', 'a/file', 'a'],
  ['a/file/x', 'a/file/x', 'a'],
  ['relative/new', 'a/b/new', 'a/b'],
  ['relative/absolute/b/x', 'a/b/x', 'a/b'],
])('%s leads to %s, in %s', (path, end, directory) => {
  expect(follow(path)).toEqual({ path: join(root, end), directory: join(root, directory) })
})

test('two dots after a link are those of where it leads', () => {
  expect(new Places([]).follow(`${root}/relative/../x`)).toEqual({
    path: join(root, 'a/x'),
    directory: join(root, 'a'),
  })
})

test('links that lead to themselves come to an end', () => {
  expect(follow('loop/x')).toMatchObject({ directory: root })
})

test.each(['re mote/c/x', 're mote', 'out/x'])('%s is not looked at, nor what is below', (path) => {
  expect(follow(path).directory).toBeUndefined()
  expect(looked.filter((each) => isWithin(each, remote))).toEqual([])
})

test('where the host works anyway it looks', () => {
  expect(follow('re mote/c/x', [join(remote, 'c')])).toEqual({
    path: join(remote, 'c/x'),
    directory: join(remote, 'c'),
  })
})

test('a root directory over a network is one that the host works in', () => {
  mountinfo = line('/', 'nfs')

  expect(follow('a/new').directory).toBe(join(root, 'a'))
})

test('without the table of mounts nothing is looked at', () => {
  mountinfo = undefined

  expect(follow('a/../a/x')).toEqual({ path: join(root, 'a/x'), directory: undefined })
  expect(looked).toEqual([])
})

test('a flood of paths is not followed to its end', () => {
  const places = new Places([])
  const found = Array.from({ length: 100 }, () => places.follow(join(root, 'a')).directory)

  expect(found.filter((directory) => directory !== undefined)).toHaveLength(64)
})
