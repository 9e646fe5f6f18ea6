import { chmodSync, chownSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { rememberWritable } from '../../../lib/guard/sandbox/ever-writable.js'
import { findBash, searchBash } from '../../../lib/guard/sandbox/find-bash.js'
import { isRoot, ordinaryUid } from '../../support/as-user.js'
import { onlyRootCanTest } from '../../support/must-work.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

const path = process.env.PATH
afterEach(() => {
  process.env.PATH = path
})
afterAll(removeTempDirs)

const otherGroup = 12_345

/** A directory with an executable file named bash. */
const withBash = (mode = 0o755): string => {
  const dir = tempDir()
  writeFileSync(join(dir, 'bash'), '#!/bin/sh\n')
  chmodSync(join(dir, 'bash'), mode)
  return dir
}

/** As on a machine whose system has no bash. */
const search = (...directories: string[]): string => searchBash(directories.join(':'), [])

describe('the bash of the system', () => {
  const [local, system] = ['/usr/local/bin', '/usr/bin']

  test('goes before all others on PATH', () => {
    const [planted, first, second] = [withBash(), withBash(), withBash()]

    expect(searchBash([planted, second, first].join(':'), [first, second])).toBe(join(second, 'bash'))
  })

  test('is found where PATH does not lead to it', () => {
    const [planted, first, second] = [withBash(), tempDir(), withBash()]

    expect([planted, ''].map((path) => searchBash(path, [first, second]))).toEqual([
      join(second, 'bash'),
      join(second, 'bash'),
    ])
  })

  test('is none that commands could write', () => {
    const [written, other] = [realpathSync(withBash()), withBash()]
    rememberWritable([written])

    expect(searchBash(written, [written, other])).toBe(join(other, 'bash'))
  })

  test('is what commands have, whatever PATH is', () => {
    const bash = findBash()
    process.env.PATH = [withBash(), local, system].join(':')

    expect(findBash()).toBe(bash)
    delete process.env.PATH
    expect(findBash()).toMatch(/^\/(?:usr\/)?bin\/bash$/)
  })
})

describe('on a system without a bash', () => {
  test('it is the first on PATH', () => {
    const [first, second] = [withBash(), withBash()]

    expect(search(tempDir(), first, second)).toBe(join(first, 'bash'))
  })

  test("passes over the programs of a project's packages", () => {
    const [project, other] = [tempDir(), withBash()]
    const directory = join(project, 'node_modules', '.bin')
    mkdirSync(directory, { recursive: true })
    symlinkSync(join(withBash(), 'bash'), join(directory, 'bash'))

    expect(search(directory, `${directory}/`, other)).toBe(join(other, 'bash'))
  })

  describe('passes over what commands may have put there', () => {
    const projectWith = (...names: string[]) => {
      const project = realpathSync(tempDir())
      const directory = join(project, ...names)
      mkdirSync(directory, { recursive: true })
      symlinkSync(join(withBash(), 'bash'), join(directory, 'bash'))
      return { project, directory }
    }

    test.each(['.venv', 'venv'])('in a virtual environment named %s', (name) => {
      const { directory } = projectWith(name, 'bin')
      const other = withBash()

      expect(search(directory, other)).toBe(join(other, 'bash'))
    })

    test('in the virtual environment that is activated', () => {
      const { project, directory } = projectWith('environment', 'bin')
      const other = withBash()
      process.env.VIRTUAL_ENV = join(project, 'environment')
      try {
        expect(search(directory, other)).toBe(join(other, 'bash'))
      } finally {
        delete process.env.VIRTUAL_ENV
      }
    })

    test('where commands of this process could write, from then on', () => {
      const { project, directory } = projectWith('bin')
      const other = withBash()
      const before = search(directory, other)
      rememberWritable([project])

      expect([before, search(directory, other)]).toEqual([join(directory, 'bash'), join(other, 'bash')])
    })

    test('where a link leads there', () => {
      const { project, directory } = projectWith('bin')
      const [linked, other] = [tempDir(), withBash()]
      rememberWritable([project])
      symlinkSync(directory, join(linked, 'directory'))
      mkdirSync(join(linked, 'bin'))
      writeFileSync(join(project, 'program'), '#!/bin/sh\n', { mode: 0o755 })
      symlinkSync(join(project, 'program'), join(linked, 'bin', 'bash'))

      expect(search(join(linked, 'directory'), join(linked, 'bin'), other)).toBe(join(other, 'bash'))
    })

    test('in the working directory of this program', () => {
      const { project, directory } = projectWith('bin')
      const other = withBash()
      const before = process.cwd()
      process.chdir(project)
      try {
        expect(search(directory, other)).toBe(join(other, 'bash'))
        expect(() => search(directory)).toThrow('find bash on PATH')
      } finally {
        process.chdir(before)
      }
    })
  })

  describe('passes over what other users may have put there', () => {
    const modes: [string, (directory: string) => void][] = [
      ['into a directory that all can write to', (directory) => chmodSync(directory, 0o777)],
      ['into a file that all can write to', (directory) => chmodSync(join(directory, 'bash'), 0o777)],
      [
        'into a directory that a group of others can write to',
        (directory) => {
          chmodSync(directory, 0o775)
          chownSync(directory, process.getuid?.() ?? 0, otherGroup)
        },
      ],
      ['into a directory of theirs', (directory) => chownSync(directory, ordinaryUid, ordinaryUid)],
    ]
    test.each(modes)('%s', (name, open) => {
      if (!isRoot && !name.includes('that all')) return onlyRootCanTest('only root gives files to others')
      const [first, other] = [withBash(), withBash()]
      open(first)

      expect(search(first, other)).toBe(join(other, 'bash'))
    })

    test('but not a directory where each may change his own', () => {
      const directory = withBash()
      chmodSync(directory, 0o1777)

      expect(search(directory)).toBe(join(directory, 'bash'))
    })
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
      expect(search('', '../run', good)).toBe(join(good, 'bash'))
    } finally {
      process.chdir(before)
    }
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
