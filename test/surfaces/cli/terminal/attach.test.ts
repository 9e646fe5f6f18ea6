// bashward jobs attach: a person watches and takes over what an agent does.

import { join } from 'node:path'
import { leaveNothing, liveStore, textOf, waitForOutput } from '../../../commands/jobs-live/live-jobs.js'
import { startHost } from '../../../support/host.js'
import { cannotTest } from '../../../support/must-work.js'
import { tempDir } from '../../../support/temp-dir.js'
import {
  closeTerminals,
  type LiveTerminal,
  startTerminal,
} from '../../../terminals/terminal/live-terminal.js'
import { killPrograms } from '../program.js'
import { bashwardCommand, lacks, startPerson } from './person.js'

afterEach(async () => {
  closeTerminals()
  await leaveNothing()
  await killPrograms()
})

const timeoutMs = 30_000
const attach = (job: LiveTerminal, options = '', size?: { rows: number; cols: number }) =>
  startPerson(`jobs attach ${job.id} ${options}`, size === undefined ? {} : { size }, job)

test('takes over an editor, leaves it, and comes back', async () => {
  if (lacks('vim')) return cannotTest('there is no vim')
  const file = join(tempDir(), 'text')
  const job = await startTerminal(`vim -u NONE -n ${file}`)
  await job.terminal.wait({ timeoutMs })
  const person = await attach(job)
  await person.sees('"vim" accepts keys', '~')
  await person.press('i', 'h', 'i')
  await person.sees('hi')
  await person.press('C-c')
  await person.press('C-]')
  const { status, screen } = await person.left()
  expect(status).toBe(0)
  expect(screen.at(-1)).toBe(`[${job.id} goes on; to come back: bashward jobs attach ${job.id}]`)

  const again = await attach(job)
  await again.sees('hi', '~')
  await again.type(':wq')
  await again.press('Enter')
  expect((await again.left()).status).toBe(0)
  expect(textOf(file)).toBe('hi\n')
})

test('Ctrl-C, Ctrl-D and Ctrl-Z reach the job', async () => {
  const job = await startTerminal('trap "echo caught" INT; cat; echo "cat ended"; sleep 1000')
  const person = await attach(job)
  await person.sees('waits for a line')
  await person.press('C-d')
  await person.sees('cat ended')
  await person.press('C-c')
  await person.sees('caught')
})

test('what was typed right before the key that detaches reaches the job', async () => {
  const job = await startTerminal('read x; echo "read $x"; read y')
  const person = await attach(job)
  await person.sees('waits for a line')
  await person.press('a', 'b', 'Enter', 'C-]')
  await person.left()
  await waitForOutput(job.outputFile, 'read ab')
})

test('read-only types nothing, and says so', async () => {
  const job = await startTerminal('read x; echo "read $x"')
  const person = await attach(job, '--read-only')
  await person.sees('read-only', 'waits for a line')
  await person.press('a', 'Enter', 'C-c')
  await person.sees('keys are not passed on')
  await person.press('C-]')
  expect((await person.left()).status).toBe(0)
  expect(textOf(job.outputFile)).toBe('')
})

test('a smaller terminal shows the part around the cursor, and changes nothing of the job', async () => {
  const job = await startTerminal('printf "top\\e[20;50Hhere"; read x; stty size; read y')
  const person = await attach(job, '', { rows: 8, cols: 40 })
  await person.sees('here')
  expect((await person.screen()).join()).not.toContain('top')
  await person.press('Enter')
  await person.sees('24 100')
})

test('a larger one shows all of it', async () => {
  const job = await startTerminal('printf "top\\e[24;90Hbottom"; read x')
  const person = await attach(job, '', { rows: 40, cols: 150 })
  const screen = await person.sees('top', 'bottom')

  expect(screen).toHaveLength(40)
  expect(screen[39]).toBe(`^] detaches | ${job.id} | "bash" waits for a line`)
})

test('--resize gives the job the size of the terminal', async () => {
  const job = await startTerminal('trap "stty size" WINCH; while :; do sleep .1; done')
  const person = await attach(job, '--resize')
  await person.sees('11 90')
})

