// Which commands of a tool with `verdicts` run. That one has not run is seen by the file that it would make.
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Approve,
  type BashEvent,
  BashSession,
  createBashSuite,
  createExecTool,
  loadPolicy,
  type Remembered,
} from '../../../lib/index.js'
import { createTerminalTool } from '../../../lib/tools/terminal-tool.js'
import { markApproved } from '../../../lib/tools/verdicts/approved.js'
import { tempStore } from '../../support/jobs.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { approving, setUp } from './judged-tool.js'

afterAll(removeTempDirs)

test('what asks is rejected where nobody can be asked', async () => {
  const { tool, run, made } = setUp({})
  const result = await run('touch made')

  expect(result).toMatchObject({
    status: 'rejected',
    exitCode: null,
    rejection: { rule: 'needs-approval', match: { text: 'touch made' }, why: 'nobody can be asked here' },
    judgement: { decision: 'ask' },
    error: { code: 'ERR_COMMAND_REJECTED' },
  })
  expect(tool.toText(result)).toBe(
    '[needs approval: nobody can be asked here] `touch made`: changes files or processes\n' +
      'Instead: use commands that only read, or tell the user what to run, and why.',
  )
  expect(existsSync(made)).toBe(false)
})

test('what asks runs when it is approved, and not before', async () => {
  let wasThere: boolean | undefined
  const { run, made, workingDir } = setUp({
    approve: async (request) => {
      wasThere = existsSync(made)
      expect(request).toMatchObject({
        kind: 'command',
        command: 'touch made',
        workingDir,
        judgement: { decision: 'ask', suggestion: [['touch']] },
      })
      return 'once'
    },
  })

  expect(await run('touch made')).toMatchObject({ status: 'completed', judgement: { decision: 'ask' } })
  expect(wasThere).toBe(false)
  expect(existsSync(made)).toBe(true)
})

test('the model reads why it was denied', async () => {
  const { tool, run, made } = setUp({ approve: async () => ({ deny: 'Not on a Friday.' }) })
  const result = await run('touch made')

  expect(result).toMatchObject({ status: 'rejected', rejection: { rule: 'not-approved' } })
  expect(tool.toText(result)).toBe('[command rejected: not-approved] Not on a Friday.')
  expect(existsSync(made)).toBe(false)
})

test.each<[string, Approve, string]>([
  [
    'throws',
    () => {
      throw new Error('no terminal')
    },
    'asking failed: no terminal',
  ],
  ['rejects', () => Promise.reject(new Error('gone')), 'asking failed: gone'],
  [
    'throws what is no text',
    () => {
      throw Object.create(null)
    },
    'asking failed: something that is no text',
  ],
  [
    'answers true',
    (() => true) as never,
    "approve() must answer 'once', 'always' or { deny: '…' } (got true)",
  ],
  ['answers nothing', (() => undefined) as never, 'got undefined'],
  ['denies without a text', (() => ({ deny: true })) as never, 'got {"deny":true}'],
])('nothing runs where approve %s', async (_, approve, why) => {
  const { run, made } = setUp({ approve })

  expect(await run('touch made')).toMatchObject({
    status: 'rejected',
    rejection: { rule: 'needs-approval', why: expect.stringContaining(why) },
  })
  expect(existsSync(made)).toBe(false)
})

test('a call is cancelled while a person is asked, who never answers', async () => {
  const controller = new AbortController()
  let signal: AbortSignal | undefined
  const { run, made } = setUp({
    approve: (_, call) => {
      signal = call.signal
      return new Promise(() => {})
    },
  })
  const running = run('touch made', { cancel: controller.signal })
  await waitFor(() => signal !== undefined, { what: 'the question' })
  expect(signal?.aborted).toBe(false)
  controller.abort()

  expect(await running).toMatchObject({ status: 'cancelled', judgement: { decision: 'ask' } })
  expect(signal?.aborted).toBe(true)
  expect(existsSync(made)).toBe(false)
})

test('an answer that comes after the call was cancelled starts nothing', async () => {
  const controller = new AbortController()
  const { run, made } = setUp({
    approve: async () => {
      controller.abort()
      return 'once'
    },
  })

  expect(await run('touch made', { cancel: controller.signal })).toMatchObject({ status: 'cancelled' })
  expect(existsSync(made)).toBe(false)
})

test('nobody is asked about a call that was cancelled before', async () => {
  const { requests, approve } = approving('once')
  const { run } = setUp({ approve })

  expect(await run('touch made', { cancel: AbortSignal.abort() })).toMatchObject({ status: 'cancelled' })
  expect(requests).toEqual([])
})

test('the context of the call tells whose command it is', async () => {
  const contexts: unknown[] = []
  const { run } = setUp({
    approve: async (_, { context }) => {
      contexts.push(context.conversationId)
      return { deny: '' }
    },
  })
  await run('touch made', { conversationId: 'seven' })

  expect(contexts).toEqual(['seven'])
})

