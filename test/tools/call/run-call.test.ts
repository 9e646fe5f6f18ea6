// The turn of a call in a session is free again whatever became of the call, and a kill of a job does not wait for it.
import { type BashEvent, BashSession, createBashTool, JobStore, type SafetyRule } from '../../../lib/index.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterAll(removeTempDirs)

const rule: SafetyRule = {
  name: 'no-touch',
  applies({ program, words }) {
    if (program === 'broken') throw new Error('the rule is broken')
    return program === 'touch' ? words[0] : null
  },
  explain: () => 'makes a file',
}
const jobs = new JobStore({ directory: tempDir() })
const tool = createBashTool({ jobs, safety: { rules: { add: [rule] } } })

test.each([
  ['a refused command', 'touch file', 'rejected'],
  ['a rule that fails', 'broken', 'error'],
  ['a command that fails', 'exit 3', 'failed'],
])('the next call of a session runs after %s', async (_, command, status) => {
  const session = new BashSession({ workingDir: '/' })
  const context = { workingDir: '/', session }

  expect(await tool.execute({ command }, context)).toMatchObject({ status })
  expect(await tool.execute({ command: 'echo next' }, context)).toMatchObject({ output: 'next\n' })
})

test('the next call of a session runs after one that could not start', async () => {
  const session = new BashSession({ workingDir: '/' })
  const noShell = createBashTool({ jobs, shellPath: '/no/such/shell' })
  const context = { workingDir: '/', session }

  expect(await noShell.execute({ command: 'true' }, context)).toMatchObject({ status: 'error' })
  expect(await tool.execute({ command: 'echo next' }, context)).toMatchObject({ output: 'next\n' })
})

test('a kill of what an earlier call left does not wait for the call that runs', async () => {
  const session = new BashSession({ workingDir: '/' })
  const context = { workingDir: '/', session, conversationId: 'one' }
  const { pgid, jobId } = await tool.execute({ command: 'sleep 300 &' }, context)
  const running = tool.stream({ command: 'sleep 5' }, context)[Symbol.asyncIterator]()
  expect(await running.next()).toMatchObject({ value: { type: 'start' } })

  const events: string[] = []
  const onEvent = (event: BashEvent) => events.push(event.type)
  const killed = await tool.execute({ command: `kill -9 -${pgid}` }, { ...context, onEvent })
  expect(killed).toMatchObject({ status: 'completed', output: expect.stringContaining(`job ${jobId}`) })
  expect(events).toEqual(['start', 'result'])
  await running.return?.()
})

test('a kill of what is no job is a command like any other, with one start', async () => {
  const session = new BashSession({ workingDir: '/' })
  const events: string[] = []
  const onEvent = (event: BashEvent) => events.push(event.type)
  const context = { workingDir: '/', session, onEvent }

  // Linux has no process group beyond 4194304 (proc_sys_kernel(5)).
  expect(await tool.execute({ command: 'kill -9 -4999999' }, context)).toMatchObject({ status: 'failed' })
  expect(events.filter((type) => type !== 'output')).toEqual(['start', 'result'])
})

test('a kill of what is no job is checked once', async () => {
  let checks = 0
  const counting: SafetyRule = {
    name: 'counting',
    applies: () => {
      checks += 1
      return null
    },
    explain: () => '',
  }
  const counted = createBashTool({ jobs, safety: { rules: { add: [counting] } } })
  await counted.execute({ command: 'kill -9 -4999999' }, { workingDir: '/' })

  expect(checks).toBe(1)
})
