// Calls with a ledger in tools that ask before a command runs.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ApprovalAnswer,
  type ApprovalRequest,
  type Approve,
  loadPolicy,
  type VerdictOptions,
} from '../../../lib/index.js'
import { testRestricted } from '../../support/restricted.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { testWorkspace } from '../../support/workspace.js'
import { LedgerCalls } from './ledger-call.js'

afterEach(removeTempDirs)

/** A person, who answers when the test does. */
class Person {
  readonly requests: ApprovalRequest[] = []
  readonly #answers: ((answer: ApprovalAnswer) => void)[] = []

  readonly approve: Approve = async (request) => {
    this.requests.push(request)
    return await new Promise<ApprovalAnswer>((resolve) => this.#answers.push(resolve))
  }

  async isAsked(times: number): Promise<void> {
    await waitFor(() => this.#answers.length === times, { what: `${times} questions` })
  }

  answer(answer: ApprovalAnswer): void {
    this.#answers.at(-1)?.(answer)
  }
}

const answering = (answer: ApprovalAnswer): VerdictOptions & { requests: ApprovalRequest[] } => {
  const requests: ApprovalRequest[] = []
  const approve: Approve = async (request) => {
    requests.push(request)
    return answer
  }
  return { approve, requests }
}

/** The option alone: what else is beside it is unknown to the tool. */
const withVerdicts = ({ approve, policy }: VerdictOptions, directory?: string) =>
  new LedgerCalls(directory === undefined ? {} : { directory }, {
    verdicts: { approve, ...(policy && { policy }) },
  })

const never = { status: 'never' }
const statusOf = async (calls: LedgerCalls) => await calls.ledger.status({ callId: 'a' })

describe('an id is not used up by a call that', () => {
  test('nobody could be asked about', async () => {
    const calls = withVerdicts({})
    expect(await calls.send('a', 'true')).toMatchObject({
      status: 'rejected',
      rejection: { rule: 'needs-approval' },
    })
    expect(await statusOf(calls)).toEqual(never)
    expect(calls.runs('a')).toBe(0)
  })

  test('a rule has denied', async () => {
    const policy = loadPolicy({ rules: [{ prefix: ['npm'], decision: 'deny', why: 'no' }] })
    const person = answering('once')
    const calls = withVerdicts({ ...person, policy })
    expect(await calls.send('a', 'npm publish')).toMatchObject({ status: 'rejected' })
    expect(await statusOf(calls)).toEqual(never)
    expect(person.requests).toEqual([])
  })

  test('a person has not approved: sent again it is asked about again, and may run', async () => {
    const person = new Person()
    const calls = withVerdicts(person)
    const denied = calls.send('a', 'echo out')
    await person.isAsked(1)
    person.answer({ deny: 'Not now.' })
    expect(await denied).toMatchObject({ status: 'rejected', rejection: { rule: 'not-approved' } })
    expect(await statusOf(calls)).toEqual(never)

    const approved = calls.send('a', 'echo out')
    await person.isAsked(2)
    person.answer('once')
    expect(await approved).toMatchObject({ status: 'completed', output: 'out\n' })
    expect(calls.runs('a')).toBe(1)
  })

  test('was cancelled while a person was asked', async () => {
    const person = new Person()
    const calls = withVerdicts(person)
    const controller = new AbortController()
    const running = calls.send('a', 'echo out', { cancel: controller.signal })
    await person.isAsked(1)
    controller.abort()

    expect(await running).toMatchObject({ status: 'cancelled' })
    expect(await statusOf(calls)).toEqual(never)
    person.answer('once')
    expect(calls.runs('a')).toBe(0)
  })
})

test('an approved call runs once, and nobody is asked when it is sent again', async () => {
  const person = answering('once')
  const calls = withVerdicts(person)
  const first = await calls.send('a', 'echo out')
  const second = await calls.send('a', 'echo out')

  expect(first).toMatchObject({ status: 'completed', output: 'out\n', judgement: { decision: 'ask' } })
  expect(second).toEqual({ ...JSON.parse(JSON.stringify(first)), replayed: true })
  expect(person.requests).toHaveLength(1)
  expect(calls.runs('a')).toBe(1)
})

test('a call is answered when it is sent again though nobody would approve it any more', async () => {
  const calls = withVerdicts(answering('once'))
  await calls.send('a', 'echo out')
  const policy = loadPolicy({ rules: [{ prefix: ['echo'], decision: 'deny', why: 'no' }] })
  const other = new LedgerCalls({ directory: calls.ledger.directory }, { verdicts: { policy } })
  // The same command, which notes its runs where the first does.
  Object.defineProperty(other, 'runsFile', { value: calls.runsFile })

  expect(await other.send('a', 'echo out', { policy })).toMatchObject({ output: 'out\n', replayed: true })
  expect(calls.runs('a')).toBe(1)
})

describe('a call that is sent again while a person is asked', () => {
  test('waits for the answer, and is answered with what ran', async () => {
    const person = new Person()
    const calls = withVerdicts(person)
    const first = calls.send('a', 'echo $RANDOM')
    await person.isAsked(1)
    const second = calls.send('a', 'echo $RANDOM')
    person.answer('once')
    const [one, two] = await Promise.all([first, second])

    expect(one).toMatchObject({ status: 'completed' })
    expect(two).toMatchObject({ status: 'completed', output: one.output, replayed: true })
    expect(person.requests).toHaveLength(1)
    expect(calls.runs('a')).toBe(1)
  })

  test('is denied with it', async () => {
    const person = new Person()
    const calls = withVerdicts(person)
    const first = calls.send('a', 'echo out')
    await person.isAsked(1)
    const second = calls.send('a', 'echo out')
    person.answer({ deny: 'Not now.' })

    for (const result of await Promise.all([first, second])) {
      expect(result).toMatchObject({ status: 'rejected', error: { message: 'Not now.' } })
    }
    expect(person.requests).toHaveLength(1)
    expect(calls.runs('a')).toBe(0)
  })

  test('is asked about by itself when the first is cancelled', async () => {
    const person = new Person()
    const calls = withVerdicts(person)
    const controller = new AbortController()
    const first = calls.send('a', 'echo out', { cancel: controller.signal })
    await person.isAsked(1)
    const second = calls.send('a', 'echo out')
    controller.abort()
    await person.isAsked(2)
    person.answer('once')

    expect(await first).toMatchObject({ status: 'cancelled' })
    expect(await second).toMatchObject({ status: 'completed', output: 'out\n' })
    expect(calls.runs('a')).toBe(1)
  })

  test('and is cancelled only stops waiting', async () => {
    const person = new Person()
    const calls = withVerdicts(person)
    const first = calls.send('a', 'echo out')
    await person.isAsked(1)
    const second = await calls.send('a', 'echo out', { cancel: AbortSignal.abort() })
    person.answer('once')

    expect(second).toMatchObject({ status: 'error', error: { code: 'ERR_CANCELLED' } })
    expect(await first).toMatchObject({ status: 'completed', output: 'out\n' })
  })

  test('with another command is refused when the first has run', async () => {
    const person = new Person()
    const calls = withVerdicts(person)
    const first = calls.send('a', 'echo out')
    await person.isAsked(1)
    const second = calls.send('a', 'echo other')
    person.answer('once')

    expect(await first).toMatchObject({ output: 'out\n' })
    expect(await second).toMatchObject({ error: { code: 'ERR_CALL_ID_REUSED' } })
    expect(person.requests).toHaveLength(1)
    expect(calls.runs('a')).toBe(1)
  })
})

testRestricted('what only reads runs confined, once', async () => {
  const calls = new LedgerCalls({}, { verdicts: {} })
  const { tool } = calls
  const context = { workingDir: '/', toolCallId: 'a' }
  const [first, second] = [
    await tool.execute({ command: 'ls /usr | wc -l' }, context),
    await tool.execute({ command: 'ls /usr | wc -l' }, context),
  ]

  expect(first).toMatchObject({ status: 'completed', readConfined: true })
  expect(second).toEqual({ ...JSON.parse(JSON.stringify(first)), replayed: true })
})

testRestricted('a look at what git would discard uses no id up', async () => {
  const person = new Person()
  const calls = withVerdicts(person)
  const workingDir = realpathSync(tempDir())
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@x', ...args], { cwd: workingDir })
  git('init', '-q')
  writeFileSync(join(workingDir, 'file'), 'one')
  git('add', '.')
  git('commit', '-qm', 'Begin')
  writeFileSync(join(workingDir, 'file'), 'two')
  const running = calls.tool.execute({ command: 'git restore file' }, { workingDir, toolCallId: 'a' })
  await person.isAsked(1)
  expect(person.requests).toMatchObject([
    { judgement: { reasons: [{ message: expect.stringContaining('would lose the changes in 1 file') }] } },
  ])
  expect(await statusOf(calls)).toEqual(never)
  person.answer('once')

  expect(await running).toMatchObject({ status: 'completed' })
  expect(readFileSync(join(workingDir, 'file'), 'utf8')).toBe('one')
})

testWorkspace('what the sandbox has refused is not asked about: the call would run twice', async () => {
  const person = answering('once')
  const calls = withVerdicts(person)
  const base = realpathSync(tempDir())
  const [workingDir, other] = [join(base, 'project'), join(base, 'other')]
  for (const directory of [workingDir, other]) mkdirSync(directory)
  const context = { workingDir, sandbox: 'workspace', toolCallId: 'a' } as const
  const command = `echo ran >> runs; touch ${other}/new`
  const [first, second] = [
    await calls.tool.execute({ command }, context),
    await calls.tool.execute({ command }, context),
  ]

  expect(person.requests).toMatchObject([{ kind: 'command' }])
  expect(first).toMatchObject({ status: 'failed', denials: [{ grant: { writable: [other] } }] })
  expect(first).not.toHaveProperty('granted')
  expect(second).toMatchObject({ status: 'failed', denials: first.denials, replayed: true })
  expect(existsSync(join(other, 'new'))).toBe(false)
  expect(readFileSync(join(workingDir, 'runs'), 'utf8')).toBe('ran\n')
})
