// A model types no secret.
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
