// The rulesets that the addon makes and keeps for confined commands, and the paths that it refuses.
import { spawnSync } from 'node:child_process'
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../../../lib/index.js'
import { isRoot } from '../../../support/as-user.js'
import { killHosts, runHost } from '../../../support/host.js'
import { cannotTest } from '../../../support/must-work.js'
import { testRestricted } from '../../../support/restricted.js'
import { removeTempDirs, tempDir } from '../../../support/temp-dir.js'
import { testWorkspace } from '../../../support/workspace.js'

afterEach(killHosts)
afterAll(removeTempDirs)

const realTempDir = () => realpathSync(tempDir())

/** A home with a secret in it, and a place to work. */
const home = () => {
  const directory = realTempDir()
  const [secrets, project] = [join(directory, '.ssh'), join(directory, 'project')]
  mkdirSync(secrets)
  mkdirSync(project)
  writeFileSync(join(secrets, 'id'), 'secret')
  writeFileSync(join(directory, 'beside'), 'text')
  return { directory, secrets, project }
}

const readAll = (directory: string) => `cat ${directory}/.ssh/id; cat ${directory}/beside`

testRestricted('an unreadable directory cannot be read, and what is beside it can', async () => {
  const { directory, secrets } = home()
  const command = readAll(directory)

  const control = await run(command, { cwd: '/', sandbox: { unreadable: [] } })
  const result = await run(command, { cwd: '/', sandbox: { unreadable: [secrets] } })

  expect(control.output).toBe('secrettext')
  expect(result.output).toMatch(/Permission denied\ntext$/)
})

testRestricted('a scratch directory beside an unreadable one can be written and read', async () => {
  const { directory, secrets } = home()
  const sandbox = { unreadable: [secrets] }
  const command = `echo own > $TMPDIR/a && mkdir $TMPDIR/d && mv $TMPDIR/a $TMPDIR/d && cat $TMPDIR/d/a; ${readAll(directory)}`

  const result = await run(command, { cwd: '/', sandbox, scratch: { directory } })

  expect(result.output).toMatch(/^own\n.*Permission denied\ntext$/)
})

testRestricted('what has come since the last command is unreadable, too', async () => {
  const { directory } = home()
  const late = join(directory, '.aws')
  const options = { cwd: '/', sandbox: { unreadable: [late] } }

  const before = await run(`cat ${directory}/beside`, options)
  mkdirSync(late)
  writeFileSync(join(late, 'credentials'), 'secret')
  writeFileSync(join(directory, 'new'), 'new')
  const after = await run(`cat ${late}/credentials; cat ${directory}/new`, options)

  expect(before.output).toBe('text')
  expect(after.output).toMatch(/Permission denied\nnew$/)
})

testWorkspace('what an unreadable directory holds cannot be linked or moved into the workspace', async () => {
  const { directory, secrets, project } = home()
  const sandbox = { writable: [project], unreadable: [secrets] }
  const command = `ln ${secrets}/id a; mv ${secrets}/id b; cp ${secrets}/id c; cat a b c; cat ${directory}/beside`

  const result = await run(command, { cwd: project, sandbox, scratch: false })

  expect(result.output).not.toContain('secret\n')
  expect(result.output).toMatch(/text$/)
  expect((await run(`cat ${secrets}/id`, { cwd: '/' })).output).toBe('secret')
})

describe('a path that cannot be had is named with the reason', () => {
  testRestricted('an unreadable path in /proc', async () => {
    const started = run('true', { cwd: '/', sandbox: { unreadable: ['/proc/1/environ'] } })

    await expect(started).rejects.toMatchObject({
      code: 'ERR_INVALID_INPUT',
      path: '/proc/1/environ',
      message: 'unreadable: "/proc/1/environ": it leads to /proc, whose files come and go',
    })
  })

  testWorkspace('a link from an unreadable directory to the workspace', async () => {
    const { secrets, project } = home()
    symlinkSync(project, join(secrets, 'link'))

    const started = run('true', { cwd: project, sandbox: { writable: [project], unreadable: [secrets] } })

    await expect(started).rejects.toMatchObject({ code: 'ERR_INVALID_INPUT', path: project })
    await expect(started).rejects.toThrow(`it is the unreadable path ${secrets}/link`)
  })

  testWorkspace('a workspace that /proc is mounted in', async () => {
    const { project } = home()
    const mounted = join(project, 'root/proc')
    mkdirSync(mounted, { recursive: true })
    const script = 'mount --rbind /proc "$1" && shift && exec "$@"'
    const user = isRoot ? [] : ['--user', '--map-root-user']
    const prefix = [
      'unshare',
      ...user,
      '--mount',
      '--propagation',
      'private',
      'sh',
      '-c',
      script,
      'sh',
      mounted,
    ]
    const [program = '', ...words] = [...prefix, 'true']
    if (spawnSync(program, words).status !== 0) return cannotTest('nothing can be mounted')
    const argument = [['true', { cwd: project, sandbox: { writable: [project], unreadable: [] } }]]

    const [outcome] = await runHost<[unknown]>('policy-errors', { argument, prefix })

    expect(outcome).toEqual({
      code: 'ERR_INVALID_INPUT',
      message: `writable: ${JSON.stringify(project)}: a file system of the kernel (proc) is at ${mounted}`,
    })
  })
})

testRestricted('rulesets are kept a few at a time, and end with their thread', async () => {
  const { secrets } = home()
  const options = { cwd: '/', sandbox: { unreadable: [secrets] } }

  const { statuses, own, meanwhile, after } = await runHost<{
    statuses: string[]
    own: number
    meanwhile: number
    after: number
  }>('kept-rulesets', { argument: { options, commands: 10, workers: 3 } })

  expect(statuses).toEqual(['completed', 'completed', 'completed'])
  expect(own).toBeGreaterThan(0)
  expect(own).toBeLessThanOrEqual(9)
  expect(meanwhile).toBeGreaterThan(own)
  expect(after).toBe(own)
})
