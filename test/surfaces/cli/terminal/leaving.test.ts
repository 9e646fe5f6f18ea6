// However the program ends, the person's terminal is as it was.
import { readFileSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { leaveNothing } from '../../../commands/jobs-live/live-jobs.js'
import { isAlive } from '../../../support/processes.js'
import { tempDir } from '../../../support/temp-dir.js'
import { waitFor } from '../../../support/wait-for.js'
import { closeTerminals, startTerminal } from '../../../terminals/terminal/live-terminal.js'
import { programOf, startPerson } from './person.js'

afterEach(async () => {
  closeTerminals()
  await leaveNothing()
})

const after = 'stty -a | tr " ;" "\\n" | grep -xE -- "-?(icanon|echo|isig|icrnl|opost)" | sort | tr "\\n" " "'
const asItWas = 'echo icanon icrnl isig opost'

const attached = async (options = {}) => {
  const job = await startTerminal('printf "\\e[31mred"; read x')
  const person = await startPerson(`jobs attach ${job.id}`, { after, ...options }, job)
  await person.sees('red', '^] detaches')
  return { job, person }
}

test.each(['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const)('at %s', async (signal) => {
  const { job, person } = await attached()
  process.kill(await programOf(person), signal)
  const screen = await person.sees(asItWas)

  expect(screen).toEqual([
    'red',
    `[${job.id} goes on; to come back: bashward jobs attach ${job.id}]`,
    `status ${128 + constants.signals[signal]}`,
    asItWas,
  ])
  expect(await job.store.get(job.id)).toMatchObject({ status: 'running' })
})

test('at an exception, whose text is to be read', async () => {
  const [hook, now] = [join(tempDir(), 'hook.cjs'), join(tempDir(), 'now')]
  writeFileSync(
    hook,
    `setInterval(() => { if (require('fs').existsSync('${now}')) throw new Error('broken') }, 50).unref()`,
  )
  const { person } = await attached({ before: `NODE_OPTIONS='--require ${hook}' ` })
  writeFileSync(now, '')
  const screen = await person.sees(asItWas, 'Error: broken')

  expect(screen).toContain('Error: broken')
})

test('when the terminal is gone the program is, too, and the job goes on', async () => {
  const errors = join(tempDir(), 'errors')
  const { job, person } = await attached({ before: `2>${errors} ` })
  const program = await programOf(person)
  const { record } = await person.store.get(person.id)
  // It has the other end of the terminal.
  process.kill(record?.supervisor.pid ?? Number.NaN, 'SIGKILL')
  await waitFor(() => !isAlive(program), { what: 'the program to end' })

  expect(readFileSync(errors, 'utf8')).not.toContain('Assertion')
  expect(await job.store.get(job.id)).toMatchObject({ status: 'running' })
})

test('after SIGKILL `stty sane` is enough', async () => {
  const { person } = await attached({ after: `stty sane; ${after}` })
  process.kill(await programOf(person), 'SIGKILL')
  await person.sees('status 137', asItWas)
})

test('a person who comes back from a shell sees all of it again', async () => {
  const { person } = await attached()
  const pid = await programOf(person)
  process.kill(pid, 'SIGSTOP')
  process.kill(pid, 'SIGCONT')
  await person.terminal.keys('a')
  await person.sees('reda', '^] detaches')
})
