// What the sandbox refuses real commands in Workspace mode is named, and what it does not refuse is not.
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createBashTool, createExecTool, run } from '../../lib/index.js'
import { isRoot, packageRoot } from '../support/as-user.js'
import { cannotTest } from '../support/must-work.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { testWorkspace } from '../support/workspace.js'

afterAll(removeTempDirs)

const setUp = () => {
  const base = realpathSync(tempDir())
  const [project, other, keys] = ['project', 'other', 'keys'].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ]
  for (const directory of [project, other, keys]) mkdirSync(directory)
  for (const file of [join(other, 'file'), join(keys, 'key'), join(project, 'tool')]) writeFileSync(file, '')
  return { project, other, keys }
}

/** The result in Workspace mode of a command that works without. */
const attempt = async (command: (places: ReturnType<typeof setUp>) => string) => {
  const control = setUp()
  expect(await run(command(control), { cwd: control.project })).toMatchObject({ exitCode: 0 })
  const places = setUp()
  const workspace = { unreadable: [places.keys] }
  const options = { cwd: places.project, sandbox: 'workspace', workspace } as const
  return { ...places, result: await run(command(places), options) }
}

testWorkspace('a file outside', async () => {
  const { result, project, other } = await attempt(({ other }) => `touch ${other}/new`)

  expect(result).toMatchObject({
    status: 'failed',
    denied: `writing is allowed below ${project} and $TMPDIR only`,
    denials: [
      { operation: 'write', target: join(other, 'new'), grant: { writable: [other] }, inferred: true },
    ],
  })
  expect(result.denials).toHaveLength(1)
})

testWorkspace('modes and times outside, which are certain, of a success too', async () => {
  const { result, other } = await attempt(
    ({ other }) => `chmod 600 ${other}/file; touch -d yesterday ${other}/file; true`,
  )
  const target = join(other, 'file')

  expect(result.status).toBe('completed')
  expect(result.denials).toEqual([
    { operation: 'chmod', target, grant: { writable: [other] } },
    { operation: 'utimes', target, grant: { writable: [other] } },
  ])
})

testWorkspace('with the grant the same command works', async () => {
  const { project, other } = setUp()
  const command = `touch ${other}/new && chmod 600 ${other}/file`
  const refused = await run(command, { cwd: project, sandbox: 'workspace' })
  const writable = refused.denials?.flatMap(({ grant }) => grant?.writable ?? []) ?? []

  expect(refused.status).toBe('failed')
  expect(
    await run(command, { cwd: project, sandbox: 'workspace', workspace: { writable: ['.', ...writable] } }),
  ).toMatchObject({ status: 'completed' })
})

testWorkspace('set-user-id bits', async () => {
  const { result, project } = await attempt(() => 'chmod u+s tool')

  expect(result).toMatchObject({
    denied: 'set-user-id and set-group-id bits are not allowed',
    denials: [{ operation: 'chmod', target: join(project, 'tool') }],
  })
})

testWorkspace('a path that cannot be read', async () => {
  const { result, keys } = await attempt(({ keys }) => `cat ${keys}/key`)

  expect(result).toMatchObject({
    denied: `${keys}/key is not readable in Workspace mode`,
    denials: [{ operation: 'read', target: join(keys, 'key'), inferred: true }],
  })
})

testWorkspace('shared memory, which has a grant', async () => {
  const { project } = setUp()
  const command = `f=$(mktemp /dev/shm/bashward-test-XXXXXX) && rm "$f"`
  const refused = await run(command, { cwd: project, sandbox: 'workspace' })

  expect(refused.denials).toMatchObject([{ operation: 'sharedMemory', grant: { sharedMemory: true } }])
  expect(
    await run(command, { cwd: project, sandbox: 'workspace', workspace: refused.denials?.[0]?.grant }),
  ).toMatchObject({ status: 'completed' })
})

testWorkspace('nothing, of work within', async () => {
  const { result } = await attempt(
    () =>
      'mkdir -p a/b && touch a/b/c && chmod 700 a/b a/b/c && touch -d yesterday a/b/c && mv a/b d && rm -r a d',
  )

  expect(result.status).toBe('completed')
  expect(result).not.toHaveProperty('denied')
  expect(result).not.toHaveProperty('denials')
})

testWorkspace('nothing, of what a log says', async () => {
  const { result } = await attempt(
    ({ other }) => `echo "touch: cannot touch '${other}/x': Permission denied" > log; cat log`,
  )

  expect(result).not.toHaveProperty('denied')
})

testWorkspace('nothing, of permissions of files within', async () => {
  const { project } = setUp()
  const options = { cwd: project, sandbox: 'workspace' } as const
  const result = await run('chmod 400 tool; : >tool', options)

  // Root may write whatever the mode is.
  expect(result.output).toBe(isRoot ? '' : 'bash: line 1: tool: Permission denied\n')
  expect(result).not.toHaveProperty('denied')
})

testWorkspace('what the model reads names the target, and the description where it may write', async () => {
  const { project, other } = setUp()
  const bash = createBashTool()
  const context = { workingDir: project, sandbox: 'workspace' } as const
  const text = bash.toText(await bash.execute({ command: `touch ${other}/new` }, context))

  expect(text.split('\n').at(-1)).toBe(
    `[sandbox: writing is allowed below ${project} and $TMPDIR only; refused: write ${other}/new]`,
  )
  expect(bash.description(context)).toContain(
    `\nWORKSPACE MODE: files can be changed below ${project} and $TMPDIR only.`,
  )
})

testWorkspace('the error of the exec tool names it, too', async () => {
  const { project, other } = setUp()
  const context = { workingDir: project, sandbox: 'workspace' } as const

  expect(await createExecTool().execute({ command: `touch ${other}/new` }, context)).toMatchObject({
    error: expect.stringContaining(`refused: write ${other}/new`),
    denials: [{ operation: 'write', target: join(other, 'new') }],
  })
})

testWorkspace('a changed hook is named', async () => {
  const { project } = setUp()
  mkdirSync(join(project, '.git/hooks'), { recursive: true })
  const bash = createBashTool()
  const command = 'echo evil >.git/hooks/post-checkout'
  const result = await bash.execute({ command }, { workingDir: project, sandbox: 'workspace' })

  expect(result.protectedChanged).toEqual([expect.stringMatching(/\/\.git\/hooks/)])
  expect(bash.toText(result)).toMatch(
    /\n\[sandbox: this command changed .*\.git\/hooks.*may run what is in there\]$/,
  )
})

testWorkspace('a host within finds no Workspace mode, and why', async () => {
  const { project } = setUp()
  const doctor = `'${process.execPath}' '${join(packageRoot, 'dist/cli/bin.js')}' doctor --json`
  const { output, exitCode } = await run(doctor, { cwd: project, sandbox: 'workspace', timeout: 60_000 })
  if (exitCode !== 0) return cannotTest('there is no Restricted mode within another')

  expect(JSON.parse(output)).toMatchObject({
    available: true,
    workspace: { available: false, reason: expect.stringContaining('in a command of bashward') },
  })
})
