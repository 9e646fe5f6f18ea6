// Sessions in Workspace mode and with policies: each has a state of its own, and its commands do not choose what is writable.
import { existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  BashSession,
  type BashToolOptions,
  createBashSuite,
  createBashTool,
  type SandboxMode,
  type SandboxPolicy,
} from '../../lib/index.js'
import { tempStore } from '../support/jobs.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { testWorkspace } from '../support/workspace.js'

afterEach(removeTempDirs)

const conversation = () => {
  const base = realpathSync(tempDir())
  const project = join(base, 'project')
  mkdirSync(join(project, 'src'), { recursive: true })
  mkdirSync(join(base, 'other'))
  const session = new BashSession({ workingDir: project })
  const run = (sandbox: SandboxMode | SandboxPolicy, command: string, options: BashToolOptions = {}) =>
    createBashTool(options).execute({ command }, { workingDir: project, sandbox, session })
  return { base, project, session, run }
}

testWorkspace('variables and the directory persist', async () => {
  const { run } = conversation()
  await run('workspace', 'x=1; cd src')

  expect(await run('workspace', 'echo "$x"; : >file; ls')).toMatchObject({
    status: 'completed',
    output: '1\nfile\n',
  })
})

testWorkspace('a command that goes elsewhere takes nothing along that is writable', async () => {
  const { base, run } = conversation()
  await run('workspace', 'cd ../other')

  expect(await run('workspace', 'pwd; : >file')).toMatchObject({
    status: 'failed',
    output: expect.stringMatching(/^\S+\/other\n.*Permission denied\n$/s),
  })
  expect(existsSync(join(base, 'other', 'file'))).toBe(false)
})

testWorkspace('and loses nothing that was', async () => {
  const { project, run } = conversation()
  await run('workspace', 'cd src')

  expect(await run('workspace', ': >../file')).toMatchObject({ status: 'completed' })
  expect(existsSync(join(project, 'file'))).toBe(true)
})

testWorkspace("the suite's own session begins where its first call does", async () => {
  const { base, project } = conversation()
  const { bash } = createBashSuite({ jobs: tempStore() })
  const run = (command: string) => bash.execute({ command }, { workingDir: project, sandbox: 'workspace' })
  await run('cd ../other')

  expect(await run(': >file')).toMatchObject({ status: 'failed' })
  expect(existsSync(join(base, 'other', 'file'))).toBe(false)
})

testWorkspace('where it was is told when it is gone, and the session moves up', async () => {
  const { base, project, session, run } = conversation()
  await run('workspace', 'true')
  rmSync(project, { recursive: true })

  expect(await run('workspace', 'true')).toMatchObject({
    status: 'error',
    error: { code: 'ERR_WORKING_DIR', message: expect.stringContaining(`${project} cannot be entered`) },
  })
  expect(session.workingDir).toBe(base)
})

testWorkspace('what is set in Workspace mode is not there in other modes', async () => {
  const { run } = conversation()
  await run('workspace', 'ls() { echo mine; }; x=1; cd src')

  for (const mode of ['unrestricted', 'restricted'] as const) {
    expect(await run(mode, 'type -t ls; echo "[$x]"; basename "$PWD"')).toMatchObject({
      output: expect.stringMatching(/^(?:file|alias)\n\[\]\nproject\n$/),
    })
  }
})

testWorkspace('policies that differ have states that do', async () => {
  const { run } = conversation()
  await run({ writable: ['.'] }, 'x=1')
  await run({ writable: ['.', 'src'] }, 'x=2')

  expect(await run({ writable: ['.'] }, 'echo "$x"')).toMatchObject({ output: '1\n' })
  expect(await run({ writable: ['.', 'src'], network: false }, 'echo "$x"')).toMatchObject({ output: '2\n' })
  expect(await run('workspace', 'echo "[$x]"')).toMatchObject({ output: '[]\n' })
})

testWorkspace('so has Workspace mode that a tool has changed', async () => {
  const { run } = conversation()
  await run('workspace', 'x=1', { workspace: { sharedMemory: true } })

  expect(await run('workspace', 'echo "[$x]"')).toMatchObject({ output: '[]\n' })
})

testWorkspace('the directory of a policy can be asked for', async () => {
  const { project, session, run } = conversation()
  await run({ writable: ['.'] }, 'cd src')

  expect(session.workingDirIn({ writable: ['.'] })).toBe(join(project, 'src'))
  expect(session.workingDir).toBe(join(project, 'src'))
  expect(session.workingDirIn('workspace')).toBe(project)
  expect(session.initialDirectory).toBe(project)
})

testWorkspace('the description names the directory of the policy, and what is writable', async () => {
  const { project, session, run } = conversation()
  const options = { workspace: { sharedMemory: true } }
  await run('workspace', 'cd src', options)
  const context = { workingDir: '/', sandbox: 'workspace', session } as const
  const { bash } = createBashSuite({ ...options, jobs: tempStore() })

  for (const tool of [createBashTool(options), bash]) {
    const description = tool.description(context)

    expect(description).toContain(`<pwd>${project}/src</pwd>`)
    expect(description).toContain(`below ${project} and $TMPDIR`)
  }
})
