// Directories that no policy can make writable, each by its name with the reason.
import { chownSync, lstatSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { JobStore } from '../../../lib/commands/jobs/store.js'
import type { PolicyPlace } from '../../../lib/guard/sandbox/policy-path.js'
import { refusalOf } from '../../../lib/guard/sandbox/refused-roots.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
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

  test.each([
    ['an activated virtual environment', '.venv/bin'],
    ['a name with .. in it', 'node_modules/../.venv/bin'],
    ['programs of its own', 'bin'],
  ])('%s on PATH does not keep a project from being a workspace, and is none itself', (_, entry) => {
    const project = inDirectory('project')
    const place = placeAt('/', { PATH: `${project}/${entry}:/usr/bin` })
    const programs = join(project, entry)

    expect(refusalOf(project, place)).toBeUndefined()
    expect(refusalOf(programs, place)).toBe('it is a directory on PATH')
    expect(refusalOf(join(programs, 'more'), place)).toBe(`it is in a directory on PATH, ${programs}`)
  })

  test('.. behind a symbolic link leads where the kernel goes', () => {
    const [here, there] = [realTempDir(), realTempDir()]
    for (const name of ['below', 'bin']) mkdirSync(join(there, name))
    symlinkSync(join(there, 'below'), join(here, 'link'))

    expect(refusalOf(join(there, 'bin'), placeAt('/', { PATH: `${here}/link/../bin` }))).toBe(
      'it is a directory on PATH',
    )
  })

  test.each(['.cargo', 'go'])('programs on PATH in ~/%s are the tools of every login', (name) => {
    const tools = inDirectory('me', name)
    const place = placeAt('/', { HOME: inDirectory('me'), PATH: join(tools, 'bin') })

    expect(refusalOf(tools, place)).toBe('it is where programs on PATH are kept')
    expect(refusalOf(join(tools, 'src', 'project'), place)).toBeUndefined()
  })

  describe('an entry of PATH that is empty or relative', () => {
    const host = { path: process.env.PATH, directory: process.cwd() }
    afterEach(() => {
      process.chdir(host.directory)
      process.env.PATH = host.path
    })

    test.each([
      ['', '', 'it is'],
      ['.', '', 'it is'],
      ['bin', 'bin', 'it is'],
      ['.', 'src', 'it is in'],
    ])('%j refuses what it leads to for this program: %j', (entry, name, how) => {
      const project = realTempDir()
      process.chdir(project)
      process.env.PATH = `/usr/bin:${entry}`
      const where = how === 'it is' ? '' : `, ${join(project, entry)}`

      expect(refusalOf(join(project, name), nowhere)).toBe(`${how} where '${entry}' on PATH leads${where}`)
    })

    test('is looked up anew where this program has gone elsewhere', () => {
      const [one, two] = [realTempDir(), realTempDir()]
      process.env.PATH = '/usr/bin:.'
      process.chdir(one)
      const before = refusalOf(two, nowhere)
      process.chdir(two)

      expect([before, refusalOf(two, nowhere)]).toEqual([undefined, "it is where '.' on PATH leads"])
    })

    test("of the command's own PATH names no place of this program's", () => {
      process.chdir(directory)

      expect(refusalOf(directory, placeAt(directory, { PATH: ':.:bin' }))).toBeUndefined()
    })
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
      jest.doMock('../../../lib/package-root.js', () => ({ packageRoot }))
      const { refusalOf } = require('../../../lib/guard/sandbox/refused-roots.js')
      refusal = refusalOf(root, nowhere)
      jest.dontMock('../../../lib/package-root.js')
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

  describe('to root', () => {
    const before = process.env.SUDO_UID
    afterEach(() => {
      if (before === undefined) delete process.env.SUDO_UID
      else process.env.SUDO_UID = before
    })
    /** The refusal of a directory, and who it belongs to. */
    const asRoot = (sudoUser: (owner: number) => string | undefined) => {
      const seen = { refusal: undefined as string | undefined, expected: '' }
      inTmp((directory) => {
        if (process.geteuid?.() === 0) chownSync(directory, 4711, 4711)
        const { uid } = lstatSync(directory)
        const user = sudoUser(uid)
        if (user === undefined) delete process.env.SUDO_UID
        else process.env.SUDO_UID = user
        seen.expected = `${directory} belongs to user ${uid}`
        asUser(0, () => {
          seen.refusal = refusalOf(directory, nowhere)
        })
      })
      return seen
    }

    test('is refused, too', () => {
      const { refusal, expected } = asRoot(() => undefined)

      expect(refusal).toBe(expected)
    })

    test('is not where root works for that user, by sudo', () => {
      expect(asRoot(String).refusal).toBeUndefined()
    })

    test('is where root works for somebody else', () => {
      const { refusal, expected } = asRoot((owner) => String(owner + 1))

      expect(refusal).toBe(expected)
    })
  })
})
