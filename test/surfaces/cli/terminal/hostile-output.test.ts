// What a job prints reaches the terminal of a person who watches as text, colours and places, and as nothing else.
import { readFileSync } from 'node:fs'
import { leaveNothing } from '../../../commands/jobs-live/live-jobs.js'
import { closeTerminals, startTerminal } from '../../../terminals/terminal/live-terminal.js'
import { programOf, startPerson } from './person.js'

afterEach(async () => {
  closeTerminals()
  await leaveNothing()
})

/** What the painter writes: SGR, places, erasing. */
const allowed = /\x1b\[[\d;]*[mHJKX]/g

test.each([
  ['the clipboard', '\\e]52;c;aGk=\\a'],
  ['the title', '\\e]0;mine\\e\\\\'],
  ['a report of the title', '\\e[21t'],
  ['where the cursor is', '\\e[6n\\e[5n'],
  ['what the terminal is', '\\e[c\\e[>c\\e[>q\\e[=c'],
  ['a device control string', '\\eP$qm\\e\\\\\\eP+q544e\\e\\\\'],
  ['an application command', '\\e_Gi=1;AAAA\\e\\\\'],
  ['a string without an end', '\\e]52;c;aaaa'],
  ['modes', '\\e[?1049h\\e[?1000h\\e[?2004h\\e[?25l\\e[?1h\\e=\\e[4h'],
  ['8-bit controls', '\\xc2\\x9d52;c;aGk=\\xc2\\x9c\\xc2\\x9b6n'],
  ['a reset', '\\ec\\e[!p'],
  ['hyperlinks', '\\e]8;;http://x\\e\\\\link\\e]8;;\\e\\\\'],
])('%s', async (_, output) => {
  const job = await startTerminal(`printf '${output}\\e[0m'; echo; echo after; read x`)
  const person = await startPerson(`jobs attach ${job.id}`, {}, job)
  await person.sees('after', '^] detaches')
  // The job has printed it.
  expect(readFileSync(job.outputFile, 'latin1').replace(allowed, '')).toMatch(/[\x1b\x80-\x9f]/)

  const rest = person.written().replace(allowed, '')
  expect(rest).not.toMatch(/[\x00-\x09\x0b\x0c\x0e-\x1f\x7f]/)
  expect(Buffer.from(rest, 'latin1').toString('utf8')).not.toMatch(/[\x80-\x9f]/)
})

test('what would take an emulator for minutes is over soon', async () => {
  const job = await startTerminal(
    'for i in $(seq 20); do printf "a\\e[2147483647b\\e[2147483647L\\e[2147483647@"; done; clear; echo after; read x',
  )
  const person = await startPerson(`jobs attach ${job.id}`, {}, job)
  await person.sees('after', 'waits for a line')
})

test('a flood of 10 MB is followed in little memory, and can be interrupted', async () => {
  const job = await startTerminal('read x; seq 1400000; echo flooded; yes; read y')
  const person = await startPerson(`jobs attach ${job.id}`, {}, job)
  await person.sees('waits for a line')
  const program = await programOf(person)
  await person.press('Enter')
  // What comes after the numbers has to have been drawn.
  await person.sees('y\ny\ny\ny')
  const [, peak = ''] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${program}/status`, 'latin1')) ?? []
  expect(Number(peak)).toBeLessThan(400_000)
  await person.press('C-c')
  expect((await person.left()).status).toBe(130)
})
