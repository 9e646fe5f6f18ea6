// Row 2: what was written just before the end is never lost, however busy the machine is.
import { run } from '../../lib/index.js'
import { type BusyProcesses, startBusyProcesses } from '../support/busy.js'

const LINES = 400_000
const BYTES =
  'END'.length + Array.from({ length: LINES }, (_, i) => `${i + 1}\n`.length).reduce((a, b) => a + b)

let busy: BusyProcesses
beforeAll(() => {
  busy = startBusyProcesses()
})
afterAll(() => busy.stop())

describe('row 2: output at the very end', () => {
  test('`seq 400000; printf END` ends in END, 50 times under CPU load', async () => {
    for (let i = 0; i < 50; i += 1) {
      const result = await run(`seq ${LINES}; printf END`, { cwd: '/', timeout: 60_000 })
      expect(result).toMatchObject({ status: 'completed', exitCode: 0, outputBytes: BYTES, truncated: true })
      expect(result.output.startsWith('1\n2\n3\n')).toBe(true)
      expect(result.output.endsWith(`${LINES - 1}\n${LINES}\nEND`)).toBe(true)
    }
  }, 120_000)

  test('short output of many commands at once is whole, under CPU load', async () => {
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, i) => run(`echo first; echo second >&2; printf ${i}`, { cwd: '/' })),
    )
    expect(results.map(({ output }) => output)).toEqual(
      Array.from({ length: 50 }, (_, i) => `first\nsecond\n${i}`),
    )
  }, 120_000)
})
