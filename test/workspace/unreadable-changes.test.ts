// What cannot be read is found out anew when something has changed since the last command: a host keeps what it knows of
// the directories only for as long as they are the same.
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../lib/index.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { testWorkspace } from './workspace-hosts.js'

afterAll(removeTempDirs)

const SECRET = 'a secret of this test'

interface Place {
  home: string
  /** Writes a file below the home, and gives its path. */
  write: (name: string, text?: string) => string
  /** What a command that is not to read `unreadable` gets of a file. */
  read: (path: string, unreadable: string) => Promise<string>
}

const makePlace = (): Place => {
  const home = tempDir()
  const cwd = tempDir()
  return {
    home,
    write: (name, text = SECRET) => {
      const path = join(home, name)
      mkdirSync(join(path, '..'), { recursive: true })
      writeFileSync(path, text)
      return path
    },
    read: async (path, unreadable) => {
      const options = { cwd, sandbox: 'workspace', workspace: { unreadable: [unreadable] } } as const
      const { output } = await run(`cat '${path}' 2>/dev/null || echo refused`, options)
      return output.trim()
    },
  }
}

testWorkspace('what is beside it can be read, also when it is new', async () => {
  const { home, write, read } = makePlace()
  write('keys/key')
  const beside = write('beside/file', 'open')
  expect(await read(beside, join(home, 'keys'))).toBe('open')
  const later = write('later/file', 'open, too')
  expect(await read(later, join(home, 'keys'))).toBe('open, too')
})

testWorkspace('a path that was not there is unreadable as soon as it is', async () => {
  const { home, write, read } = makePlace()
  const beside = write('beside', 'open')
  expect(await read(beside, join(home, 'keys'))).toBe('open')
  const key = write('keys/key')
  expect(await read(key, join(home, 'keys'))).toBe('refused')
})

testWorkspace('a file that matches a pattern is unreadable as soon as it is there', async () => {
  const { home, write, read } = makePlace()
  const first = write('key-1')
  expect(await read(first, join(home, 'key-*'))).toBe('refused')
  const second = write('key-2')
  expect(await read(second, join(home, 'key-*'))).toBe('refused')
})

testWorkspace('a symbolic link that leads elsewhere now has its new target unreadable', async () => {
  const { home, write, read } = makePlace()
  const [first, second] = [write('old/rc'), write('new/rc')]
  symlinkSync('old/rc', join(home, '.rc'))
  expect(await read(first, join(home, '.rc'))).toBe('refused')
  rmSync(join(home, '.rc'))
  symlinkSync('new/rc', join(home, '.rc'))
  expect(await read(second, join(home, '.rc'))).toBe('refused')
})

testWorkspace('a directory on the way that leads elsewhere now has its new target unreadable', async () => {
  const { home, write, read } = makePlace()
  const [first, second] = [write('one/keys/key'), write('two/keys/key')]
  symlinkSync('one', join(home, 'current'))
  expect(await read(first, join(home, 'current/keys'))).toBe('refused')
  symlinkSync('two', join(home, 'next'))
  renameSync(join(home, 'next'), join(home, 'current'))
  expect(await read(second, join(home, 'current/keys'))).toBe('refused')
})

testWorkspace('a directory that replaces the unreadable one is unreadable', async () => {
  const { home, write, read } = makePlace()
  const key = write('keys/key')
  write('other/key')
  expect(await read(key, join(home, 'keys'))).toBe('refused')
  renameSync(join(home, 'keys'), join(home, 'former'))
  renameSync(join(home, 'other'), join(home, 'keys'))
  expect(await read(key, join(home, 'keys'))).toBe('refused')
})
