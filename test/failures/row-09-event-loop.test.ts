// Row 9: following the output of a command does not burden the event loop.
import type { BashResult } from '../../lib/commands/run/result.js'
import { killHosts, runHost } from '../support/host.js'

afterEach(killHosts)

interface Followed {
  result: BashResult
  events: { bytes: number; dropped: number }[]
  durationMs: number
  samples: number
  p99Ms: number
}

const LINES = 200_000
const follow = (): Promise<Followed> =>
  runHost<Followed>('follow-loop-delay', {
    argument: { command: `for i in $(seq ${LINES}); do echo "line $i"; done`, resolutionMs: 1 },
  })

const BYTES = Array.from({ length: LINES }, (_, i) => `line ${i + 1}\n`.length).reduce((a, b) => a + b)
const MAX_EVENT_BYTES = 64 * 1024
const MIN_INTERVAL_MS = 50

describe('row 9: 200,000 lines with a listener', () => {
  test('the event loop is not delayed', async () => {
    // The delay depends on the whole machine. The package affects the loop in every run, so the best of three runs is
    // free of what other processes did to it.
    const delays: number[] = []
    for (let i = 0; i < 3; i += 1) {
      const { result, samples, p99Ms } = await follow()
      expect(result).toMatchObject({ status: 'completed', outputBytes: BYTES })
      expect(samples).toBeGreaterThan(50)
      delays.push(p99Ms)
      if (p99Ms < 20) break
    }
    expect(Math.min(...delays)).toBeLessThan(20)
  }, 120_000)

  test('there is at most one event in 50 ms, of at most 64 KiB, and no byte is counted twice', async () => {
    const { result, events, durationMs } = await follow()

    expect(events.length).toBeGreaterThan(0)
    expect(events.length).toBeLessThanOrEqual(Math.ceil(durationMs / MIN_INTERVAL_MS) + 3)
    expect(Math.max(...events.map(({ bytes }) => bytes))).toBeLessThanOrEqual(MAX_EVENT_BYTES)
    const seen = events.reduce((sum, { bytes, dropped }) => sum + bytes + dropped, 0)
    expect(seen).toBeLessThanOrEqual(result.outputBytes)
  }, 120_000)
})
