// A person is asked about what the sandbox has refused, and the command runs once more with what is granted.
import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ApprovalRequest,
  type Approve,
  type BashEvent,
  createBashTool,
  loadPolicy,
  type Remembered,
  type ToolContext,
  type VerdictOptions,
} from '../../../lib/index.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { testWorkspace } from '../../support/workspace.js'

afterAll(removeTempDirs)

const policy = loadPolicy({
  rules: [{ prefix: [['touch', 'sh', 'chmod', 'false', 'tee']], decision: 'allow' }],
})

const setUp = (verdicts: VerdictOptions) => {
  const base = realpathSync(tempDir())
  const [workingDir, other] = [join(base, 'project'), join(base, 'other')]
  mkdirSync(workingDir)
  mkdirSync(other)
  const tool = createBashTool({ verdicts: { policy, ...verdicts } })
  const run = (command: string, context: Partial<ToolContext> = {}) =>
    tool.execute({ command }, { workingDir, sandbox: 'workspace', ...context })
  return { tool, run, workingDir, other }
}

const answering = (...answers: Awaited<ReturnType<Approve>>[]) => {
  const requests: ApprovalRequest[] = []
  const approve: Approve = async (request) => {
    requests.push(request)
    return answers[requests.length - 1] ?? { deny: 'no more' }
  }
  return { requests, approve }
}

testWorkspace('a granted directory can be written', async () => {
  const { requests, approve } = answering('once')
  const { tool, run, other, workingDir } = setUp({ approve })
  const result = await run(`touch ${other}/new`)

  expect(requests).toMatchObject([
    {
      kind: 'grant',
      command: `touch ${other}/new`,
      workingDir,
      denial: { operation: 'write', target: join(other, 'new'), grant: { writable: [other] } },
    },
  ])
  expect(result).toMatchObject({ status: 'completed', granted: [{ writable: [other] }] })
  expect(result).not.toHaveProperty('denials')
  expect(tool.toText(result)).toContain(
    `[sandbox: a person has granted it writable ${other}, and the command ran again]`,
  )
  expect(existsSync(join(other, 'new'))).toBe(true)
})

testWorkspace('the grant is for this call only', async () => {
  const { requests, approve } = answering('once')
  const { run, other } = setUp({ approve })
  await run(`touch ${other}/new`)

  expect(await run(`touch ${other}/another`)).toMatchObject({ status: 'failed' })
  expect(requests).toHaveLength(2)
})

testWorkspace('nothing runs again without a grant', async () => {
  const { approve } = answering({ deny: 'no' })
  const { run, other, workingDir } = setUp({ approve })
  const result = await run(`echo run | tee -a log; touch ${other}/new`)

  expect(result).toMatchObject({ status: 'failed', denials: [{ grant: { writable: [other] } }] })
  expect(result).not.toHaveProperty('granted')
  expect(readFileSync(join(workingDir, 'log'), 'utf8')).toBe('run\n')
})

testWorkspace('nobody is asked where there is nobody', async () => {
  const { run, other } = setUp({})

  expect(await run(`touch ${other}/new`)).toMatchObject({ status: 'failed', denials: [{}] })
})

testWorkspace('nor about a command that has succeeded', async () => {
  const { requests, approve } = answering('once')
  const { run, other } = setUp({ approve })

  expect(await run(`touch ${other}/new || true`)).toMatchObject({ status: 'completed' })
  expect(requests).toEqual([])
})

testWorkspace('one thing after the other', async () => {
  const { requests, approve } = answering('once', 'once')
  const { run, other, workingDir } = setUp({ approve })
  const third = join(workingDir, '..', 'third')
  mkdirSync(third)

  expect(await run(`touch ${other}/new && touch ${realpathSync(third)}/new`)).toMatchObject({
    status: 'completed',
    granted: [{ writable: [other] }, { writable: [realpathSync(third)] }],
  })
  expect(requests).toHaveLength(2)
})

testWorkspace('always tells the host the grant', async () => {
  const remembered: Remembered[] = []
  const { run, other } = setUp({ approve: async () => 'always', onRemember: (each) => remembered.push(each) })
  await run(`touch ${other}/new`)

  expect(remembered).toEqual([{ grant: { writable: [other] } }])
})

testWorkspace('a command that fails for another reason is not asked about', async () => {
  const { requests, approve } = answering('once')
  const { run } = setUp({ approve })

  expect(await run('false')).toMatchObject({ status: 'failed' })
  expect(requests).toEqual([])
})

testWorkspace('a call that is cancelled while a person is asked keeps the result of its run', async () => {
  const controller = new AbortController()
  const { run, other } = setUp({
    approve: () => {
      controller.abort()
      return new Promise(() => {})
    },
  })

  expect(await run(`touch ${other}/new`, { cancel: controller.signal })).toMatchObject({ status: 'failed' })
  expect(existsSync(join(other, 'new'))).toBe(false)
})

testWorkspace('each run begins with an event', async () => {
  const { run, other } = setUp({ approve: async () => 'once' })
  const events: string[] = []
  const onEvent = ({ type }: BashEvent) => events.push(type)
  await run(`touch ${other}/new`, { onEvent })

  expect(events.filter((type) => type !== 'output')).toEqual(['start', 'start', 'result'])
})
