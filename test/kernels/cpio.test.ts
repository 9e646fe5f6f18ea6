import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { createArchive } from './cpio.mjs'

afterAll(removeTempDirs)

interface Entry {
  name: string
  mode: number
  content: string
}

/** Reads the archive as the kernel does: every header and every content begins at a multiple of four. */
const read = (path: string): Entry[] => {
  const bytes = readFileSync(path)
  const align = (offset: number) => (offset + 3) & ~3
  const entries: Entry[] = []
  for (let offset = 0; offset < bytes.length; ) {
    const field = (index: number) =>
      Number.parseInt(bytes.toString('latin1', offset + 6 + index * 8, offset + 14 + index * 8), 16)
    expect(bytes.toString('latin1', offset, offset + 6)).toBe('070701')
    const [mode, size, nameLength] = [field(1), field(6), field(11)]
    const name = bytes.toString('latin1', offset + 110, offset + 110 + nameLength - 1)
    const begin = align(offset + 110 + nameLength)
    entries.push({ name, mode, content: bytes.toString('latin1', begin, begin + size) })
    offset = align(begin + size)
  }
  return entries
}

test('an archive holds directories, files with their modes, and links, and ends as the kernel expects', () => {
  const path = join(tempDir(), 'archive')
  const archive = createArchive(path)
  archive.directory('tmp', 0o1777)
  archive.file('init', 'exec\n', 0o755)
  archive.link('sh', 'bash')
  archive.close()

  expect(read(path)).toEqual([
    { name: 'tmp', mode: 0o041777, content: '' },
    { name: 'init', mode: 0o100755, content: 'exec\n' },
    { name: 'sh', mode: 0o120777, content: 'bash' },
    { name: 'TRAILER!!!', mode: 0, content: '' },
  ])
})

test('a directory is copied with all that is in it', () => {
  const directory = tempDir()
  mkdirSync(join(directory, 'a/b'), { recursive: true })
  writeFileSync(join(directory, 'a/b/file'), 'content')
  symlinkSync('b/file', join(directory, 'a/link'))
  const path = join(tempDir(), 'archive')
  const archive = createArchive(path)
  archive.copy('usr/a', join(directory, 'a'))
  archive.close()

  const entries = read(path).map(({ name, content }) => [name, content])
  expect(entries).toEqual([
    ['usr/a', ''],
    ['usr/a/b', ''],
    ['usr/a/b/file', 'content'],
    ['usr/a/link', 'b/file'],
    ['TRAILER!!!', ''],
  ])
})
