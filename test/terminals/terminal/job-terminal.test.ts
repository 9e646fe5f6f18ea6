// Typing into a real program, and waiting for it.
import { JobStore } from '../../../lib/index.js'
import { leaveNothing, liveJobs, textOf, waitForOutput } from '../../commands/jobs-live/live-jobs.js'
import { closeTerminals, startTerminal } from './live-terminal.js'

afterEach(async () => {
  closeTerminals()
  await leaveNothing()
})

const timeoutMs = 30_000

test('a program that asks is found, answered, and found again', async () => {
  const { terminal, outputFile } = await startTerminal(
    'read -p "Name: " x; read -sp "Secret of $x: " y; echo; exit 3',
  )
  expect(await terminal.wait({ timeoutMs })).toMatchObject({
    reason: 'input',
    verdict: 'line',
    program: 'bash',
    echo: true,
    cooked: true,
    rows: 24,
    cols: 100,
    offset: 6,
  })
  expect(await terminal.write('bob')).toEqual({
    unreadBytes: expect.any(Number),
    queuedBytes: 0,
    droppedBytes: 0,
  })
  expect(await terminal.wait({ timeoutMs })).toMatchObject({
    reason: 'input',
    verdict: 'password',
    echo: false,
  })
  await terminal.write('hidden')
  await waitForOutput(outputFile, 'exit code 3')
  expect(textOf(outputFile)).toBe(
    'Name: bob\r\nSecret of bob: \r\n\n\n[background process failed: exit code 3]',
  )
})

test('what sleeps is not taken for what waits', async () => {
  const { terminal } = await startTerminal('printf "Continue? [y/N] "; sleep 300')
  expect(await terminal.wait({ timeoutMs: 1000 })).toMatchObject({
    reason: 'deadline',
    verdict: 'sleep',
    program: 'sleep',
  })
})

test('silence is an answer if that is asked for', async () => {
  const { terminal } = await startTerminal('printf some; sleep 300')
  const state = await terminal.wait({ timeoutMs, quietMs: 60 })
  expect(state).toMatchObject({ reason: 'quiet', offset: 4 })
  expect(state.quietMs).toBeGreaterThanOrEqual(60)
})

test('keys are pressed by their names', async () => {
  const { terminal, outputFile } = await startTerminal(
    'trap "echo caught; exit" INT; printf ready; while :; do sleep .1; done',
  )
  await waitForOutput(outputFile, 'ready')
  await terminal.keys('C-c')
  await waitForOutput(outputFile, 'caught')
})

test('several lines are one paste for a shell that asks for that', async () => {
  const { terminal, outputFile } = await startTerminal('bash --norc -i', { env: { set: { PS1: '> ' } } })
  expect(await terminal.wait({ timeoutMs })).toMatchObject({ verdict: 'keys', bracketedPaste: true })
  await terminal.write('echo one\necho two')
  await waitForOutput(outputFile, '\rone\r\ntwo\r\n')
  expect(textOf(outputFile).match(/\?2004h/g)?.length).toBeLessThanOrEqual(2)
})

test('another size is told to the program', async () => {
  const { terminal, outputFile } = await startTerminal(
    'trap "stty size; exit" WINCH; printf ready; while :; do read -t 1; done',
    { tty: { rows: 10, cols: 20 } },
  )
  await waitForOutput(outputFile, 'ready')
  expect(await terminal.state()).toMatchObject({ rows: 10, cols: 20 })
  expect(await terminal.resize({ rows: 40, cols: 132 })).toMatchObject({ rows: 40, cols: 132 })
  await waitForOutput(outputFile, '40 132\r\n')
})

test('a line that would be cut off is refused', async () => {
  const { terminal } = await startTerminal('read -r x; sleep 300')
  await terminal.wait({ timeoutMs })
  await expect(terminal.write('x'.repeat(6000))).rejects.toMatchObject({
    code: 'ERR_TERMINAL',
    message: expect.stringContaining('write it to a file, or pipe it'),
  })
})

test('whoever waits is told of the end', async () => {
  const { terminal, store, id } = await startTerminal('sleep 300')
  await terminal.state()
  const wait = terminal.wait({ timeoutMs })
  await store.kill(id)
  expect(await wait).toMatchObject({ reason: 'ended' })
  await expect(terminal.write('late')).rejects.toMatchObject({ code: 'ERR_JOB_NOT_RUNNING' })
  await expect(terminal.wait()).rejects.toMatchObject({ code: 'ERR_JOB_NOT_RUNNING' })
})

test('a wait can be cancelled', async () => {
  const { terminal } = await startTerminal('sleep 300')
  const controller = new AbortController()
  const wait = terminal.wait({ timeoutMs, signal: controller.signal })
  controller.abort()
  await expect(wait).rejects.toMatchObject({ code: 'ERR_CANCELLED' })
  expect(await terminal.state()).toMatchObject({ reason: 'asked' })
})

