// A person is asked for what a program wants to know and a model is not to.
import { once } from 'node:events'
import type { TerminalState } from '../../../lib/index.js'
import {
  type Asking,
  type AskingOptions,
  askForSecret,
  checkAsking,
  type SecretQuestion,
} from '../../../lib/terminals/terminal/ask-person.js'
import { SecretQuestions } from '../../../lib/terminals/terminal/secret-questions.js'
import { leaveNothing, textOf, waitForOutput } from '../../commands/jobs-live/live-jobs.js'
import { closeTerminals, type LiveTerminal, startTerminal } from './live-terminal.js'

afterEach(async () => {
  closeTerminals()
  await leaveNothing()
})

const timeoutMs = 30_000
const secret = 'correct-horse-7'

interface Asked extends LiveTerminal {
  state: TerminalState
  asking(askPerson: Asking['askPerson'], more?: Partial<Asking>): Asking
  questions: SecretQuestion[]
}

const startAsking = async (command: string): Promise<Asked> => {
  const live = await startTerminal(command)
  const questions: SecretQuestion[] = []
  const asking: Asked['asking'] = (askPerson, more = {}) => ({
    jobId: live.id,
    command,
    askPerson: (question) => {
      questions.push(question)
      return askPerson(question)
    },
    ...more,
  })
  return { ...live, state: await live.terminal.wait({ timeoutMs }), asking, questions }
}

const never = () => new Promise<string>(() => {})

test('the person is told who asks, and the answer is typed', async () => {
  const { terminal, state, asking, questions, outputFile, id } = await startAsking(
    'read -sp "Password: " x; echo "<${#x}>"',
  )
  expect(
    await askForSecret(
      terminal,
      state,
      asking(async () => secret),
    ),
  ).toEqual({ outcome: 'given' })
  await waitForOutput(outputFile, '<15>')
  expect(questions).toEqual([
    {
      jobId: id,
      command: 'read -sp "Password: " x; echo "<${#x}>"',
      program: '"bash"',
      pid: state.pid,
      setuid: false,
      through: [],
      prompt: 'Password: ',
      asksSecret: 'certain',
      signal: expect.any(AbortSignal),
    },
  ])
  expect(questions[0]?.signal.aborted).toBe(false)
})

test('through what a program within is asked, the person is told', async () => {
  const { terminal, state, asking, questions, outputFile } = await startAsking(
    `script -qec 'bash -c "read -sp Password: x; echo; echo \\"<\\\${#x}>\\""' /dev/null`,
  )
  expect(
    await askForSecret(
      terminal,
      state,
      asking(() => secret),
    ),
  ).toEqual({ outcome: 'given' })
  await waitForOutput(outputFile, '<15>')
  expect(questions).toMatchObject([{ program: '"bash"', through: ['"script"'] }])
})

test('bytes are wiped', async () => {
  const { terminal, state, asking, outputFile } = await startAsking('read -sp "Password: " x; echo "<${#x}>"')
  const bytes = Buffer.from(secret)
  await askForSecret(
    terminal,
    state,
    asking(() => bytes),
  )
  await waitForOutput(outputFile, '<15>')
  expect(bytes.every((byte) => byte === 0)).toBe(true)
})

test('without an answer the program is interrupted', async () => {
  const { terminal, state, asking, outputFile } = await startAsking(
    'trap "echo interrupted; exit" INT; read -sp "Password: " x',
  )
  expect(
    await askForSecret(
      terminal,
      state,
      asking(() => null),
    ),
  ).toEqual({ outcome: 'declined' })
  await waitForOutput(outputFile, 'interrupted')
})

test('the question is withdrawn when the prompt is gone, and a late answer is wiped', async () => {
  const { terminal, state, asking, outputFile } = await startAsking(
    'read -t 2 -sp "Password: " x; echo; read -p "Name: " y; echo "<$y>"',
  )
  const late = Buffer.from(secret)
  let answered: Promise<unknown> = Promise.resolve()
  const askPerson = ({ signal }: SecretQuestion) => {
    const answer = once(signal, 'abort').then(() => late)
    answered = answer
    return answer
  }
  expect(await askForSecret(terminal, state, asking(askPerson))).toEqual({ outcome: 'withdrawn' })
  await answered
  expect(late.every((byte) => byte === 0)).toBe(true)
  await terminal.write('bob')
  await waitForOutput(outputFile, '<bob>')
})

test('the question is withdrawn when the job ends', async () => {
  const { terminal, state, asking, store, id } = await startAsking('read -sp "Password: " x')
  const answer = askForSecret(terminal, state, asking(never))
  await store.kill(id)
  expect(await answer).toEqual({ outcome: 'withdrawn' })
})

test('another prompt is another question', async () => {
  const { terminal, state, asking, questions, outputFile } = await startAsking(
    'read -t 2 -sp "Password: " x; echo; read -sp "PIN: " y; echo "<$x> <${#y}>"',
  )
  const askPerson = ({ prompt, signal }: SecretQuestion) =>
    prompt === 'PIN: ' ? secret : once(signal, 'abort').then(() => 'too late')
  expect(await askForSecret(terminal, state, asking(askPerson))).toEqual({ outcome: 'given' })
  await waitForOutput(outputFile, '<> <15>')
  expect(questions.map(({ prompt }) => prompt)).toEqual(['Password: ', 'PIN: '])
})

