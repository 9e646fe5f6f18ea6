// Where variables say that keys and passwords are.
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { findUnreadable } from '../../../lib/guard/sandbox/unreadable-paths.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { placeAt } from './policy-place.js'

const unreadablePaths = (...args: Parameters<typeof findUnreadable>) => findUnreadable(...args).paths

afterAll(removeTempDirs)

const listFor = (variables: Record<string, string>, roots: string[] = []) =>
  unreadablePaths(['default'], roots, placeAt('/', variables))

test.each([
  ['AWS_SHARED_CREDENTIALS_FILE', '/srv/keys/aws', ['/srv/keys/aws']],
  ['KUBECONFIG', '/srv/kube/a:/srv/kube/b:relative', ['/srv/kube/a', '/srv/kube/b']],
  ['DOCKER_CONFIG', '/srv/docker/', ['/srv/docker/config.json']],
  ['CARGO_HOME', '/srv/cargo', ['/srv/cargo/credentials', '/srv/cargo/credentials.toml']],
  ['NPM_CONFIG_USERCONFIG', '/srv/npmrc', ['/srv/npmrc']],
  ['npm_config_userconfig', '/srv/npmrc', ['/srv/npmrc']],
  ['GNUPGHOME', '/srv/gnupg', ['/srv/gnupg']],
  ['NETRC', '/srv/netrc', ['/srv/netrc']],
  ['PGPASSFILE', '/srv/link/../pgpass', ['/srv/link/../pgpass']],
  ['KRB5CCNAME', 'FILE:/srv/ticket', ['/srv/ticket']],
])('%s=%s makes unreadable what it names', (name, value, paths) => {
  expect(listFor({ [name]: value })).toEqual(expect.arrayContaining(paths))
})

test.each([
  ['a relative path', 'NETRC', 'keys/netrc'],
  ['no file', 'KUBECONFIG', '/dev/null'],
  ['another kind of store', 'KRB5CCNAME', 'KEYRING:persistent:1000'],
  ['the home directory', 'GNUPGHOME', '/nowhere/home/'],
  ['what the home directory is in', 'GNUPGHOME', '/nowhere'],
  ['the root directory', 'AZURE_CONFIG_DIR', '/'],
  ['a system directory', 'GH_CONFIG_DIR', '/etc'],
  ['what would be a pattern', 'PGPASSFILE', '/srv/*'],
  ['what a pattern of the list has', 'KRB5CCNAME', 'FILE:/tmp/krb5cc_1000'],
])('a variable that names %s adds nothing', (_, name, value) => {
  expect(listFor({ [name]: value })).toEqual(listFor({}))
})

test('what is in or above a writable directory stays readable', () => {
  const variables = { NETRC: '/srv/project/.netrc', GNUPGHOME: '/srv', PGPASSFILE: '/srv/other' }
  const list = listFor(variables, ['/srv/project'])

  expect(list).toContain('/srv/other')
  for (const path of ['/srv/project/.netrc', '/srv']) expect(list).not.toContain(path)
})

test('what the shell is in stays readable', () => {
  const list = unreadablePaths(
    ['default'],
    [],
    placeAt('/', { KUBECONFIG: '/srv/tools/bin:/srv/kube' }, '/srv/tools/bin/bash'),
  )

  expect(list).toContain('/srv/kube')
  expect(list).not.toContain('/srv/tools/bin')
})

test('what another name of a writable directory leads to stays readable', () => {
  const directory = realpathSync(tempDir())
  const root = join(directory, 'project')
  mkdirSync(join(root, 'keys'), { recursive: true })
  symlinkSync(root, join(directory, 'link'))
  symlinkSync(join(root, 'keys'), join(directory, 'keys'))
  const named = [`${directory}/link/.netrc`, `${directory}/link`, `${directory}/keys/../pgpass`]
  const [NETRC = '', GNUPGHOME = '', PGPASSFILE = ''] = named
  const list = listFor({ NETRC, GNUPGHOME, PGPASSFILE, HISTFILE: `${directory}/history` }, [root])

  expect(list).toContain(`${directory}/history`)
  for (const path of named) expect(list).not.toContain(path)
})

test('variables that the host has and the command has not count as well', () => {
  const before = process.env.PGPASSFILE
  process.env.PGPASSFILE = '/srv/of-the-host'
  try {
    expect(listFor({})).toContain('/srv/of-the-host')
  } finally {
    if (before === undefined) delete process.env.PGPASSFILE
    else process.env.PGPASSFILE = before
  }
})

test('nothing is on the list twice', () => {
  const list = listFor({ NETRC: '/nowhere/home/.netrc', PGPASSFILE: '/srv/a', HISTFILE: '/srv/a' })

  expect(new Set(list).size).toBe(list.length)
})

test('the list is made once for environments that differ in other variables', () => {
  expect(listFor({ OTHER: '1' })).toBe(listFor({ OTHER: '2' }))
})