test('what somebody else makes of its size is seen', async () => {
  const job = await startTerminal('trap "clear; stty size" WINCH; while :; do sleep .1; done')
  const person = await attach(job)
  await person.sees('^] detaches')
  await job.terminal.resize({ rows: 50, cols: 70 })
  await person.sees('50 70', 'a part of 50x70')
})

test.each([
  ['exit 3', 3, 'failed: exit code 3'],
  ['exit 0', 0, 'completed'],
  ['kill -KILL $$', 137, 'killed'],
])('a job that ends by `%s` meanwhile gives its exit status', async (end, status, text) => {
  const job = await startTerminal(`echo working; read x; echo last words; ${end}`)
  const person = await attach(job)
  await person.sees('working')
  await person.press('Enter')

  expect(await person.left()).toEqual({
    status,
    screen: ['working', '', 'last words', `[${job.id} ${text}]`],
  })
})

test('several are attached, and see what the others type', async () => {
  const job = await startTerminal('cat')
  const [one, other] = [await attach(job), await attach(job)]
  await one.sees('waits for a line')
  await other.sees('waits for a line')
  await one.type('from one')
  await other.sees('from one')
  await other.type(' from the other')
  await one.sees('from one from the other')
  await one.press('C-]')
  await one.left()
  await other.press('Enter')
  await waitForOutput(job.outputFile, 'from one from the other\r\nfrom one from the other\r\n')
})

test.each([
  ['set', '\\e[?1h', '1b4f41', 'Up'],
  ['not set', '', '1b5b44', 'Left'],
])('cursor keys are sent as the job wants them: application mode %s', async (_, mode, bytes, key) => {
  const job = await startTerminal(
    `stty raw -echo; printf '${mode}ready'; head -c 3 | od -An -tx1 | tr -d ' '`,
  )
  const person = await attach(job)
  await person.sees('ready')
  await person.press(key)
  expect((await person.left()).screen.join('\n')).toContain(bytes)
})

test("the end of the host that has started the job is none of the person's business", async () => {
  const state = tempDir()
  const before = process.env.XDG_STATE_HOME
  process.env.XDG_STATE_HOME = state
  const store = liveStore(join(state, 'bashward', 'jobs'))
  const argument = { command: 'read a; echo "a is $a"; read b; echo "b is $b"', texts: [] }
  const host = startHost('terminal', { argument, env: { ...process.env } })
  const id = await host.report<string>('jobId')
  const outputFile = await host.report<string>('outputFile')
  const job = { id, outputFile, store, terminal: store.open(id) }
  const person = await attach(job)
  await person.sees('waits for a line')
  host.kill('SIGKILL')
  await host.exited()
  await person.type('1')
  await person.press('Enter')
  await person.sees('a is 1')
  job.terminal.close()
  process.env.XDG_STATE_HOME = before
})

describe('is refused', () => {
  test.each([
    ['that has ended', 'true', true, (id: string) => `bashward jobs: ${id} does not run: it is completed`],
    ['that is killed', 'kill -9 $$', true, (id: string) => `bashward jobs: ${id} does not run: it is killed`],
  ])('a job %s', async (_, command, ends, message) => {
    const job = await startTerminal(command)
    if (ends) await job.store.wait(job.id, { timeoutMs })
    const { status, screen } = await (await attach(job)).left()

    expect({ status, first: screen[0] }).toEqual({ status: 1, first: message(job.id) })
  })

  test('its own terminal, in which it would show itself for ever', async () => {
    const id = `id=$(${bashwardCommand('jobs --running --json')} | grep -o 'bash_[a-z0-9]*' | head -1); `
    const person = await startPerson('jobs attach $id', { before: id })
    const { status, screen } = await person.left()

    expect({ status, screen }).toEqual({
      status: 1,
      screen: [`bashward jobs: ${person.id}: this is its own terminal, which would show itself for ever`],
    })
  })

  test('an unknown job', async () => {
    const { status, screen } = await (await startPerson('jobs attach bash_zzzzzz')).left()

    expect({ status, first: screen[0] }).toMatchObject({
      status: 1,
      first: expect.stringContaining('No background command with id bash_zzzzzz'),
    })
  })
})
