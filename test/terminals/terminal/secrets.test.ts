// A secret that a person gives: it arrives, and is nowhere else.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { JobStore } from '../../../lib/index.js'
import { leaveNothing, supervisorPid, textOf, waitForOutput } from '../../commands/jobs-live/live-jobs.js'
import { waitFor } from '../../support/wait-for.js'
import { closeTerminals, type LiveTerminal, startTerminal } from './live-terminal.js'

afterEach(async () => {
  closeTerminals()
  await leaveNothing()
})

const timeoutMs = 30_000
const secret = 'correct horse 7'

/** All that is kept of a job. */
const allFiles = (outputFile: string): string => {
  const directory = dirname(outputFile)
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => textOf(join(entry.parentPath, entry.name)))
    .join('\n')
}

/** Its length and last character say that it came whole. */
const tell = `echo "<\${#x} \${x: -1}>"`
const arrived = '<15 7>'

const asked = async (
  command: string,
): Promise<LiveTerminal & { state: Awaited<ReturnType<LiveTerminal['terminal']['wait']>> }> => {
  const live = await startTerminal(command)
  return { ...live, state: await live.terminal.wait({ timeoutMs }) }
}

test('a program that hides what is typed gets it, and nothing else has it', async () => {
  const { terminal, outputFile, state } = await asked(`read -sp "Password: " x; ${tell}`)
  expect(state).toMatchObject({ asksSecret: 'certain', cursorLine: 'Password: ', program: 'bash' })
  await terminal.writeSecret(secret, { prompt: state })
  await waitForOutput(outputFile, 'completed')
  expect(textOf(outputFile)).toContain(arrived)
  expect(allFiles(outputFile)).not.toContain(secret)
})

test('a program that looks after other things meanwhile gets it, too', async () => {
  const script = [
    'import select, sys, termios',
    'mode = termios.tcgetattr(0)',
    'mode[3] &= ~termios.ECHO',
    'termios.tcsetattr(0, termios.TCSANOW, mode)',
    'print("Say it", end="", flush=True)',
    'while not select.select([0], [], [], 0.2)[0]: pass',
    'print("<%d>" % len(input()), flush=True)',
  ].join('\n')
  const { terminal, outputFile, state } = await asked(`python3 -c '${script}'`)
  expect(state).toMatchObject({ verdict: 'watching', asksSecret: 'certain' })
  await terminal.writeSecret(secret, { prompt: state })
  await waitForOutput(outputFile, '<15>')
})

test('bytes are typed as they are, and stay the caller’s', async () => {
  const { terminal, outputFile } = await asked(`read -sp "Password: " x; ${tell}`)
  const bytes = Buffer.from(secret)
  await terminal.writeSecret(new Uint8Array(bytes))
  expect(bytes.toString()).toBe(secret)
  await waitForOutput(outputFile, arrived)
})

test('an empty one is Enter', async () => {
  const { terminal, outputFile } = await asked('read -sp "Passphrase: " x; echo "<${#x}>"')
  await terminal.writeSecret('')
  await waitForOutput(outputFile, '<0>')
})

test('the longest comes whole, and one that is longer is refused', async () => {
  const { terminal, outputFile } = await asked('read -sp "Password: " x; echo "<${#x}>"')
  await expect(terminal.writeSecret('x'.repeat(1025))).rejects.toMatchObject({ code: 'ERR_INVALID_INPUT' })
  await terminal.writeSecret('x'.repeat(1024))
  await waitForOutput(outputFile, '<1024>')
})

test('a program that shows it shows a mark, however the output is cut', async () => {
  const slowly = 'for ((i = 0; i < ${#x}; i++)); do printf %s "${x:i:1}"; read -t .02 <> <(:); done'
  const { terminal, outputFile } = await asked(
    `read -sp "Password: " x; echo; ${slowly}; echo " and $x"; ${tell}`,
  )
  await terminal.writeSecret(secret)
  await waitForOutput(outputFile, arrived)
  expect(textOf(outputFile)).toContain('Password: \r\n[secret] and [secret]\r\n<15 7>')
})

test('what only begins like it is printed after a while', async () => {
  const { terminal, outputFile } = await asked('read -sp "Password: " x; printf " cor"; sleep 300')
  await terminal.writeSecret(secret)
  await waitForOutput(outputFile, 'Password:  cor')
})

test('the end of the job shows no beginning of it', async () => {
  const { terminal, outputFile } = await asked('read -sp "Password: " x; printf "<%s" "${x:0:14}"')
  await terminal.writeSecret(secret)
  await waitForOutput(outputFile, 'completed')
  expect(textOf(outputFile)).toContain('<[secret]\n\n[background process completed]')
})

