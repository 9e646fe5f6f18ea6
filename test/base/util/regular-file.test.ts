// Files in directories that commands can write to: whatever stands in the place of one, nobody waits for it.
import { execFileSync } from 'node:child_process'
import { constants, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  openRegular,
  openRegularFile,
  readRegularFile,
  replaceFile,
} from '../../../lib/base/util/regular-file.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterAll(removeTempDirs)

const others: [string, (path: string) => unknown][] = [
  ['a FIFO', (path) => execFileSync('mkfifo', [path])],
  ['a link', (path) => symlinkSync('/etc/passwd', path)],
  ['a directory', (path) => mkdirSync(path)],
]

describe.each(others)('%s', (name, make) => {
  const place = () => {
    const path = join(tempDir(), 'file')
    make(path)
    return path
  }

  test.each([constants.O_RDONLY, constants.O_RDWR, constants.O_WRONLY | constants.O_CREAT])(
    'is not opened (flags %d)',
    async (flags) => {
      expect(() => openRegularFile(place(), flags)).toThrow()
      await expect(openRegular(place(), flags)).rejects.toThrow()
      expect(() => readRegularFile(place(), 100)).toThrow()
    },
  )

  test('is replaced, unless it is a directory', () => {
    const path = place()
    if (name === 'a directory') return expect(() => replaceFile(path, 'x')).toThrow(/EISDIR/)
    replaceFile(path, 'x')
    expect([lstatSync(path).isFile(), readFileSync(path, 'utf8')]).toEqual([true, 'x'])
  })
})

test('a file is read up to a size', () => {
  const path = join(tempDir(), 'file')
  writeFileSync(path, 'text')
  expect(readRegularFile(path, 4).toString()).toBe('text')
  expect(() => readRegularFile(path, 3)).toThrow('larger than 3 bytes')
})
