// A model types no secret; a person may.
import { type AskPerson, createBashSuite, type SecretQuestion } from '../../../lib/index.js'
import { endJobs } from '../../support/jobs.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { ttyCalls } from './tty-calls.js'

afterEach(endJobs)
afterAll(removeTempDirs)

const refused = { status: 'rejected', rejection: { rule: 'secret' } }

test('text is refused where a program asks without echo', async () => {
  const { start, type, press, read } = ttyCalls()
  const { id, last } = await start('read -sp "Password: " x; echo "got $x"')
  expect(last).toBe('[asks for a secret: "bash", at "Password: "; it is not yours to type]')

  const typed = await type(id, 'hunter2')
  expect(typed.result).toMatchObject(refused)
  expect(typed.text).toBe('[a secret is asked; it is not yours to type]')
  expect((await press(id, 'h', 'Enter')).result).toMatchObject(refused)
  expect((await read(id)).result.output).toBe('Password: ')
})

test('and where the line at the cursor asks for one', async () => {
  const { start, type } = ttyCalls()
  const { id, last } = await start('printf "Enter your passphrase: "; read x')
  expect(last).toBe(
    '[seems to ask for a secret: "bash", at "Enter your passphrase: "; it is not yours to type]',
  )

  expect((await type(id, 'hunter2')).result).toMatchObject(refused)
})

test('keys that end it are free', async () => {
  const { start, press } = ttyCalls()
  const { id } = await start('read -sp "Password: " x')

  expect((await press(id, 'C-c')).last).toBe('[killed: SIGINT]')
})

describe('a person who is asked', () => {
  const asks = (askPerson: AskPerson, rest: object = {}) => ttyCalls({ tty: { askPerson, ...rest } })

  test('gives it to the program, and to no model', async () => {
    const questions: SecretQuestion[] = []
    const { start, read } = asks((question) => {
      questions.push(question)
      return 'hunter2'
    })
    const { id, text, result } = await start('read -sp "Password: " x; echo; echo "got $x"; read y')

    expect(text).toContain(
      'Password: \ngot [secret]\n[a person was asked for a secret, and it was typed]\n[waits for a line: "bash"]',
    )
    expect(result.secretAnswers).toEqual([{ outcome: 'given' }])
    expect(questions).toEqual([
      expect.objectContaining({
        jobId: id,
        program: '"bash"',
        prompt: 'Password: ',
        asksSecret: 'certain',
        command: 'read -sp "Password: " x; echo; echo "got $x"; read y',
      }),
    ])
    expect(JSON.stringify([result, await read(id)])).not.toContain('hunter2')
  })

  test('declines, which interrupts the program', async () => {
    const { start } = asks(() => null)
    const { text, result } = await start('read -sp "Password: " x; echo "got $x"')

    expect(result).toMatchObject({
      status: 'failed',
      signal: 'SIGINT',
      secretAnswers: [{ outcome: 'declined' }],
    })
    expect(text).toContain('[a person was asked for a secret, and gives none: C-c was pressed]')
  })

  test('takes longer than a call: the next one waits on', async () => {
    let answer: (secret: string) => void = () => {}
    const { start, type, read } = asks(() => new Promise<string>((resolve) => (answer = resolve)))
    const { id } = await start('read -p "go? " x; read -sp "Password: " x; echo "got it"')
    const { last, result } = await type(id, 'y', { wait_ms: 1000 })

    expect(last).toBe('[asks for a secret: "bash", at "Password: "; a person is being asked, wait for that]')
    expect(result.state).toMatchObject({ secret: 'certain', isAsking: true })
    expect((await type(id, 'x')).result).toMatchObject(refused)
    answer('hunter2')
    const ended = await read(id, { wait_ms: 30_000 })
    expect(ended.text).toContain('[a person was asked for a secret, and it was typed]')
    expect(ended.result).toMatchObject({ status: 'completed' })
  })

  test('is not asked with passwords: refuse', async () => {
    const { start } = asks(() => 'x', { passwords: 'refuse' })
    expect((await start('read -sp "Password: " x')).last).toMatch(/it is not yours to type\]$/)
  })

  test('has to be there for passwords: ask', () => {
    expect(() => createBashSuite({ tty: { passwords: 'ask' } })).toThrow(
      "tty.askPerson: must be given with passwords: 'ask'",
    )
  })
})
