// Directories that no policy can make writable, each by its name with the reason.
import { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { JobStore } from '../../lib/jobs/store.js'
import type { PolicyPlace } from '../../lib/sandbox/policy-path.js'
import { refusalOf } from '../../lib/sandbox/refused-roots.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { placeAt } from './policy-place.js'

afterAll(removeTempDirs)

const realTempDir = () => realpathSync(tempDir())
const nowhere = placeAt('/')

test('a directory that nothing depends on is not refused', () => {
  expect(refusalOf(realTempDir(), nowhere)).toBeUndefined()
})

test.each([
  ['/', 'it is the root directory'],
  ['/proc', "it is a directory of the kernel's"],
  ['/proc/self', "it is in a directory of the kernel's, /proc"],
  ['/sys/fs/cgroup', "it is in a directory of the kernel's, /sys"],
  ['/dev/shm', "it is in a directory of the kernel's, /dev"],
  ['/etc', 'it is a system directory'],
  ['/etc/profile.d', 'it is in a system directory, /etc'],
  ['/usr/share', 'it is in a system directory, /usr'],
  ['/boot', 'it is a system directory'],
  ['/var', 'it is a directory that all share'],
  ['/run', 'it is a directory that all share'],
  ['/run/user/1000', 'it is in where users have their sockets, /run/user'],
  ['/tmp', 'it is a directory that all share'],
  ['/home', 'it is a directory that all share'],
])('%s: %s', (root, reason) => {
  expect(refusalOf(root, nowhere)).toBe(reason)
})

describe('the home directory', () => {
  const home = join(realTempDir(), 'users', 'me')
  mkdirSync(join(home, '.config', 'git'), { recursive: true })
  const place = placeAt('/', { HOME: home })

  test.each([
    [home, 'it is the home directory'],
    [dirname(home), `it contains the home directory, ${home}`],
    [join(home, '.config'), 'it is the directory of settings'],
    [join(home, '.config', 'git'), `it is in the directory of settings, ${home}/.config`],
    [join(home, '.ssh'), 'it is a directory that logins and services rely on'],
    [
      join(home, '.gnupg', 'private'),
      `it is in a directory that logins and services rely on, ${home}/.gnupg`,
    ],
    [
      join(home, '.local', 'share'),
      `it contains a directory that logins and services rely on, ${home}/.local/share/systemd`,
    ],
    [join(home, '.local'), `it contains where bashward keeps its jobs, ${home}/.local/state/bashward`],
  ])('%s: %s', (root, reason) => {
    expect(refusalOf(root, place)).toBe(reason)
  })

  test('a project in it is not refused', () => {
    expect(refusalOf(join(home, 'project'), place)).toBeUndefined()
  })

  test('a name that is a longer one is another', () => {
    expect(refusalOf(`${home}2`, place)).toBeUndefined()
  })

  test("the user's own counts where the command has another", () => {
    const before = process.env.HOME
    process.env.HOME = home
    try {
      expect(refusalOf(home, placeAt('/', { HOME: '/nowhere/other' }))).toBe('it is the home directory')
    } finally {
      process.env.HOME = before
    }
  })

  test('one that a symbolic link leads to is meant, too', () => {
    const link = join(realTempDir(), 'link')
    symlinkSync(home, link)

    expect(refusalOf(home, placeAt('/', { HOME: link }))).toBe('it is the home directory')
  })
})

describe('what a variable names', () => {
  const directory = realTempDir()
  const inDirectory = (...names: string[]) => join(directory, ...names)

  test.each<[string, PolicyPlace, string]>([
    ['config', placeAt('/', { XDG_CONFIG_HOME: inDirectory('config') }), 'it is XDG_CONFIG_HOME'],
    [
      'config/git',
      placeAt('/', { XDG_CONFIG_HOME: inDirectory('config') }),
      `it is in XDG_CONFIG_HOME, ${inDirectory('config')}`,
    ],
    [
      'runtime/bus',
      placeAt('/', { XDG_RUNTIME_DIR: inDirectory('runtime') }),
      `it is in XDG_RUNTIME_DIR, ${inDirectory('runtime')}`,
    ],
    [
      'state',
      placeAt('/', { XDG_STATE_HOME: inDirectory('state') }),
      `it contains where bashward keeps its jobs, ${inDirectory('state', 'bashward')}`,
    ],
    ['bin', placeAt('/', { PATH: `/usr/bin:${inDirectory('bin')}` }), 'it is a directory on PATH'],
    [
      'tools',
      placeAt('/', { PATH: inDirectory('tools', 'bin') }),
      `it contains a directory on PATH, ${inDirectory('tools', 'bin')}`,
    ],
    [
      'bin/more',
      placeAt('/', { PATH: inDirectory('bin') }),
      `it is in a directory on PATH, ${inDirectory('bin')}`,
    ],
  ])('%s', (name, place, reason) => {
    expect(refusalOf(inDirectory(name), place)).toBe(reason)
  })

  test('what npm puts on PATH for a project does not keep the project from being a workspace', () => {
    const place = placeAt('/', { PATH: inDirectory('project', 'node_modules', '.bin') })

    expect(refusalOf(inDirectory('project'), place)).toBeUndefined()
    expect(refusalOf(inDirectory('project', 'node_modules', '.bin'), place)).toBe('it is a directory on PATH')
  })

  test('an entry of PATH that is empty or relative names no place', () => {
    expect(refusalOf(directory, placeAt(directory, { PATH: ':.:bin' }))).toBeUndefined()
  })

  test('a variable is read anew for each environment', () => {
    const root = inDirectory('bin')
    refusalOf(root, placeAt('/', { PATH: root }))

    expect(refusalOf(root, placeAt('/'))).toBeUndefined()
  })
})

test('what contains the program that runs this is refused', () => {
  const directory = dirname(realpathSync(process.execPath))

  expect(refusalOf(directory, nowhere)).toMatch(/^it (?:contains the program that runs this|is in a system)/)
})

test('what contains the shell is refused', () => {
  const directory = realTempDir()
  const shell = join(directory, 'bin', 'bash')

  expect(refusalOf(directory, placeAt('/', {}, shell))).toBe(
    `it contains the shell of the commands, ${shell}`,
  )
})

describe('bashward itself, where it is installed', () => {
  const refusalWhere = (packageRoot: string, root: string) => {
    let refusal: string | undefined
    jest.isolateModules(() => {
      jest.doMock('../../lib/package-root.js', () => ({ packageRoot }))
      const { refusalOf } = require('../../lib/sandbox/refused-roots.js')
      refusal = refusalOf(root, nowhere)
      jest.dontMock('../../lib/package-root.js')
    })
    return refusal
  }
  const project = join(realTempDir(), 'project')
  const installed = join(project, 'node_modules', 'bashward')

  test.each([installed, join(installed, 'dist')])('%s is refused', (root) => {
    expect(refusalWhere(installed, root)).toBe(`bashward itself is in ${installed}`)
  })

  test('a project that has it among its packages is not: it is sealed', () => {
    expect(refusalWhere(installed, project)).toBeUndefined()
  })

  test('nor is a checkout of it', () => {
    expect(refusalWhere(project, project)).toBeUndefined()
  })
})

test('the directory of temporary files is refused, and what is in it is not', () => {
  const directory = realTempDir()
  const before = process.env.TMPDIR
  process.env.TMPDIR = directory
  try {
    const place = placeAt('/')

    expect(refusalOf(directory, place)).toBe('it is the directory of temporary files')
    expect(refusalOf(join(directory, 'mine'), place)).toBeUndefined()
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
})

test('where a JobStore of this process keeps its jobs is refused, with what contains it', () => {
  const directory = join(realTempDir(), 'jobs')
  new JobStore({ directory })

  expect(refusalOf(directory, nowhere)).toBe(`background jobs of bashward are kept in ${directory}`)
  expect(refusalOf(dirname(directory), nowhere)).toBe(`background jobs of bashward are kept in ${directory}`)
})

describe("another user's directory in /tmp", () => {
  const asUser = (uid: number, body: () => void) => {
    const spy = jest.spyOn(process as { geteuid(): number }, 'geteuid').mockReturnValue(uid)
    try {
      body()
    } finally {
      spy.mockRestore()
    }
  }
  const inTmp = (use: (directory: string) => void) => {
    const directory = mkdtempSync('/tmp/bashward-test-')
    try {
      use(directory)
    } finally {
      rmSync(directory, { recursive: true })
    }
  }

  test('is refused, with what is below it', () => {
    inTmp((directory) => {
      const owner = process.geteuid?.() ?? 0
      asUser(owner + 1, () => {
        expect(refusalOf(join(directory, 'a', 'b'), nowhere)).toBe(`${directory} belongs to user ${owner}`)
      })
    })
  })

  test('is not refused to root', () => {
    inTmp((directory) => {
      if (process.geteuid?.() === 0) chownSync(directory, 4711, 4711)
      asUser(0, () => {
        expect(refusalOf(directory, nowhere)).toBeUndefined()
      })
    })
  })
})
