// Tools with verdicts: what is typed into a shell is judged, and about the rest a person is asked.
import { spawnSync } from 'node:child_process'
import { type ApprovalRequest, loadPolicy, type VerdictOptions } from '../../../lib/index.js'
import { endJobs } from '../../support/jobs.js'
import { cannotTest } from '../../support/must-work.js'
import { isAlive } from '../../support/processes.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { ttyCalls } from './tty-calls.js'

afterEach(endJobs)
afterAll(removeTempDirs)

const shell = 'PS1="$ " exec bash --norc --noprofile -i'

/** A person who allows what is started, and answers what is typed so. */
const asked = (answer: 'once' | { deny: string }, rest: Omit<VerdictOptions, 'approve'> = {}) => {
  const requests: ApprovalRequest[] = []
  const verdicts: VerdictOptions = {
    ...rest,
    approve: async (request) => {
      if (request.kind !== 'input') return 'once'
      requests.push(request)
      return answer
    },
  }
  return { ...ttyCalls({ verdicts }), requests }
}

test('a person is asked about a line for a shell, and told what it is for', async () => {
  const { start, type, requests } = asked('once')
  const { id } = await start(shell)
  const { result } = await type(id, 'mkdir -p /tmp')

  expect(result).toMatchObject({ status: 'running', judgement: { decision: 'ask' } })
  expect(requests).toEqual([
    {
      kind: 'input',
      text: 'mkdir -p /tmp',
      submit: true,
      keys: [],
      program: 'bash',
      command: shell,
      workingDir: '/',
      jobId: id,
      judgement: expect.objectContaining({ decision: 'ask', suggestion: [['mkdir']] }),
    },
  ])
})

test('what is denied is not typed', async () => {
  const { start, type, read } = asked({ deny: 'not today' })
  const { id } = await start(shell)
  const { text } = await type(id, 'mkdir /x')

  expect(text).toBe('[input rejected: not-approved] not today')
  expect((await read(id)).result.output).toBe('$ ')
})

test('nobody is asked about what a rule allows, and what a rule denies is not typed', async () => {
  const policy = loadPolicy({
    rules: [
      { prefix: ['echo'], decision: 'allow' },
      { prefix: ['mkdir'], decision: 'deny' },
    ],
  })
  const { start, type, requests } = asked('once', { policy })
  const { id } = await start(shell)

  expect((await type(id, 'echo fine')).text).toContain('\nfine\n')
  expect((await type(id, 'mkdir x')).result).toMatchObject({ status: 'rejected' })
  expect(requests).toEqual([])
})

test('reading is allowed where it need not be confined', async () => {
  const { start, type, requests } = asked('once', { reads: 'same' })
  const { id } = await start(shell)
  await type(id, 'ls /')
  expect(requests).toEqual([])

  await type(id, 'echo !!')
  await type(id, 'ls "')
  expect(requests.map((request) => (request as { text: string }).text)).toEqual(['echo !!', 'ls "'])
})

test('but for C-c and C-d a person is asked about keys', async () => {
  const { start, press, requests } = asked('once')
  const { id } = await start(shell)
  await press(id, 'C-c')
  expect(requests).toEqual([])
  await press(id, 'Up')
  expect(requests).toMatchObject([{ kind: 'input', text: '', keys: ['Up'] }])
  await press(id, 'C-c')
  expect((await press(id, 'C-d')).last).toMatch(/^\[failed: exit code 130\]|^\[completed\]/)
  expect(requests).toHaveLength(1)
})

test('a person is asked about text for another program', async () => {
  if (spawnSync('python3', ['--version']).error !== undefined) return cannotTest('there is no python3')
  const { start, type, requests } = asked('once', { reads: 'same' })
  const { id } = await start('python3 -q')
  await type(id, '1')

  expect(requests).toMatchObject([{ text: '1', program: 'python3', judgement: { decision: 'ask' } }])
})

test('where nobody can be asked, it is not typed', async () => {
  const policy = loadPolicy({ rules: [{ prefix: ['read'], decision: 'allow' }] })
  const { start, type } = ttyCalls({ verdicts: { policy } })
  const { id } = await start('read x')
  const { text } = await type(id, 'y')

  expect(text).toMatch(/^\[needs approval: nobody can be asked here\] `y`: is for `bash`\nInstead: /)
})

test('what is read by another program than was looked at is not typed', async () => {
  let reader: number | undefined
  const approve: VerdictOptions['approve'] = async (request) => {
    if (request.kind === 'input' && reader !== undefined && reader > 1) {
      process.kill(reader)
      await waitFor(() => !isAlive(Number(reader)), { what: 'its end' })
    }
    return 'once'
  }
  const { start, type } = ttyCalls({ verdicts: { approve } })
  const { id, result } = await start('cat; read -p "name: " x')
  expect(result.state?.program).toBe('cat')
  reader = result.state?.pid

  expect((await type(id, 'y')).result).toMatchObject({ status: 'error', error: { code: 'ERR_TERMINAL' } })
})

test('judge() tells what would be decided', async () => {
  const { suite, start } = asked('once')
  const { id } = await start(shell)
  const judge = async (input: object) => {
    const judgement = await suite.bashInput.judge?.({ bash_id: id, ...input }, { workingDir: '/' })
    return judgement?.decision
  }

  expect(await judge({ text: 'rm -rf /' })).toBe('deny')
  expect(await judge({ text: 'mkdir x' })).toBe('ask')
  expect(await judge({ keys: ['C-c'] })).toBe('allow')
})
