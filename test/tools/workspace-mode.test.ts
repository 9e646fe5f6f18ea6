// Workspace mode and policies in the context of a call, with each tool.
import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { createBashSuite, createBashTool, createExecTool } from '../../lib/index.js'
import { endJobs, tempStore, waitForStatusLine } from '../support/jobs.js'
import { killLeftovers, uniqueSleep } from '../support/processes.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { testWorkspace } from '../support/workspace.js'
import { startJob } from './background-job.js'

afterEach(killLeftovers)
afterEach(endJobs)
afterEach(removeTempDirs)

/** A directory with a project in it. */
const setUp = () => {
  const base = realpathSync(tempDir())
  const project = join(base, 'project')
  mkdirSync(project)
  return { base, project, workspace: { workingDir: project, sandbox: 'workspace' } as const }
}

const command = 'echo in >inside; echo out >../outside'

testWorkspace('bash writes in the working directory, and nowhere else', async () => {
  const { base, project, workspace } = setUp()

  expect(await createBashTool().execute({ command }, workspace)).toMatchObject({
    status: 'failed',
    sandbox: 'workspace',
    output: expect.stringContaining('../outside: Permission denied'),
  })
  expect(readFileSync(join(project, 'inside'), 'utf8')).toBe('in\n')
  expect(existsSync(join(base, 'outside'))).toBe(false)
})

testWorkspace('Bash of the suite likewise', async () => {
  const { base, project, workspace } = setUp()
  const { bash } = createBashSuite({ jobs: tempStore() })

  expect(await bash.execute({ command }, workspace)).toMatchObject({ sandbox: 'workspace' })
  expect(existsSync(join(project, 'inside'))).toBe(true)
  expect(existsSync(join(base, 'outside'))).toBe(false)
})

testWorkspace('the exec tool likewise', async () => {
  const { base, project, workspace } = setUp()
  const { stderr } = await createExecTool().execute({ command }, workspace)

  expect(stderr).toContain('Permission denied')
  expect(existsSync(join(project, 'inside'))).toBe(true)
  expect(existsSync(join(base, 'outside'))).toBe(false)
})

testWorkspace('$TMPDIR can be written, and is gone afterwards', async () => {
  const { workspace } = setUp()
  const { status, output } = await createBashTool().execute(
    { command: 'echo x >"$TMPDIR/file" && printf %s "$TMPDIR"' },
    workspace,
  )

  expect(status).toBe('completed')
  expect(output).toMatch(/^\//)
  expect(existsSync(output)).toBe(false)
})

testWorkspace("the tool's options say what is different in Workspace mode", async () => {
  const { base, workspace } = setUp()
  const more = join(base, 'more')
  mkdirSync(more)
  const tool = createBashTool({ workspace: { writable: ['.', '../more'] } })
  const result = await tool.execute({ command: ': >../more/file; : >inside' }, workspace)

  expect(result).toMatchObject({ status: 'completed', sandbox: 'workspace' })
  expect(existsSync(join(more, 'file'))).toBe(true)
})

testWorkspace('and nothing in other modes', async () => {
  const { project, workspace } = setUp()
  const tool = createBashTool({ workspace: { writable: ['.'] } })
  const result = await tool.execute({ command: ': >file' }, { ...workspace, sandbox: 'restricted' })

  expect(result).toMatchObject({ status: 'failed', sandbox: 'restricted' })
  expect(existsSync(join(project, 'file'))).toBe(false)
})

testWorkspace('a context may have a policy of its own', async () => {
  const { base, project } = setUp()
  const context = { workingDir: base, sandbox: { writable: ['project'] } }
  const { status, sandbox } = await createBashTool().execute({ command: ': >project/a; : >b' }, context)

  expect({ status, sandbox }).toEqual({ status: 'failed', sandbox: 'custom' })
  expect(existsSync(join(project, 'a'))).toBe(true)
  expect(existsSync(join(base, 'b'))).toBe(false)
})

testWorkspace('a policy is not that of another call of the tool', async () => {
  const { base, project } = setUp()
  const tool = createBashTool()
  const run = (sandbox: object) => tool.execute({ command: ': >project/$$' }, { workingDir: base, sandbox })

  expect(await run({ writable: ['project'] })).toMatchObject({ status: 'completed' })
  expect(await run({ unreadable: [project] })).toMatchObject({ status: 'failed' })
})

testWorkspace('a path that cannot be had is the error of the call, by name', async () => {
  const { project } = setUp()
  const context = { workingDir: project, sandbox: { writable: ['/etc'] } }

  expect(await createBashTool().execute({ command: 'true' }, context)).toMatchObject({
    status: 'error',
    sandbox: 'custom',
    error: {
      code: 'ERR_INVALID_INPUT',
      message: 'sandbox.writable[0]: /etc: cannot be made writable: it is a system directory',
    },
  })
})

testWorkspace('what a command leaves running becomes a job', async () => {
  const { workspace } = setUp()
  const tool = createBashTool({ jobs: tempStore() })
  const result = await tool.execute({ command: `sleep ${uniqueSleep()} & echo started` }, workspace)

  expect(result).toMatchObject({ status: 'completed', jobId: expect.stringMatching(/^bash_/) })
})

testWorkspace('and is ended by the command that the text names', async () => {
  const { workspace } = setUp()
  const tool = createBashTool({ jobs: tempStore() })
  const result = await tool.execute({ command: `sleep ${uniqueSleep()} & echo started` }, workspace)
  const [, command = ''] = /to stop: (kill -9 -\d+)\]/.exec(tool.toText(result)) ?? []

  expect(await tool.execute({ command }, workspace)).toMatchObject({
    status: 'completed',
    sandbox: 'workspace',
    output: expect.stringContaining(`[job ${result.jobId} `),
  })
})

testWorkspace('a background job keeps its policy', async () => {
  const { base, project, workspace } = setUp()
  const { result } = await startJob(command, {}, workspace)
  await waitForStatusLine(result.outputFile)

  expect(result).toMatchObject({ status: 'background', sandbox: 'workspace' })
  expect(existsSync(join(project, 'inside'))).toBe(true)
  expect(existsSync(join(base, 'outside'))).toBe(false)
})

testWorkspace('the directory of the jobs cannot be written', async () => {
  const { workspace } = setUp()
  const { store } = await startJob('true', {}, workspace)
  const context = { workingDir: store.directory, sandbox: 'workspace' } as const

  expect(await createBashTool({ jobs: store }).execute({ command: 'true' }, context)).toMatchObject({
    status: 'error',
    error: { message: expect.stringContaining('background jobs of bashward are kept in') },
  })
})

testWorkspace("KillBash ends no other conversation's job", async () => {
  const { workspace } = setUp()
  const jobs = tempStore()
  const started = await startJob(`sleep ${uniqueSleep()}`, { jobs }, { conversationId: 'other' })
  const { killBash } = createBashSuite({ jobs })
  const context = { ...workspace, conversationId: 'mine', onEvent: undefined }

  expect(await killBash.execute({ bash_id: started.result.jobId }, context)).toMatchObject({
    status: 'error',
    error: { code: 'ERR_JOB_NOT_KILLED' },
  })
})
