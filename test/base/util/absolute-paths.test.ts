import { mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { isBelow, isWithin, overlap, realNameOf } from '../../../lib/base/util/absolute-paths.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterAll(removeTempDirs)

test.each([
  ['/a/b', '/a', true],
  ['/a', '/a', false],
  ['/ab', '/a', false],
  ['/a', '/a/b', false],
  ['/a', '/', true],
  ['/', '/', false],
])('isBelow: %s, %s: %p', (path, directory, expected) => {
  expect(isBelow(path, directory)).toBe(expected)
})

test('what is within a directory is it, or below it', () => {
  expect([isWithin('/a', '/a'), isWithin('/a/b', '/a'), isWithin('/ab', '/a')]).toEqual([true, true, false])
})

test('two overlap when one is within the other', () => {
  expect([overlap('/a', '/a/b'), overlap('/a/b', '/a'), overlap('/a', '/b')]).toEqual([true, true, false])
})

describe('the real name of a path', () => {
  test('is that which links lead to, also where its end does not exist', () => {
    const base = realpathSync(tempDir())
    mkdirSync(join(base, 'real'))
    symlinkSync('real', join(base, 'link'))

    expect(realNameOf(join(base, 'link', 'a', 'b'))).toBe(join(base, 'real', 'a', 'b'))
  })

  test('of nothing that exists is the path', () => {
    expect([realNameOf('/nowhere/a'), realNameOf('/')]).toEqual(['/nowhere/a', '/'])
  })
})
