// Following the output of a run with onOutput.

import type { OutputEvent } from '../../../lib/commands/run/result.js'
import { run } from '../../../lib/index.js'
import { isAlive } from '../../support/processes.js'
import { waitFor } from '../../support/wait-for.js'

const follow = async (command: string, options: Partial<Parameters<typeof run>[1]> = {}) => {
  const events: OutputEvent[] = []
  const result = await run(command, { cwd: '/', onOutput: (event) => events.push(event), ...options })
  return { result, events, text: events.map(({ text }) => text).join('') }
}

describe('onOutput', () => {
  test('gets what the result has, before the result', async () => {
    const { result, events, text } = await follow('for i in 1 2 3; do echo $i; sleep 0.1; done')

    expect(text).toBe('1\n2\n3\n')
    expect(result.output).toBe(text)
    expect(events).toContainEqual({ type: 'output', stream: 'output', text: expect.any(String), dropped: 0 })
  })

  test('is not called for a silent command', async () => {
    expect((await follow('true')).events).toEqual([])
  })

  test('gets the end of an output without a line break', async () => {
    expect((await follow('printf unfinished')).text).toBe('unfinished')
  })

  test('tells separate streams apart', async () => {
    const { events } = await follow('echo out; echo err >&2', { streams: 'separate' })
    const of = (name: string) => events.filter(({ stream }) => stream === name).map(({ text }) => text)

    expect(of('stdout')).toEqual(['out\n'])
    expect(of('stderr')).toEqual(['err\n'])
    expect(of('output')).toEqual([])
  })

  test('text and dropped bytes together are what was printed', async () => {
    const { result, events } = await follow('seq 500000')
    const seen = events.reduce((sum, { text, dropped }) => sum + Buffer.byteLength(text) + dropped, 0)

    expect(seen).toBe(result.outputBytes)
  })

  test('gets normalised lines when the result is normalised', async () => {
    const { result, text } = await follow("printf '10%%\\r'; sleep 0.2; printf '\\e[32m100%%\\e[0m\\n'", {
      normalizeOutput: true,
    })

    expect(text).toBe('100%\n')
    expect(result.output).toBe('100%\n')
  })

  test('shows a line that never ends in bounded parts when normalised, and counts every byte', async () => {
    const command = "while :; do printf '%030000d' 0; sleep .03; done"
    const { result, events, text } = await follow(command, { normalizeOutput: true, timeout: 2000 })
    const dropped = events.reduce((sum, event) => sum + event.dropped, 0)

    expect(events.length).toBeGreaterThan(3)
    expect(Math.max(...events.map((event) => event.text.length))).toBeLessThanOrEqual(80 * 1024)
    expect(text.length + dropped).toBe(result.outputBytes)
    expect(text).toMatch(/^0+$/)
  })

  test('is called during a command that does not end by itself', async () => {
    const { result, text } = await follow('echo on; sleep 30', { timeout: 1000 })

    expect(result.status).toBe('timed_out')
    expect(text).toBe('on\n')
  })

  test('gets nothing after the result', async () => {
    const { result, events } = await follow('(sleep 0.5; echo late) & echo early', { survivors: 'adopt' })
    const pids = result.survivors.map(({ pid }) => pid)
    expect(pids.length).toBeGreaterThan(0)
    await waitFor(() => !pids.some(isAlive), { what: 'the survivors to end' })

    expect(events.map(({ text }) => text)).toEqual(['early\n'])
  })
})

describe('normalizeOutput', () => {
  test('applies to each of two streams', async () => {
    const result = await run("printf '1\\r2\\n'; printf '\\e[31m3\\e[0m\\n' >&2", {
      cwd: '/',
      streams: 'separate',
      normalizeOutput: true,
    })

    expect(result).toMatchObject({ stdout: '2\n', stderr: '3\n', output: '2\n3\n' })
  })

  test('the bytes are those that were printed, not those that are shown', async () => {
    const result = await run("printf '\\e[31mred\\e[0m'", { cwd: '/', normalizeOutput: true })

    expect(result).toMatchObject({ output: 'red', outputBytes: 12, truncated: false })
  })

  test('progress much longer than what it leaves on the screen is not cut', async () => {
    const command = 'for ((i = 1; i <= 18000; i++)); do printf "\\r%d of 18000" $i; done; echo; echo done'
    const result = await run(command, { cwd: '/', normalizeOutput: true })

    expect(result.outputBytes).toBeGreaterThan(128 * 1024)
    expect(result).toMatchObject({ output: '18000 of 18000\ndone\n', truncated: false })
  })
})
