// What BashOutput tells of a command that has printed nothing since it was last read.
import { endJobs } from '../../support/jobs.js'
import { killLeftovers, uniqueSleep } from '../../support/processes.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { suiteCalls } from './suite-calls.js'

afterEach(killLeftovers)
afterEach(endJobs)
afterAll(removeTempDirs)

const line = (marker: string) =>
  new RegExp(`\\n\\[nothing printed since the last read: \\d+ \\(sleep ${marker}\\): asleep for [^\\n]*\\]$`)

/** Reads again and again until the text says why nothing comes. */
const readUntilTold = async (
  calls: ReturnType<typeof suiteCalls>,
  input: { bash_id: string; offset?: number },
) =>
  waitFor(
    async () => {
      const read = await calls.bashOutput(input)
      return read.result.waitingFor?.[0]?.kind === 'sleep' ? read : undefined
    },
    { what: 'the text to say that the command sleeps', intervalMs: 300 },
  )

test('says what it waits for', async () => {
  const marker = uniqueSleep()
  const calls = suiteCalls()
  const id = await calls.start(`echo out; sleep ${marker}; true`)
  await calls.outputWith(id, 'out')
  const { text, result } = await readUntilTold(calls, { bash_id: id })

  expect(text).toMatch(line(marker))
  expect(text).toMatch(/^\[running\]\nout\n\[to read what follows: offset 4\]\n\[nothing printed/)
  expect(result).toMatchObject({
    output: 'out\n',
    waitingFor: [{ command: `sleep ${marker}`, kind: 'sleep' }],
  })
})

test('also to a reader that says only where it has read to', async () => {
  const marker = uniqueSleep()
  const calls = suiteCalls()
  const id = await calls.start(`echo out; sleep ${marker}; true`)
  await waitFor(async () => (await calls.store.get(id)).outputBytes === 4, { what: 'the output' })
  const { text, result } = await readUntilTold(suiteCalls({ jobs: calls.store }), { bash_id: id, offset: 4 })

  expect(text).toMatch(line(marker))
  expect(result.output).toBe('')
})

test('not where the suite is not to explain', async () => {
  const calls = suiteCalls({ explain: false })
  const id = await calls.start(`echo out; sleep ${uniqueSleep()}; true`)
  await calls.outputWith(id, 'out')
  const { result } = await calls.bashOutput({ bash_id: id, wait_ms: 1_200 })
  expect(result.waitedMs).toBeGreaterThanOrEqual(1_000)

  expect((await calls.bashOutput({ bash_id: id })).result).not.toHaveProperty('waitingFor')
})

test('not of one that prints', async () => {
  const calls = suiteCalls()
  const id = await calls.start('while sleep 0.1; do echo more; done')
  await calls.outputWith(id, 'more')
  for (let i = 0; i < 5; i++) {
    const { outputBytes } = (await calls.bashOutput({ bash_id: id })).result
    await waitFor(async () => (await calls.store.get(id)).outputBytes > outputBytes, { what: 'more output' })
    expect((await calls.bashOutput({ bash_id: id })).result).not.toHaveProperty('waitingFor')
  }
})

test('not of one that has ended', async () => {
  const calls = suiteCalls()
  const id = await calls.start('echo out')
  await calls.ended(id)

  expect((await calls.ended(id)).text).toBe('[completed]\nout\n')
})
