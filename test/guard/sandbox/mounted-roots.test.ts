// Writable roots that another mount shows as well: they are judged by all of their names.
import { copyFileSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { killHosts, runHost } from '../../support/host.js'
import { prefixWithMount } from '../../support/mounts.js'
import { cannotTest } from '../../support/must-work.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { testWorkspace } from '../../support/workspace.js'

afterEach(killHosts)
afterAll(removeTempDirs)

/** What becomes of a policy with this root, in a host that sees `from` at `to`, too. Undefined: nothing can be mounted. */
const outcomeOf = async (root: string, { home, ...mounted }: Mounted & { home: string }) => {
  const [message] =
    (await messagesOf([['true', { cwd: '/', sandbox: { writable: [root] } }]], mounted, { HOME: home })) ?? []
  return message
}

interface Mounted {
  from: string
  to: string
}

/** What becomes of each command. */
const messagesOf = async (argument: unknown[], { from, to }: Mounted, variables: NodeJS.ProcessEnv = {}) => {
  const prefix = prefixWithMount(from, to)
  if (prefix === undefined) return undefined
  const outcomes = await runHost<{ message?: string }[]>('policy-errors', {
    argument,
    env: { ...process.env, ...variables },
    prefix,
  })
  return outcomes.map(({ message }) => message ?? 'taken')
}

const places = () => {
  const top = realpathSync(tempDir())
  const [home, to] = [join(top, 'home'), join(top, 'elsewhere')]
  mkdirSync(join(home, '.config/tool'), { recursive: true })
  mkdirSync(join(home, 'project'))
  mkdirSync(to)
  return { home, to }
}

testWorkspace('the home directory is refused by its other name', async () => {
  const { home, to } = places()

  const message = await outcomeOf(to, { from: home, to, home })

  if (message === undefined) return cannotTest('nothing can be mounted')
  expect(message).toMatch(`it is the home directory (mounted at ${home}, too)`)
})

testWorkspace('so is what lies in a refused directory', async () => {
  const { home, to } = places()
  const from = join(home, '.config/tool')

  const message = await outcomeOf(to, { from, to, home })

  if (message === undefined) return cannotTest('nothing can be mounted')
  expect(message).toMatch(`it is mounted at ${from}, too, and it is in the directory of settings`)
})

for (const [shown, reason] of [
  ['/usr/lib', 'it is in a system directory, /usr'],
  ['.config/tool', 'it is in the directory of settings'],
] as const)
  testWorkspace(
    `a root is refused where a mount below it shows a part of what is refused: ${shown}`,
    async () => {
      const { home, to } = places()
      const from = resolve(home, shown)
      const point = join(to, 'below/shown')
      mkdirSync(point, { recursive: true })

      const message = await outcomeOf(to, { from, to: point, home })

      if (message === undefined) return cannotTest('nothing can be mounted')
      expect(message).toContain(`cannot be made writable: ${point} shows ${from}, and ${reason}`)
    },
  )

testWorkspace('a root is refused where a file that is mounted below it is one of the system', async () => {
  const { home, to } = places()
  const file = join(to, 'file')
  writeFileSync(file, '')

  const message = await outcomeOf(to, { from: '/etc/passwd', to: file, home })

  if (message === undefined) return cannotTest('nothing can be mounted')
  expect(message).toContain(`${file} shows /etc/passwd, and it is in a system directory, /etc`)
})

testWorkspace('other mounts below a root are taken', async () => {
  const { home, to } = places()
  mkdirSync(join(to, 'below'))

  const message = await outcomeOf(to, { from: join(home, 'project'), to: join(to, 'below'), home })

  if (message === undefined) return cannotTest('nothing can be mounted')
  expect(message).toBe('taken')
})

testWorkspace('a project that is mounted twice is taken', async () => {
  const { home, to } = places()

  const message = await outcomeOf(to, { from: join(home, 'project'), to, home })

  if (message === undefined) return cannotTest('nothing can be mounted')
  expect(message).toBe('taken')
})

/** A project, whose directory `inner` is mounted elsewhere. */
const mountedFromProject = (inner: string) => {
  const top = realpathSync(tempDir())
  const [project, to, outside] = [join(top, 'project'), join(top, 'elsewhere'), join(top, 'outside')]
  for (const directory of [join(project, inner), to, outside]) mkdirSync(directory, { recursive: true })
  return { project, outside, from: join(project, inner), to }
}

const variables = [
  ['HOME', 'it contains the home directory'],
  ['XDG_STATE_HOME', 'it contains where bashward keeps its jobs'],
  ['XDG_CONFIG_HOME', 'it contains XDG_CONFIG_HOME'],
] as const

for (const [name, reason] of variables) {
  testWorkspace(`what contains the directory of ${name} by another name is refused`, async () => {
    const { project, ...mounted } = mountedFromProject('inner')
    const command = ['true', { cwd: '/', sandbox: { writable: [project] } }]

    const messages = await messagesOf([command], mounted, { [name]: mounted.to })

    if (messages === undefined) return cannotTest('nothing can be mounted')
    expect(messages).toEqual([expect.stringContaining(`${reason}, ${mounted.from}`)])
  })
}

testWorkspace('so is what contains the shell by another name', async () => {
  const { project, ...mounted } = mountedFromProject('bin')
  copyFileSync('/bin/bash', join(mounted.from, 'bash'))
  const shellPath = join(mounted.to, 'bash')
  const command = ['true', { cwd: '/', shellPath, sandbox: { writable: [project] } }]

  const messages = await messagesOf([command], mounted)

  if (messages === undefined) return cannotTest('nothing can be mounted')
  const reason = `it contains the shell of the commands, ${mounted.from}/bash`
  expect(messages).toEqual([expect.stringContaining(reason)])
})

const namesOfMount = [
  ['another name', 'project', 'elsewhere'],
  ['the name itself, after a command that knew another', 'elsewhere', 'project'],
] as const

for (const [how, first, second] of namesOfMount) {
  testWorkspace(`a link that a command has made is not followed by ${how}`, async () => {
    const { project, outside, to } = mountedFromProject('.')
    const [by, then] = [first, second].map((name) => (name === 'project' ? project : to)) as [string, string]
    const plant = [`ln -s '${outside}' link`, { cwd: by, sandbox: 'workspace' }]
    const use = ['true', { cwd: '/', sandbox: { writable: [join(then, 'link')] } }]

    const messages = await messagesOf([plant, use], { from: project, to })

    if (messages === undefined) return cannotTest('nothing can be mounted')
    expect(messages).toEqual(['taken', expect.stringContaining('where the link to it is')])
  })
}

testWorkspace('a link within what a command could write to is followed by each name', async () => {
  const { project, to } = mountedFromProject('.')
  const plant = ['mkdir inner && ln -s inner link', { cwd: project, sandbox: 'workspace' }]
  const use = ['true', { cwd: '/', sandbox: { writable: [join(to, 'link')] } }]

  const messages = await messagesOf([plant, use], { from: project, to })

  if (messages === undefined) return cannotTest('nothing can be mounted')
  expect(messages).toEqual(['taken', 'taken'])
})
