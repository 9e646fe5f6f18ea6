// bashward jobs input --secret: typed by a person, and seen nowhere.
import { SecretLine } from '../../../../lib/surfaces/cli/terminal/read-secret.js'
import { leaveNothing, textOf } from '../../../commands/jobs-live/live-jobs.js'
import { closeTerminals, startTerminal } from '../../../terminals/terminal/live-terminal.js'
import { bashward, killPrograms } from '../program.js'
import { startPerson } from './person.js'

afterEach(async () => {
  closeTerminals()
  await leaveNothing()
  await killPrograms()
})

const asking = async () => {
  const job = await startTerminal('read -sp "Password: " x; echo; echo "It is <$x>"; read y')
  await job.terminal.wait({ timeoutMs: 30_000 })
  const person = await startPerson(`jobs input ${job.id} --secret`, {}, job)
  await person.sees('"bash" asks', '"Password: "', 'command of the job: "read -sp', 'Secret (not shown')
  return { job, person }
}

test('reaches the program, and stands neither on the terminal nor in the output', async () => {
  const { job, person } = await asking()
  await person.type('open sesamx')
  await person.press('BSpace', 'e', 'Enter')

  expect((await person.left()).status).toBe(0)
  await job.terminal.wait({ timeoutMs: 30_000 })
  expect(textOf(job.outputFile)).toBe('Password: \r\nIt is <[secret]>\r\n')
  expect(person.written()).not.toContain('sesam')
})

test('Ctrl-C gives up, and the program goes on asking', async () => {
  const { job, person } = await asking()
  await person.type('open')
  await person.press('C-c')

  expect((await person.left()).status).toBe(130)
  expect(await job.terminal.state()).toMatchObject({ verdict: 'password' })
})

test('is not typed when it is not asked for any more', async () => {
  const { job, person } = await asking()
  await job.terminal.write('other')
  await job.terminal.wait({ timeoutMs: 30_000 })
  await person.type('open sesame')
  await person.press('Enter')
  const { status, screen } = await person.left()

  expect(status).toBe(1)
  expect(screen.join('\n')).toContain('the secret was not typed: it is not asked for any more')
  expect(textOf(job.outputFile)).toBe('Password: \r\nIt is <other>\r\n')
})

test('is not asked for where no program does', async () => {
  const job = await startTerminal('read -p "Name: " x')
  await job.terminal.wait({ timeoutMs: 30_000 })
  const { status, screen } = await (await startPerson(`jobs input ${job.id} --secret`, {}, job)).left()

  expect(status).toBe(1)
  expect(screen[0]).toBe(`bashward jobs: ${job.id} asks for no secret: "bash" waits for a line`)
})

test('is not read from what is no terminal', async () => {
  expect(await bashward(['jobs', 'input', 'bash_aaaaaa', '--secret'])).toMatchObject({
    code: 125,
    stderr:
      "bashward jobs: --secret is typed on a terminal, and stdin is not one\nTry 'bashward jobs --help'.\n",
  })
})

describe('SecretLine', () => {
  const typed = (text: string, most = 20) => {
    const line = new SecretLine(most)
    const ends = [...Buffer.from(text)].map((byte) => line.type(byte))
    return { text: line.value.toString(), end: ends.at(-1), isTooLong: line.isTooLong }
  }

  test.each([
    ['abc\r', 'abc', 'done'],
    ['abc\n', 'abc', 'done'],
    ['aü\x7fb', 'ab', undefined],
    ['\x7f\x08a', 'a', undefined],
    ['wrong\x15right', 'right', undefined],
    ['a\x1b\x01\tb', 'ab', undefined],
    ['\x04', '', 'given up'],
    ['a\x04', 'a', undefined],
    ['a\x03', 'a', 'given up'],
  ])('%j is %j, %s', (keys, text, end) => {
    expect(typed(keys)).toEqual({ text, end, isTooLong: false })
  })

  test('keeps no more than it may', () => {
    expect(typed('12345', 4)).toEqual({ text: '1234', end: undefined, isTooLong: true })
  })

  test('forgets', () => {
    const line = new SecretLine(4)
    for (const byte of Buffer.from('abc')) line.type(byte)
    const { value } = line
    line.wipe()

    expect(value.every((byte) => byte === 0)).toBe(true)
    expect(line.value).toHaveLength(0)
  })
})
