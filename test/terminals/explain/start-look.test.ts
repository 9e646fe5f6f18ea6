// The process that looks may hang, or break: nobody waits for it longer than it was given.
import { provenEngine } from '../../../lib/processes/engine/choose.js'
import { startLook } from '../../../lib/terminals/explain/start-look.js'
import { processesWith } from '../../support/processes.js'
import { waitFor } from '../../support/wait-for.js'

const marker = `look-${process.pid}-of-test`

/** Read as the module loads. */
var mockProgram: string | undefined
jest.mock('../../../lib/terminals/explain/program.js', () => ({
  lookProgram: () => `module.exports.main = (order) => { ${mockProgram} }`,
}))

/** With the program that is set when it is loaded. */
const lookWith = async (program: string, timeMs: number) => {
  mockProgram = `/* ${marker} */ ${program}`
  let start = startLook
  jest.isolateModules(() => {
    start = (require('../../../lib/terminals/explain/start-look.js') as { startLook: typeof startLook })
      .startLook
  })
  const { engine } = await provenEngine()
  const order = { host: 0, ages: [], roots: [], lookAt: Date.now(), deadline: Date.now() + timeMs }
  return { start: () => start(engine, order) }
}

const gone = () =>
  waitFor(() => processesWith(marker).length === 0, { what: 'the process that looks to be gone' })

afterEach(gone)

test.each([
  ['hangs', 'for (;;);'],
  ['waits', 'setTimeout(() => {}, 1e6)'],
  ['ignores what ends others', 'process.on("SIGTERM", () => {}); for (;;);'],
  ['ends at once', 'process.exit(3)'],
  ['fails', 'throw new Error("x")'],
  ['says something else', 'process.stdout.write("{}")'],
  ['says half of it', 'process.stdout.write("[{\\"shells\\":")'],
])('of one that %s nothing is known', async (_, program) => {
  const { start } = await lookWith(program, 1_000)

  expect(await start()?.answer).toBeUndefined()
})

const said = (at: number) => `process.stdout.write('[${at}]\\n')`

test('what it has said last is taken', async () => {
  const { start } = await lookWith(`${said(1)}; ${said(2)}`, 20_000)

  expect(await start()?.answer).toEqual([2])
})

test('what it has said before it hangs is taken', async () => {
  const { start } = await lookWith(`${said(1)}; process.stdout.write('[3'); for (;;);`, 3_000)

  expect(await start()?.answer).toEqual([1])
})

test('it is run by the Node that runs, whatever is at the path of that by now', async () => {
  const path = process.execPath
  try {
    process.execPath = '/bin/false'
    const { start } = await lookWith(said(1), 20_000)

    expect(await start()?.answer).toEqual([1])
  } finally {
    process.execPath = path
  }
})

test('one that is stopped ends', async () => {
  const { start } = await lookWith('setTimeout(() => {}, 1e6)', 60_000)
  const look = start()
  await waitFor(() => processesWith(marker).length > 0, { what: 'the process that looks' })
  look?.stop()

  expect(await look?.answer).toBeUndefined()
})

test('there are three at once, and again when those have ended', async () => {
  const { start } = await lookWith('setTimeout(() => {}, 1e6)', 60_000)
  const looks = [start(), start(), start()]

  expect(looks).not.toContain(undefined)
  expect(start()).toBeUndefined()
  for (const look of looks) look?.stop()
  await Promise.all(looks.map((look) => look?.answer))
  const another = start()
  expect(another).toBeDefined()
  another?.stop()
  await another?.answer
})