test('always tells the host each rule, which allows the command in the next call', async () => {
  const remembered: Remembered[] = []
  const { requests, approve } = approving('always')
  const { run, workingDir } = setUp({
    approve,
    onRemember: (rule, { workingDir: where }) => {
      expect(where).toBe(workingDir)
      remembered.push(rule)
    },
  })
  await run('touch made && mkdir -p sub')
  expect(remembered).toEqual([
    { prefix: ['touch'], decision: 'allow' },
    { prefix: ['mkdir'], decision: 'allow' },
  ])
  const policy = loadPolicy({ rules: remembered as never })

  expect(await run('touch other', { policy })).toMatchObject({
    status: 'completed',
    judgement: { decision: 'allow', reasons: [{ rule: 'touch' }] },
  })
  expect(requests).toHaveLength(1)
})

test('judge() runs nothing and asks nobody', async () => {
  const { requests, approve } = approving('once')
  const { tool, workingDir, made } = setUp({ approve })

  expect(await tool.judge?.({ command: 'touch made' }, { workingDir })).toMatchObject({ decision: 'ask' })
  await expect(tool.judge?.({ command: 7 }, { workingDir })).rejects.toMatchObject({
    code: 'ERR_INVALID_INPUT',
  })
  await expect(tool.judge?.({ command: 'ls' }, { workingDir: 7 as never })).rejects.toMatchObject({
    code: 'ERR_INVALID_INPUT',
  })
  expect(requests).toEqual([])
  expect(existsSync(made)).toBe(false)
})

test('a framework that has asked is not asked again, and lifts no denial', async () => {
  const { requests, approve } = approving({ deny: '' })
  const { tool, workingDir, made } = setUp({ approve })
  const context = () => {
    const marked = { workingDir }
    markApproved(marked)
    return marked
  }

  expect(await tool.execute({ command: 'git push -f' }, context())).toMatchObject({ status: 'rejected' })
  expect(await tool.execute({ command: 'touch made' }, context())).toMatchObject({ status: 'completed' })
  expect(requests).toEqual([])
  expect(existsSync(made)).toBe(true)
})

test('the start event comes after the approval', async () => {
  const order: string[] = []
  const { tool, workingDir } = setUp({
    approve: async () => {
      order.push('asked')
      return 'once'
    },
  })
  const onEvent = ({ type }: BashEvent) => order.push(type)
  await tool.execute({ command: 'touch made' }, { workingDir, onEvent })

  expect(order).toEqual(['asked', 'start', 'result'])
})

test('a call of a session waits for the answer about the one before', async () => {
  let answer: ((value: 'once') => void) | undefined
  const { run, workingDir } = setUp({
    approve: () =>
      new Promise((resolve) => {
        answer = resolve
      }),
  })
  const session = new BashSession({ workingDir })
  const first = run('mkdir sub && cd sub', { session })
  const second = run('pwd', { session })
  await waitFor(() => answer !== undefined, { what: 'the question' })
  answer?.('once')

  expect(await first).toMatchObject({ status: 'completed' })
  expect(await second).toMatchObject({ output: `${join(workingDir, 'sub')}\n` })
})

test('a background job is asked about before it starts', async () => {
  const { requests, approve } = approving({ deny: '' })
  const { tool, workingDir } = setUp({ approve })

  expect(await tool.execute({ command: 'npm run dev', mode: 'background' }, { workingDir })).toMatchObject({
    status: 'rejected',
  })
  expect(requests).toHaveLength(1)
})

test('the other tools ask as well', async () => {
  const workingDir = realpathSync(tempDir())
  const { requests, approve } = approving({ deny: 'no' })
  const { bash } = createBashSuite({ verdicts: { approve }, session: false })
  const exec = createExecTool({ verdicts: { approve } })
  const terminal = createTerminalTool({ jobs: tempStore(), verdicts: { approve } }, { rows: 24, cols: 100 })

  for (const tool of [bash, terminal]) {
    expect(tool.toText(await tool.execute({ command: 'touch made' }, { workingDir }))).toBe(
      '[command rejected: not-approved] no',
    )
  }
  expect(await exec.execute({ command: 'touch made' }, { workingDir })).toEqual({
    stdout: '',
    stderr: '',
    exitCode: null,
    error: 'command rejected: not-approved: no',
    judgement: expect.objectContaining({ decision: 'ask' }),
  })
  expect(requests).toHaveLength(3)
  expect(existsSync(join(workingDir, 'made'))).toBe(false)
})

test('a long command is judged without holding up the event loop, and can be cancelled meanwhile', async () => {
  const controller = new AbortController()
  const { requests, approve } = approving('once')
  const { run } = setUp({ approve })
  const running = run(`echo ${'x '.repeat(9000)}; touch made`, { cancel: controller.signal })
  controller.abort()

  expect(await running).toMatchObject({ status: 'cancelled' })
  expect(requests).toEqual([])
})
