// Where scratch directories are made, after commands that could write to where that is.
import { mkdirSync, readdirSync, realpathSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { rememberWritable } from '../../../lib/guard/sandbox/ever-writable.js'
import { scratchParent } from '../../../lib/guard/sandbox/scratch-parent.js'
import { run } from '../../../lib/index.js'
import { testRestricted } from '../../support/restricted.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterAll(removeTempDirs)

const setUp = () => {
  const base = realpathSync(tempDir())
  for (const name of ['project/tmp', 'outside']) mkdirSync(join(base, name), { recursive: true })
  return { base, project: join(base, 'project'), outside: join(base, 'outside') }
}

test('is what is given, by its real name', () => {
  const { base, outside } = setUp()
  symlinkSync('outside', join(base, 'link'))

  expect([outside, join(base, 'link')].map(scratchParent)).toEqual([outside, outside])
})

test('is looked up for each command', () => {
  const { base, outside, project } = setUp()
  const link = join(base, 'link')
  symlinkSync('outside', link)
  const before = scratchParent(link)
  renameSync(link, `${link}.old`)
  symlinkSync('project', link)

  expect([before, scratchParent(link)]).toEqual([outside, project])
})

test('what is not there is left to the supervisor', () => {
  const { base } = setUp()

  expect(scratchParent(join(base, 'missing'))).toBe(join(base, 'missing'))
})

describe('a link that a command may have made', () => {
  test('is refused where it leads out of what the command could write', () => {
    const { project, outside } = setUp()
    rememberWritable([project])
    symlinkSync('../outside', join(project, 'link'))

    expect(() => scratchParent(join(project, 'link'))).toThrow(
      expect.objectContaining({
        code: 'ERR_INVALID_INPUT',
        message: `scratch.directory: ${project}/link: cannot have scratch directories: a symbolic link in ${project}, where commands can write, leads to ${outside}`,
      }),
    )
  })

  test('is followed within that', () => {
    const { project } = setUp()
    rememberWritable([project])
    symlinkSync('tmp', join(project, 'link'))

    expect(scratchParent(join(project, 'link'))).toBe(join(project, 'tmp'))
  })
})

describe.each(['restricted', 'workspace'] as const)('a later command in %s mode', (sandbox) => {
  testRestricted('has no scratch directory where an earlier one has led it', async () => {
    const { project, outside } = setUp()
    const scratch = { directory: join(project, 'tmp') }
    const options = { cwd: project, scratch, timeout: 30_000 }
    const first = await run('mv tmp tmp.old && ln -s ../outside tmp', { ...options, sandbox: 'workspace' })
    const second = run('echo x >"$TMPDIR/file"; ls ../outside', { ...options, sandbox })

    await expect(second).rejects.toMatchObject({
      code: 'ERR_INVALID_INPUT',
      message: expect.stringContaining('scratch.directory'),
    })
    expect(first).toMatchObject({ status: 'completed' })
    expect(readdirSync(outside)).toEqual([])
    expect(readdirSync(join(project, 'tmp.old'))).toEqual([])
  })
})

testRestricted('TMPDIR is the real name of where files are written', async () => {
  const { base, outside } = setUp()
  symlinkSync('outside', join(base, 'link'))
  const scratch = { directory: join(base, 'link') }
  const options = { cwd: '/', sandbox: 'restricted', scratch, timeout: 30_000 } as const
  const { output } = await run('echo x >"$TMPDIR/file"; cat "$TMPDIR/file"; echo "$TMPDIR"', options)

  expect(output).toMatch(new RegExp(`^x\n${outside}/bashward-scratch-[0-9a-f]{16}\n$`))
  expect(readdirSync(outside)).toEqual([])
})
