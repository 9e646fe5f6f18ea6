// bashward run --tty: the command has a terminal, and the person who calls it sits at it.
import { leaveNothing } from '../../../commands/jobs-live/live-jobs.js'
import { closeTerminals } from '../../../terminals/terminal/live-terminal.js'
import { bashward, killPrograms } from '../program.js'
import { startedJob, startPerson } from './person.js'

afterEach(async () => {
  closeTerminals()
  await leaveNothing()
  await killPrograms()
})

test('what it prints is seen, what is typed is read, and its exit status is that of the program', async () => {
  const person = await startPerson(`run --tty 'read -p "Name: " name; echo "Hello $name"; read x; exit 7'`)
  await person.sees('Name:', '^] detaches', '"bash" waits for a line')
  await person.type('Ada')
  await person.press('Enter')
  await person.sees('Name: Ada', 'Hello Ada')
  await person.press('Enter')

  expect(await person.left()).toEqual({
    status: 7,
    screen: ['Name: Ada', 'Hello Ada', '[command failed: exit code 7]'],
  })
})

test('a command that is done at once leaves what it has printed, and nothing else', async () => {
  const person = await startPerson(`run --tty 'echo done'`)

  expect(await person.left()).toEqual({ status: 0, screen: ['done'] })
})

test('of a command that has timed out it says after how long', async () => {
  const person = await startPerson(`run --tty --timeout 1.5 'echo here; read x'`)

  expect(await person.left()).toEqual({
    status: 124,
    screen: ['here', '[command timed out after 1.5s]'],
  })
})

test('Ctrl-C interrupts the command, and not the program', async () => {
  const person = await startPerson(`run --tty 'trap "echo caught" INT; read x; echo "read $x"; read y'`)
  await person.sees('waits for a line')
  await person.press('C-c')
  await person.sees('^C', 'caught')
})

test("its terminal has the size of the person's without the last row, also later", async () => {
  const person = await startPerson(
    `run --tty 'trap "stty size" WINCH; stty size; while :; do sleep .1; done'`,
  )
  await person.sees('11 90')
  await person.terminal.resize({ rows: 9, cols: 60 })
  await person.sees('8 60', '^] detaches')
})

test('or the size that was asked for, and the part around the cursor is seen', async () => {
  const person = await startPerson(
    `run --tty --rows 30 --cols 40 'stty size; trap "stty size" WINCH; printf "\\e[25;1Hrow 25"; while :; do sleep .1; done'`,
  )
  await person.sees('row 25', 'a part of 30x40')
  await person.terminal.resize({ rows: 9, cols: 60 })
  await person.sees('row 25', 'a part')
  expect((await person.screen()).join()).not.toContain('8 60')
})

test('Ctrl-] detaches: the job goes on, and the way back is told', async () => {
  const person = await startPerson(`run --tty 'echo here; read x'`)
  await person.sees('here', '^] detaches')
  const id = await startedJob(person)
  await person.press('C-]')

  expect(await person.left()).toEqual({
    status: 0,
    screen: ['here', `[${id} goes on; to come back: bashward jobs attach ${id} --resize]`],
  })
  expect(await person.store.get(id)).toMatchObject({ status: 'running' })
})

test('a command that a safety rule refuses does not run', async () => {
  const person = await startPerson(`run --tty 'git add -A'`)

  const { status, screen } = await person.left()
  expect(status).toBe(126)
  expect(screen.join('\n')).toContain('[command rejected: git-add-blind]')
})

test.each([
  [
    ['run', '--tty', 'true'],
    'bashward run: --tty needs a terminal, and stdin is not one; with --mode background it needs none',
  ],
  [['jobs', 'attach', 'bash_aaaaaa'], "bashward jobs: 'attach' needs a terminal, and stdin is not one"],
])('%j without a terminal is refused', async (args, message) => {
  const { code, stderr } = await bashward(args)

  expect({ code, stderr }).toEqual({
    code: 125,
    stderr: `${message}\nTry '${args.includes('run') ? 'bashward run' : 'bashward jobs'} --help'.\n`,
  })
})

test('a terminal that can show no screen is refused', async () => {
  const person = await startPerson('run --tty true', { before: 'TERM=dumb ', size: { rows: 12, cols: 120 } })

  expect(await person.left()).toEqual({
    status: 125,
    screen: [
      'bashward run: --tty needs a terminal that can show a screen (got TERM=dumb); with --mode background it needs none',
      "Try 'bashward run --help'.",
    ],
  })
})