test('it connects again after its connection was closed', async () => {
  const { terminal } = await startTerminal('read -r x; sleep 300')
  expect(await terminal.wait({ timeoutMs })).toMatchObject({ verdict: 'line' })
  terminal.close()
  expect(await terminal.wait({ timeoutMs })).toMatchObject({ verdict: 'line' })
})

test('more hosts than are kept connected at once can type', async () => {
  const { id, store } = await startTerminal('cat >/dev/null')
  const all = Array.from({ length: 20 }, () => store.open(id))
  for (const each of all) await each.write('a line')
  for (const each of all) await each.write('another')
  for (const each of all) each.close()
})

test('any number of requests at once are answered, and typed in their order', async () => {
  const { terminal, outputFile } = await startTerminal(
    'stty -echo; echo ready; for i in {1..1500}; do read -r x; echo "got $x"; done',
  )
  await waitForOutput(outputFile, 'ready')
  const lines = Array.from({ length: 1500 }, (_, index) => String(index))
  const states = lines.map(() => terminal.state())
  const waits = lines.map(() => terminal.wait({ timeoutMs: 1 }))
  await Promise.all([...lines.map((text) => terminal.write(text)), ...states, ...waits])
  await waitForOutput(outputFile, 'background process')
  const got = textOf(outputFile).match(/(?<=got )\d+/g)
  expect(got).toEqual(lines)
})

test('what was not sent as its connection was closed is not typed later', async () => {
  const { terminal, outputFile } = await startTerminal(
    'stty -echo; echo ready; while read -r x; do echo "got $x"; done',
  )
  await waitForOutput(outputFile, 'ready')
  await terminal.state()
  const settled = Promise.allSettled(Array.from({ length: 200 }, (_, index) => terminal.write(String(index))))
  terminal.close()
  const outcomes = await settled
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(200)
  expect(outcomes.at(-1)).toMatchObject({
    reason: { message: expect.stringContaining('nothing of this was sent') },
  })
  await terminal.write('last')
  await waitForOutput(outputFile, 'got last')
  expect(textOf(outputFile)).not.toContain('got 199')
})

test('a job without a terminal says so', async () => {
  const { store, start } = liveJobs()
  const { id } = await start('sleep 300')
  const terminal = store.open(id)
  await expect(terminal.state()).rejects.toMatchObject({
    code: 'ERR_TERMINAL',
    message: expect.stringContaining(id),
  })
})

test.each(['bash_000000', '../../etc', ''])('%j is no job', async (id) => {
  const { store } = await startTerminal('true')
  await expect(store.open(id).state()).rejects.toMatchObject({ code: 'ERR_JOB_NOT_FOUND' })
})

test('what a person types is passed on as it is', async () => {
  const { terminal, outputFile } = await startTerminal('stty raw -echo; echo ready; head -c 4 | od -An -tx1')
  await waitForOutput(outputFile, 'ready')
  await terminal.send(Uint8Array.of(0x1b, 0x5b, 0xff, 0x03))
  await waitForOutput(outputFile, '1b 5b ff 03')
})

test('what is no id is refused at once', () => {
  expect(() => new JobStore().open(7 as unknown as string)).toThrow(
    expect.objectContaining({ code: 'ERR_INVALID_INPUT' }),
  )
})

test.each([
  ['write', ['\x1b[201~'], /^text: /],
  ['write', [7], /^text: /],
  ['write', ['x', { submit: 'no' }], /^options\.submit: /],
  ['write', ['', { submit: false }], /^text: must not be empty/],
  ['keys', ['Nope'], /^keys\[0\]: /],
  ['keys', [], /^keys: /],
  ['send', ['x'], /^bytes: must be 1 to 65528 bytes/],
  ['send', [new Uint8Array()], /^bytes: /],
  ['send', [new Uint8Array(65_529)], /^bytes: /],
  ['resize', [{ rows: 201 }], /^size\.rows: /],
  ['resize', [{ cols: 0 }], /^size\.cols: /],
  ['resize', [{ width: 3 }], /width/],
  ['wait', [{ timeoutMs: -1 }], /^options\.timeoutMs: /],
  ['wait', [{ quietMs: 1.5 }], /^options\.quietMs: /],
  ['wait', [{ fromOffset: '3' }], /^options\.fromOffset: /],
  ['wait', [{ timeout: 3 }], /timeout/],
] as const)('%s(%j) is refused', async (method, args, message) => {
  const terminal = new JobStore().open('bash_000000')
  const call = terminal[method].bind(terminal) as (...given: readonly unknown[]) => Promise<unknown>
  await expect(call(...args)).rejects.toMatchObject({
    code: 'ERR_INVALID_INPUT',
    message: expect.stringMatching(message),
  })
})
