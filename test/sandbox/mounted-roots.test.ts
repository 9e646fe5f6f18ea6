// Writable roots that another mount shows as well: they are judged by all of their names.
import { spawnSync } from 'node:child_process'
import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { isRoot } from '../support/as-user.js'
import { killHosts, runHost } from '../support/host.js'
import { cannotTest } from '../support/must-work.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { testWorkspace } from '../support/workspace.js'

afterEach(killHosts)
afterAll(removeTempDirs)

/** What becomes of a policy with this root, in a host that sees `from` at `to`, too. Undefined: nothing can be mounted. */
const outcomeOf = async (root: string, { from, to, home }: { from: string; to: string; home: string }) => {
  const user = isRoot ? [] : ['--user', '--map-root-user']
  const script = 'mount --bind "$1" "$2" && shift 2 && exec "$@"'
  const words = [...user, '--mount', '--propagation', 'private', 'sh', '-c', script, 'sh', from, to]
  if (spawnSync('unshare', [...words, 'true']).status !== 0) return undefined
  const argument = [['true', { cwd: '/', sandbox: { writable: [root] } }]]
  const env = { ...process.env, HOME: home }
  const [outcome] = await runHost<[{ message: string }?]>('policy-errors', {
    argument,
    env,
    prefix: ['unshare', ...words],
  })
  return outcome?.message ?? 'taken'
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
  expect(message).toMatch(`it is mounted at ${home}, too, and it is the home directory`)
})

testWorkspace('so is what lies in a refused directory', async () => {
  const { home, to } = places()
  const from = join(home, '.config/tool')

  const message = await outcomeOf(to, { from, to, home })

  if (message === undefined) return cannotTest('nothing can be mounted')
  expect(message).toMatch(`it is mounted at ${from}, too, and it is in the directory of settings`)
})

testWorkspace('a project that is mounted twice is taken', async () => {
  const { home, to } = places()

  const message = await outcomeOf(to, { from: join(home, 'project'), to, home })

  if (message === undefined) return cannotTest('nothing can be mounted')
  expect(message).toBe('taken')
})
