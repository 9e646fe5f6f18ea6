import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { findBash } from '../../lib/run/request.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'

const path = process.env.PATH
afterEach(() => {
  process.env.PATH = path
})
afterAll(removeTempDirs)

/** A directory with an executable file named bash. */
const withBash = (mode = 0o755): string => {
  const dir = tempDir()
  writeFileSync(join(dir, 'bash'), '#!/bin/sh\n')
  chmodSync(join(dir, 'bash'), mode)
  return dir
}

const search = (...directories: string[]): string => {
  process.env.PATH = directories.join(':')
  return findBash()
}

describe('findBash', () => {
  test('gives the first bash on PATH', () => {
    const [first, second] = [withBash(), withBash()]

    expect(search(tempDir(), first, second)).toBe(join(first, 'bash'))
  })

  test('follows a change of PATH', () => {
    const [first, second] = [withBash(), withBash()]

    expect([search(first), search(second), search(first)]).toEqual([
      join(first, 'bash'),
      join(second, 'bash'),
      join(first, 'bash'),
    ])
  })

  test("passes over the programs of a project's packages", () => {
    const [project, other] = [tempDir(), withBash()]
    const directory = join(project, 'node_modules', '.bin')
    mkdirSync(directory, { recursive: true })
    symlinkSync(join(withBash(), 'bash'), join(directory, 'bash'))

    expect(search(directory, `${directory}/`, other)).toBe(join(other, 'bash'))
  })

  test('takes a symbolic link to an executable file', () => {
    const dir = tempDir()
    symlinkSync(join(withBash(), 'bash'), join(dir, 'bash'))

    expect(search(dir)).toBe(join(dir, 'bash'))
  })

  test('passes over a file that is not executable', () => {
    const good = withBash()

    expect(search(withBash(0o644), good)).toBe(join(good, 'bash'))
  })

  test('passes over a directory named bash', () => {
    const dir = tempDir()
    mkdirSync(join(dir, 'bash'))
    const good = withBash()

    expect(search(dir, good)).toBe(join(good, 'bash'))
  })

  test('passes over what is relative to the working directory', () => {
    const good = withBash()
    const before = process.cwd()
    process.chdir(withBash())
    try {
      expect(search('', '.', good)).toBe(join(good, 'bash'))
    } finally {
      process.chdir(before)
    }
  })

  test('searches the default path when PATH is not set', () => {
    delete process.env.PATH

    expect(findBash()).toMatch(/^\/(usr\/local\/bin|usr\/bin|bin)\/bash$/)
  })

  test('without a bash it is a typed error that shows where was searched', () => {
    const dir = tempDir()

    expect(() => search(dir, '/nonexistent')).toThrow(
      expect.objectContaining({
        name: 'BashError',
        code: 'ERR_SPAWN',
        errno: constants.errno.ENOENT,
        message: `find bash on PATH: ENOENT (no such file or directory)`,
      }),
    )
  })

  test('finds a bash that was not there at the last search', () => {
    const dir = tempDir()
    expect(() => search(dir)).toThrow()
    symlinkSync(join(withBash(), 'bash'), join(dir, 'bash'))

    expect(search(dir)).toBe(join(dir, 'bash'))
  })
})
