// The server's tools in Workspace mode.
import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { SandboxPolicy } from '../../../lib/index.js'
import { serverTools } from '../../../lib/surfaces/mcp/tools.js'
import { endJobs, tempStore } from '../../support/jobs.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { testWorkspace } from '../../support/workspace.js'

afterEach(endJobs)
afterEach(removeTempDirs)

const setUp = (workspace?: Partial<SandboxPolicy>) => {
  const base = realpathSync(tempDir())
  const workingDir = join(base, 'project')
  mkdirSync(workingDir)
  const jobs = tempStore()
  const options = { workingDir, sandbox: 'workspace', jobs, safety: true } as const
  const { byName: tools } = serverTools({
    ...options,
    scratch: undefined,
    workspace,
    backgroundAfterMs: 20_000,
  })
  const callOf = (name: string) => (input: object) =>
    tools.get(name)?.call(input, {
      toolCallId: '1',
      cancel: new AbortController().signal,
      onOutput() {},
      onJob() {},
    })
  const bash = tools.get('bash')
  return { base, workingDir, jobs, bash, call: callOf('bash'), bashOutput: callOf('bash_output') }
}

describe.each(['default', 'slow'])('a command of mode %s', (mode) => {
  testWorkspace('writes in the directory of the server, and nowhere else', async () => {
    const { base, workingDir, call } = setUp()
    const result = await call({ command: ': >inside; : >../outside', mode })

    expect(result).toMatchObject({
      isError: true,
      structured: { status: 'failed', sandbox: 'workspace' },
      text: expect.stringContaining('Permission denied'),
    })
    expect(existsSync(join(workingDir, 'inside'))).toBe(true)
    expect(existsSync(join(base, 'outside'))).toBe(false)
  })
})

describe.each(['default', 'slow'])('what was refused a command of mode %s', (mode) => {
  testWorkspace('is named with where it may write', async () => {
    const { base, workingDir, call } = setUp()
    const result = await call({ command: ': >../outside', mode })
    const denied = `writing is allowed below ${workingDir} and $TMPDIR only`

    expect(result?.structured).toMatchObject({
      denied,
      denials: [{ operation: 'write', target: join(base, 'outside'), inferred: true }],
    })
    expect(result?.text).toMatch(/\n\[sandbox: writing is allowed below .*; refused: write .*\/outside\]$/)
  })

  testWorkspace('is not what the permissions of a file refused', async () => {
    const { call } = setUp()
    const result = await call({ command: 'mkdir -m 0 d; : >d/x; rmdir d', mode })

    expect(result?.structured).not.toHaveProperty('denied')
  })
})

test('clients are told that the tool writes, and has no network', () => {
  expect(setUp().bash?.definition.annotations).toMatchObject({
    readOnlyHint: false,
    destructiveHint: true,
    openWorldHint: false,
  })
})

describe.each(['default', 'slow'])('a command of mode %s that changes what others execute', (mode) => {
  testWorkspace('is told so', async () => {
    const { workingDir, call } = setUp()
    const result = await call({ command: ': >.envrc', mode })

    expect(result?.structured).toMatchObject({ protectedChanged: [join(workingDir, '.envrc')] })
    expect(result?.text).toContain('this command changed ')
  })
})

testWorkspace(
  'what the broker refuses a slow command is certain, and names what would allow it',
  async () => {
    const { base, call } = setUp()
    mkdirSync(join(base, 'other'))
    const result = await call({ command: 'chmod 700 ../other', mode: 'slow' })

    expect(result?.structured).toMatchObject({
      denials: [{ operation: 'chmod', target: join(base, 'other'), grant: { writable: [base] } }],
    })
  },
)

testWorkspace('what a background command was refused is told with its output', async () => {
  const { base, jobs, call, bashOutput } = setUp()
  mkdirSync(join(base, 'other'))
  const started = await call({ command: 'chmod 700 ../other; : >.envrc', mode: 'background' })
  const jobId = String(started?.structured.jobId)
  await jobs.wait(jobId)
  const output = await bashOutput({ bash_id: jobId })

  expect(output?.structured).toMatchObject({
    sandbox: 'workspace',
    denials: [{ operation: 'chmod', target: join(base, 'other') }],
    protectedChanged: [expect.stringContaining('.envrc')],
  })
  expect(output?.text).toContain('[sandbox: changing modes is allowed below ')
})

test('or has one, where hosts are listed', () => {
  const { bash } = setUp({ network: { domains: ['registry.example'] } })

  expect(bash?.definition.annotations).toMatchObject({ openWorldHint: true })
  expect(bash?.definition.description).toContain('Of the network only registry.example can be reached')
})