test('a prompt that is replaced each time is given up', async () => {
  const { terminal, state, asking, questions, outputFile } = await startAsking(
    'for i in {1..99}; do read -t 1 -sp "Password $i: " x && break; echo; done; echo "<$x>"',
  )
  const askPerson = ({ signal }: SecretQuestion) => once(signal, 'abort').then(() => secret)
  expect(await askForSecret(terminal, state, asking(askPerson))).toEqual({ outcome: 'withdrawn' })
  expect(questions).toHaveLength(3)
  expect(textOf(outputFile)).not.toContain('<')
})

test.each([
  ['two lines', 'one\ntwo', /^secret: must be one line/],
  ['too much', 'x'.repeat(1025), /^secret: must be at most 1024 bytes/],
])('%s is no answer', async (_, given, message) => {
  const { terminal, state, asking } = await startAsking('read -sp "Password: " x')
  expect(
    await askForSecret(
      terminal,
      state,
      asking(() => given),
    ),
  ).toEqual({
    outcome: 'refused',
    message: expect.stringMatching(message),
  })
})

test('what it throws is told to nobody', async () => {
  const { terminal, state, asking } = await startAsking('read -sp "Password: " x')
  const askPerson = () => {
    throw new Error(secret)
  }
  expect(await askForSecret(terminal, state, asking(askPerson))).toEqual({ outcome: 'failed' })
})

test('the caller can withdraw it, and the program goes on waiting', async () => {
  const { terminal, state, asking, questions } = await startAsking('read -sp "Password: " x')
  const controller = new AbortController()
  const answer = askForSecret(terminal, state, asking(never, { signal: controller.signal }))
  controller.abort()
  expect(await answer).toEqual({ outcome: 'withdrawn' })
  expect(questions[0]?.signal.aborted).toBe(true)
  expect(await terminal.wait({ timeoutMs })).toMatchObject({ asksSecret: 'certain', offset: state.offset })
})

test('a wait asks, and goes on until something else is waited for', async () => {
  const { terminal, store, asking, questions } = await startAsking(
    'for i in 1 2; do read -sp "Password $i: " x; echo; done; read -p "Name: " y',
  )
  const waited = await new SecretQuestions((id) => store.open(id)).wait(
    terminal,
    { timeoutMs },
    asking(async () => secret),
  )
  expect(waited).toMatchObject({
    state: { reason: 'input', verdict: 'line', cursorLine: 'Name: ' },
    answers: [{ outcome: 'given' }, { outcome: 'given' }],
    isAsking: false,
  })
  expect(questions).toHaveLength(2)
})

test('a question lasts longer than the wait that has begun it', async () => {
  const { terminal, store, asking, questions, outputFile } = await startAsking(
    'read -sp "Password: " x; echo "<${#x}>"; read -p "Name: " y',
  )
  let give = (_: string) => {}
  const person = new Promise<string>((resolve) => {
    give = resolve
  })
  const all = new SecretQuestions((id) => store.open(id))
  const first = await all.wait(
    terminal,
    { timeoutMs: 500 },
    asking(() => person),
  )
  expect(first).toMatchObject({ state: { asksSecret: 'certain' }, answers: [], isAsking: true })
  const second = all.wait(
    terminal,
    { timeoutMs },
    asking(() => person),
  )
  give(secret)
  expect(await second).toMatchObject({ state: { verdict: 'line' }, answers: [{ outcome: 'given' }] })
  await waitForOutput(outputFile, '<15>')
  expect(questions).toHaveLength(1)
})

test('a program that does not take the interrupt is not asked for again', async () => {
  const { terminal, store, asking, questions } = await startAsking(
    'trap : INT; for i in {1..99}; do read -sp "Password $i: " x && break; done',
  )
  const waited = await new SecretQuestions((id) => store.open(id)).wait(
    terminal,
    { timeoutMs },
    asking(() => null),
  )
  expect(waited).toMatchObject({ answers: [{ outcome: 'declined' }], isAsking: false })
  expect(questions).toHaveLength(1)
})

test('what is on the screen can ask, too', async () => {
  const { terminal, store, asking, questions, outputFile } = await startAsking(
    'read -ep "Say it > " x; echo "<${#x}>"; sleep 300',
  )
  const waited = await new SecretQuestions((id) => store.open(id)).wait(
    terminal,
    { timeoutMs: 3_000 },
    asking(() => secret),
    async ({ cursorLine }) =>
      cursorLine.startsWith('Say') ? { seen: true, prompt: 'Enter your password' } : undefined,
  )
  expect(waited).toMatchObject({ answers: [{ outcome: 'given' }] })
  await waitForOutput(outputFile, '<15>')
  expect(questions).toMatchObject([{ prompt: 'Enter your password', asksSecret: 'likely' }])
  expect(textOf(outputFile)).not.toContain(secret)
})

test('who is asked is an option', () => {
  const askPerson = () => null
  expect(checkAsking('tty', {})).toBeUndefined()
  expect(checkAsking('tty', { askPerson })).toBe(askPerson)
  expect(checkAsking('tty', { askPerson, passwords: 'ask' })).toBe(askPerson)
  expect(checkAsking('tty', { askPerson, passwords: 'refuse' })).toBeUndefined()
})

test.each([
  [{ askPerson: 'me' }, /^tty\.askPerson: must be a function/],
  [{ passwords: 'ask' }, /^tty\.askPerson: must be given with passwords: 'ask'/],
  [{ passwords: 'never' }, /^tty\.passwords: must be one of ask, refuse/],
])('%j is refused', (options, message) => {
  expect(() => checkAsking('tty', options as AskingOptions)).toThrow(message)
})
