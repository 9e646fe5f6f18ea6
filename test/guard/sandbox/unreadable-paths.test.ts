// The unreadable paths of a policy: the default list, and those that a caller gives.
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { findUnreadable } from '../../../lib/guard/sandbox/unreadable-paths.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { placeAt } from './policy-place.js'

const unreadablePaths = (...args: Parameters<typeof findUnreadable>) => findUnreadable(...args).paths

afterAll(removeTempDirs)

describe('the default list', () => {
  const listFor = (variables: Record<string, string>) =>
    unreadablePaths(['default'], [], placeAt('/', variables))

  test.each([
    '.ssh',
    '.gnupg',
    '.aws',
    '.kube',
    '.docker/config.json',
    '.npmrc',
    '.netrc',
    '.git-credentials',
    '.cargo/credentials*',
    '.claude/.credentials.json',
    '.codex/auth.json',
    '.bash_history',
    '.config/gcloud',
    '.config/gh',
    '.config/google-chrome',
    '.mozilla',
    'snap/firefox',
    '.var/app/org.mozilla.firefox',
  ])("has ~/%s of the command's HOME", (name) => {
    expect(listFor({ HOME: '/srv/home' })).toContain(join('/srv/home', name))
  })

  test("has those of the user's own home, where the command has another", () => {
    const before = process.env.HOME
    process.env.HOME = '/srv/host'
    try {
      expect(listFor({ HOME: '/srv/command' })).toEqual(
        expect.arrayContaining(['/srv/host/.ssh', '/srv/command/.ssh']),
      )
    } finally {
      process.env.HOME = before
    }
  })

  test('takes `..` in HOME as the kernel does, behind a symbolic link', () => {
    const top = realpathSync(tempDir())
    mkdirSync(join(top, 'far/sub'), { recursive: true })
    symlinkSync(join(top, 'far/sub'), join(top, 'link'))

    expect(listFor({ HOME: `${top}/link/../home` })).toContain(join(top, 'far/home/.ssh'))
  })

  test('follows XDG_CONFIG_HOME', () => {
    expect(listFor({ XDG_CONFIG_HOME: '/srv/settings' })).toContain('/srv/settings/gh')
  })

  test('does without a HOME that is no absolute path', () => {
    expect(listFor({ HOME: 'here' }).filter((path) => !path.startsWith('/'))).toEqual([])
  })

  test('has what containers are given', () => {
    expect(listFor({})).toContain('/run/secrets')
  })

  test.each([
    [0, true],
    [1000, false],
  ])("user %d: has the system's own secrets: %p", (uid, expected) => {
    const spy = jest.spyOn(process as { geteuid(): number }, 'geteuid').mockReturnValue(uid)
    try {
      expect(listFor({}).includes('/etc/shadow')).toBe(expected)
    } finally {
      spy.mockRestore()
    }
  })

  test('names nothing twice', () => {
    const list = listFor({ HOME: '/srv/home', XDG_CONFIG_HOME: '/srv/home/.config' })

    expect(new Set(list).size).toBe(list.length)
  })

  test('is made once for each environment', () => {
    const place = placeAt('/')
    const listAgain = () => unreadablePaths(['default'], [], place)

    expect(listAgain()).toBe(listAgain())
  })
})

describe('paths of the caller', () => {
  test('relative ones begin in the base, and ~ is HOME', () => {
    expect(unreadablePaths(['secrets/', '~/keys'], [], placeAt('/srv', { HOME: '/srv/home' }))).toEqual([
      '/srv/secrets',
      '/srv/home/keys',
    ])
  })

  test('the default list may be among them', () => {
    const paths = unreadablePaths(['default', '/srv/keys'], [], placeAt('/', { HOME: '/srv/home' }))

    expect(paths).toEqual(expect.arrayContaining(['/srv/home/.ssh', '/srv/keys']))
  })

  test('without any there are none', () => {
    expect(unreadablePaths([], [], placeAt('/'))).toEqual([])
  })

  test.each([
    ['one in a writable directory', '/srv/project/secrets'],
    ['a writable directory', '/srv/project'],
    ['one that contains a writable directory', '/srv'],
    ['a pattern in a writable directory', '/srv/project/*.pem'],
  ])('%s is refused', (_, path) => {
    expect(() => unreadablePaths([path], ['/srv/project'], placeAt('/'))).toThrow(
      expect.objectContaining({
        code: 'ERR_INVALID_INPUT',
        message: `sandbox.unreadable[0]: ${path}: cannot be unreadable: /srv/project is writable`,
      }),
    )
  })

  test('one that a symbolic link leads into a writable directory is refused', () => {
    const base = realpathSync(tempDir())
    mkdirSync(join(base, 'project'))
    symlinkSync('project', join(base, 'link'))

    expect(() => unreadablePaths(['link/gone'], [join(base, 'project')], placeAt(base))).toThrow(
      `sandbox.unreadable[0]: ${base}/link/gone: cannot be unreadable: ${base}/project is writable`,
    )
  })

  test('one that the shell is in is refused', () => {
    expect(() => unreadablePaths(['/srv/tools'], [], placeAt('/', {}, '/srv/tools/bin/bash'))).toThrow(
      'sandbox.unreadable[0]: /srv/tools: cannot be unreadable: /srv/tools/bin/bash, which runs commands, is in it',
    )
  })

  test('nor by another name of either', () => {
    const base = realpathSync(tempDir())
    mkdirSync(join(base, 'tools'))
    symlinkSync('tools', join(base, 'link'))
    const [tools, link] = [join(base, 'tools'), join(base, 'link')]

    for (const [path, shell] of [
      [tools, join(link, 'bash')],
      [link, join(tools, 'bash')],
    ] as const) {
      expect(() => unreadablePaths([path], [], placeAt('/', {}, shell))).toThrow(
        'which runs commands, is in it',
      )
    }
  })

  test('one beside a writable directory is not', () => {
    expect(unreadablePaths(['/srv/project2'], ['/srv/project'], placeAt('/'))).toEqual(['/srv/project2'])
  })

  test('those that the default list has, too, are theirs', () => {
    const given = ['default', '~/.ssh', '/srv/keys']
    const { paths, usual } = findUnreadable(given, [], placeAt('/', { HOME: '/srv/home' }))

    expect(paths.slice(0, paths.length - usual)).toEqual(['/srv/home/.ssh', '/srv/keys'])
    expect(paths.slice(-usual)).toContain('/srv/home/.npmrc')
  })
})
