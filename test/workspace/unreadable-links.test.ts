// The links in an unreadable directory, however deep: what they lead to is unreadable, too.
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../lib/index.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { testWorkspace } from './workspace-hosts.js'

afterAll(removeTempDirs)

/** A directory with what is given in it, texts by their names; and a project beside it. */
const makePlace = (files: Record<string, string>) => {
  const home = realpathSync(tempDir())
  const cwd = join(home, 'project')
  mkdirSync(cwd)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(home, name, '..'), { recursive: true })
    writeFileSync(join(home, name), text)
  }
  return {
    home,
    link: (target: string, name: string) => {
      mkdirSync(join(home, name, '..'), { recursive: true })
      symlinkSync(target, join(home, name))
    },
    runWith: async (unreadable: readonly string[], command: string) => {
      const options = { cwd, sandbox: 'workspace', env: { set: { HOME: home } } } as const
      return await run(command, { ...options, workspace: { unreadable: [...unreadable] } })
    },
    /** Which of the files cannot be read, if `keys` is unreadable. */
    unread: async (...names: readonly string[]) => {
      const options = { cwd, sandbox: 'workspace', workspace: { unreadable: [join(home, 'keys')] } } as const
      const paths = names.map((name) => `'${join(home, name)}'`)
      const { output } = await run(
        `for f in ${paths.join(' ')}; do cat "$f" >/dev/null 2>&1 || echo "$f"; done`,
        options,
      )
      return output
        .split('\n')
        .filter((path) => path !== '')
        .map((path) => path.slice(home.length + 1))
    },
  }
}

testWorkspace('what links in directories below it lead to cannot be read', async () => {
  const { link, unread } = makePlace({
    'keys/a/b/own': 's',
    'far/file': 's',
    'far/beside': 'open',
    'dir/in/file': 's',
  })
  link('../../../far/file', 'keys/a/b/file')
  link('../../dir', 'keys/a/dir')

  expect(await unread('keys/a/b/own', 'far/file', 'dir/in/file', 'far/beside')).toEqual([
    'keys/a/b/own',
    'far/file',
    'dir/in/file',
  ])
})

testWorkspace('nor what links below a directory lead to that a link leads to', async () => {
  const { link, unread } = makePlace({ 'one/x': 's', 'two/x': 's', 'three/x': 's', beside: 'open' })
  link('../../one', 'keys/a/one')
  link('../../two', 'one/b/two')
  link('../../three/x', 'two/c/three')

  expect(await unread('one/x', 'two/x', 'three/x', 'beside')).toEqual(['one/x', 'two/x', 'three/x'])
})

testWorkspace('links that lead round in circles are each followed once', async () => {
  const { link, unread } = makePlace({ 'keys/a/own': 's', 'peer/x': 's', beside: 'open' })
  link('..', 'keys/a/up')
  link('self', 'keys/a/self')
  link('../../peer', 'keys/a/peer')
  link('../../keys', 'peer/b/keys')

  expect(await unread('keys/a/own', 'peer/x', 'beside')).toEqual(['keys/a/own', 'peer/x'])
})

testWorkspace('a link that is made in a directory below it counts for the next command', async () => {
  const { link, unread } = makePlace({ 'keys/a/own': 's', 'far/file': 's' })
  expect(await unread('far/file')).toEqual([])
  link('../../far/file', 'keys/a/file')
  expect(await unread('far/file')).toEqual(['far/file'])
  link('../../../far', 'keys/new/b/far')
  expect(await unread('far/file')).toEqual(['far/file'])
})

for (const [name, target, reason] of [
  ['the root directory', '/', 'it leads to the root directory'],
  ['/proc', '/proc/1', 'it leads to /proc'],
  ['what /proc has no more', '/proc/none', 'it leads to /proc'],
  ['a file by way of /proc', '/proc/self/cwd/package.json', 'it leads through /proc'],
  ['nothing by way of /proc', '/proc/self/root/none', 'it leads through /proc'],
  ['the workspace', '../../project', 'it is the unreadable path'],
] as const) {
  testWorkspace(`one to ${name} below a listed directory is refused by its name`, async () => {
    const { home, link, runWith } = makePlace({ 'keys/a/own': 's' })
    link(target, 'keys/a/link')

    await expect(runWith([join(home, 'keys')], 'true')).rejects.toMatchObject({
      code: 'ERR_INVALID_INPUT',
      message: expect.stringMatching(new RegExp(`${home}/(?:keys/a/link|project).*${reason}`)),
    })
  })

  testWorkspace(`one to ${name} below a directory of the default list is passed over`, async () => {
    const { link, runWith } = makePlace({ '.aws/a/own': 's', 'project/file': 'text' })
    link(target, '.aws/a/link')

    expect(await runWith(['default'], 'cat file')).toMatchObject({ output: 'text' })
  })
}

testWorkspace('a program of the system that the default list leads to can be executed', async () => {
  const { link, runWith } = makePlace({})
  link('/usr/bin/env', '.config/gcloud/virtenv/bin/env')

  expect(await runWith(['default'], '/usr/bin/env true')).toMatchObject({ status: 'completed' })
})

testWorkspace('very many files without links are no obstacle', async () => {
  const { home, link, unread } = makePlace({ 'far/file': 's' })
  mkdirSync(join(home, 'keys/a'), { recursive: true })
  await run('seq 5000 | xargs touch', { cwd: join(home, 'keys/a') })
  link('../../far/file', 'keys/a/link')

  expect(await unread('far/file')).toEqual(['far/file'])
})

testWorkspace(
  'more links and directories than are followed refuse the mode, by the path that has them',
  async () => {
    const { home, runWith } = makePlace({ 'keys/own': 's' })
    mkdirSync(join(home, 'keys/a'))
    for (let index = 0; index < 65_536; index += 1) symlinkSync('x', join(home, `keys/a/${index}`))

    await expect(runWith([join(home, 'keys')], 'true')).rejects.toMatchObject({
      code: 'ERR_INVALID_INPUT',
      message: expect.stringMatching(new RegExp(`${home}/keys.*more than 65536 directories and links`)),
    })
  },
)

testWorkspace('more paths than are left out refuse it, by the link that leads to one of them', async () => {
  const { home, link, runWith } = makePlace({ 'keys/own': 's' })
  mkdirSync(join(home, 'far'))
  for (let index = 0; index < 4096; index += 1) {
    writeFileSync(join(home, `far/${index}`), '')
    link(`../far/${index}`, `keys/${index}`)
  }

  await expect(runWith([join(home, 'keys')], 'true')).rejects.toMatchObject({
    code: 'ERR_INVALID_INPUT',
    message: expect.stringMatching(new RegExp(`${home}/keys/.*more than 4096 paths`)),
  })
})

testWorkspace('so does a directory that is too deep to be looked into', async () => {
  const { home, runWith } = makePlace({ 'keys/own': 's' })
  const name = 'd'.repeat(200)
  const dig = `cd keys; for ((i = 0; i < 25; i++)); do mkdir ${name} && cd -P ./${name} || exit 1; done 2>/dev/null; ln -s / link`
  expect(await run(dig, { cwd: home })).toMatchObject({ status: 'completed' })
  const refused = await runWith([join(home, 'keys')], 'true').catch((error: unknown) => error)
  await run('rm -rf keys', { cwd: home })

  expect(refused).toMatchObject({
    code: 'ERR_INVALID_INPUT',
    message: expect.stringMatching(new RegExp(`${home}/keys.*a path of more than 4095 bytes`)),
  })
})