test('a line that only says that it is a password may be shown', async () => {
  const { terminal, outputFile, state } = await asked(`read -p "Password: " x; ${tell}`)
  expect(state).toMatchObject({ verdict: 'line', asksSecret: 'likely' })
  await terminal.writeSecret(secret, { prompt: state })
  await waitForOutput(outputFile, arrived)
  expect(textOf(outputFile)).toContain('Password: [secret]\r\n')
  expect(allFiles(outputFile)).not.toContain(secret)
})

test('one that would be shown and is too short to be found is refused', async () => {
  const { terminal } = await asked('read -p "PIN: " x; sleep 300')
  await expect(terminal.writeSecret('123')).rejects.toMatchObject({ code: 'ERR_TERMINAL', errno: 1 })
})

test('a program that asks for no secret gets none', async () => {
  const { terminal, outputFile, state } = await asked('read -p "Name: " x; echo "<$x>"')
  expect(state.asksSecret).toBeUndefined()
  await expect(terminal.writeSecret(secret)).rejects.toMatchObject({
    code: 'ERR_TERMINAL',
    errno: 1,
    message: expect.stringContaining('would be shown'),
  })
  await terminal.write('bob')
  await waitForOutput(outputFile, '<bob>')
})

test('one program after the other is asked', async () => {
  const { terminal, outputFile } = await asked(
    'for i in 1 2 3; do read -sp "Password $i: " x; echo; echo "<$i ${#x}>"; done',
  )
  for (const i of [1, 2, 3]) {
    const state = await terminal.wait({ timeoutMs })
    expect(state).toMatchObject({ asksSecret: 'certain', cursorLine: `Password ${i}: ` })
    await terminal.writeSecret('x'.repeat(3 + i), { prompt: state })
    await waitForOutput(outputFile, `<${i} ${3 + i}>`)
  }
})

test('whoever holds it leaves no core file, and no file of it can be read', async () => {
  const { terminal, store, id } = await asked('read -sp "Password: " x; read y')
  const job = await store.get(id)
  const status = () => textOf(`/proc/${supervisorPid(job)}/status`)
  await terminal.writeSecret(secret)
  expect(status()).toMatch(/^Name:/)
  const maps = () => readFileSync(`/proc/${supervisorPid(job)}/smaps`, 'utf8')
  if (process.getuid?.() === 0) expect(maps()).toMatch(/VmFlags:.* dd/)
  else expect(maps).toThrow('EACCES')
})

test('a job can be typed into, read and killed afterwards', async () => {
  const { terminal, store, id, outputFile } = await asked(
    'read -sp "Password: " x; echo; read -p "Name: " y; echo "<$y>"; sleep 300',
  )
  await terminal.writeSecret(secret)
  expect(await terminal.wait({ timeoutMs })).toMatchObject({ reason: 'input', verdict: 'line' })
  await terminal.write('bob')
  await waitForOutput(outputFile, '<bob>')
  await store.kill(id)
  await waitFor(() => textOf(outputFile).includes('killed'), { what: 'its end' })
})

test.each([
  ['a new line', 'my\nown'],
  ['an end of line', 'my\rown'],
  ['an escape sequence', 'my\x1b[201~'],
  ['an interrupt', '\x03'],
  ['a control character of the second set', 'my\x9b'],
  ['1,025 bytes', 'ü'.repeat(513)],
  ['control bytes', Uint8Array.of(65, 66, 0, 67)],
])('%s is refused, and not told', async (_, refused) => {
  const terminal = new JobStore().open('bash_000000')
  const error = await terminal.writeSecret(refused).catch((caught) => caught)
  expect(error).toMatchObject({
    code: 'ERR_INVALID_INPUT',
    message: expect.stringMatching(/^secret: must be/),
  })
  expect(error.message).not.toMatch(/my|ü|AB/)
})

test.each([
  [7, {}, /^secret: /],
  ['x', { prompt: { offset: 1.5 } }, /^options\.prompt\.offset: /],
  ['x', { prompt: { offset: 1, pid: 'x' } }, /^options\.prompt\.pid: /],
  ['x', { seen: 'yes' }, /^options\.seen: /],
  ['x', { state: 1 }, /state/],
])('writeSecret(%j, %j) is refused', async (given, options, message) => {
  const terminal = new JobStore().open('bash_000000')
  await expect(terminal.writeSecret(given as string, options as object)).rejects.toMatchObject({
    code: 'ERR_INVALID_INPUT',
    message: expect.stringMatching(message),
  })
})
