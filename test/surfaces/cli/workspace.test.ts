// bashward run --workspace, with each profile.
import { existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { testWorkspace } from '../../support/workspace.js'
import { bashward } from './in-process.js'
import { killPrograms } from './program.js'

afterEach(killPrograms)
afterAll(removeTempDirs)

const setUp = () => {
  const base = realpathSync(tempDir())
  for (const name of ['project', 'more', 'keys']) mkdirSync(join(base, name))
  writeFileSync(join(base, 'keys', 'key'), '')
  return { base, project: join(base, 'project') }
}

describe.each(['bash', 'exec', 'suite'])('bashward run --profile %s --workspace', (profile) => {
  testWorkspace('runs there, and writes there and nowhere else', async () => {
    const { base, project } = setUp()
    const options = ['run', '--profile', profile, '--workspace', project]
    const { stdout, code } = await bashward([...options, 'pwd; : >inside; : >../outside'])

    expect({ code, directory: stdout.split('\n')[0] }).toEqual({ code: 1, directory: project })
    expect(existsSync(join(project, 'inside'))).toBe(true)
    expect(existsSync(join(base, 'outside'))).toBe(false)
  })
})

testWorkspace('--writable and --unreadable add to it', async () => {
  const { base, project } = setUp()
  const more = ['--writable', join(base, 'more'), '--unreadable', join(base, 'keys')]
  const command = ': >../more/file; cat ../keys/key'
  const { code, stderr, stdout } = await bashward(['run', '--workspace', project, ...more, command])

  expect(code).not.toBe(0)
  expect(`${stdout}${stderr}`).toMatch(/key: Permission denied/)
  expect(existsSync(join(base, 'more', 'file'))).toBe(true)
})

testWorkspace('a directory that cannot be writable is refused by name', async () => {
  const { code, stderr } = await bashward(['run', '--workspace', '/etc', 'true'])

  expect(code).toBe(125)
  expect(stderr).toContain('/etc: cannot be made writable: it is a system directory')
})

testWorkspace('an error about a path names the option that it came from', async () => {
  const { base, project } = setUp()
  const missing = join(base, 'missing')
  const errorOf = async (...options: string[]) => (await bashward(['run', ...options, 'true'])).stderr

  for (const profile of ['bash', 'exec', 'suite']) {
    expect(await errorOf('--profile', profile, '--workspace', '/etc')).toMatch(
      /: --workspace \/etc: cannot be/,
    )
  }
  expect(await errorOf('--workspace', project, '--writable', missing)).toContain(
    `: --writable ${missing}: must`,
  )
  expect(await errorOf('--workspace', project, '--unreadable', project)).toContain(
    `: --unreadable ${project}: can`,
  )
})

testWorkspace('the JSON document has the name of the mode', async () => {
  const { project } = setUp()
  const { stdout } = await bashward(['run', '--workspace', project, '--json', 'true'])

  expect(JSON.parse(stdout)).toMatchObject({ status: 'completed', sandbox: 'workspace' })
})

testWorkspace(
  'a link that an earlier command has made does not choose what a later one can write to',
  async () => {
    const { base, project } = setUp()
    const link = join(project, 'link')
    await bashward(['run', '--workspace', project, 'ln -s ../more link'])
    const { code, stderr } = await bashward(['run', '--workspace', link, ': >file'])

    expect({ code, stderr }).toMatchObject({ code: 125, stderr: expect.stringContaining(join(base, 'more')) })
    expect(stderr).toContain(`commands can write to ${project}, where the link to it is`)
    expect(existsSync(join(base, 'more', 'file'))).toBe(false)
  },
)

testWorkspace('a link that a person has made elsewhere leads to the workspace', async () => {
  const { base, project } = setUp()
  symlinkSync('project', join(base, 'link'))
  await bashward(['run', '--workspace', project, 'true'])

  expect(await bashward(['run', '--workspace', join(base, 'link'), ': >file'])).toMatchObject({ code: 0 })
  expect(existsSync(join(project, 'file'))).toBe(true)
})
