// A call as an async iterable of its events.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type BashEvent, createBashTool, type ToolContext } from '../../lib/index.js'
import {
  killLeftovers,
  processesWith,
  uniqueSleep,
  waitForSleep,
  waitUntilGone,
} from '../support/processes.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'

afterEach(killLeftovers)
afterAll(removeTempDirs)

const tool = createBashTool()
const root: ToolContext = { workingDir: '/' }
const streamUntyped = tool.stream as (input: unknown, context: unknown) => AsyncIterable<BashEvent>

const collect = async (iterable: AsyncIterable<BashEvent>): Promise<BashEvent[]> => {
  const events: BashEvent[] = []
  for await (const event of iterable) events.push(event)
  return events
}

const typesOf = (events: BashEvent[]): string[] => events.map(({ type }) => type)

describe('the events', () => {
  test('start, output and result, in this order', async () => {
    const command = 'echo hi; exit 3'

    expect(await collect(tool.stream({ command }, root))).toEqual([
      { type: 'start', command, display: command },
      { type: 'output', stream: 'output', text: 'hi\n', dropped: 0 },
      { type: 'result', result: expect.objectContaining({ status: 'failed', exitCode: 3, output: 'hi\n' }) },
    ])
  })

  test('output comes while the command runs', async () => {
    const marker = uniqueSleep()
    const seen: string[] = []
    for await (const event of tool.stream({ command: `echo on; sleep ${marker}` }, root)) {
      if (event.type !== 'output') continue
      seen.push(event.text)
      expect(await waitForSleep(marker)).toHaveLength(1)
      break
    }

    expect(seen).toEqual(['on\n'])
  })

  test('none is lost to a reader that is slow', async () => {
    const texts: string[] = []
    for await (const event of tool.stream(
      { command: 'for i in 1 2 3 4 5; do echo $i; sleep 0.06; done' },
      root,
    )) {
      if (event.type === 'output') texts.push(event.text)
      // Slower than the events come.
      await new Promise((resolve) => setTimeout(resolve, 100))
    }

    expect(texts.join('')).toBe('1\n2\n3\n4\n5\n')
  })

  test('onEvent of the context gets the same ones', async () => {
    const heard: BashEvent[] = []
    const events = await collect(
      tool.stream({ command: 'echo hi' }, { ...root, onEvent: (event) => heard.push(event) }),
    )

    expect(heard).toEqual(events)
    expect(typesOf(heard)).toEqual(['start', 'output', 'result'])
  })

  test('invalid input gives the result alone', async () => {
    expect(await collect(tool.stream({ command: 'true', mode: 'fast' }, root))).toEqual([
      { type: 'result', result: expect.objectContaining({ status: 'invalid' }) },
    ])
  })

  test.each([
    ['no context', undefined, /^context/],
    ['no working directory', {}, /^context\.workingDir: must be the path of a directory \(got undefined\)$/],
    [
      'a cancel that is no signal',
      { workingDir: '/', cancel: {} },
      /^context\.cancel: must be an AbortSignal \(got \{\}\)$/,
    ],
    [
      'a listener that is none',
      { workingDir: '/', onEvent: 'log' },
      /^context\.onEvent: must be a function \(got "log"\)$/,
    ],
  ])('%s gives an error as the only event', async (_, context, message) => {
    expect(await collect(streamUntyped({ command: 'true' }, context))).toEqual([
      {
        type: 'result',
        result: expect.objectContaining({
          status: 'error',
          error: { code: 'ERR_INVALID_INPUT', message: expect.stringMatching(message) },
        }),
      },
    ])
  })

  test('an object of a class with getters is as good a context as a literal', async () => {
    class Conversation {
      get workingDir() {
        return '/usr'
      }
    }
    const events = await collect(tool.stream({ command: 'pwd' }, new Conversation()))

    expect(events.at(-1)).toMatchObject({ result: { status: 'completed', output: '/usr\n' } })
  })
})

describe('when the command runs', () => {
  test('a stream that is never iterated runs nothing', async () => {
    const heard: BashEvent[] = []
    const file = join(tempDir(), 'file')
    tool.stream({ command: `touch '${file}'` }, { ...root, onEvent: (event) => heard.push(event) })
    await tool.execute({ command: 'true' }, root)

    expect(heard).toEqual([])
    expect(existsSync(file)).toBe(false)
  })

  test('each iteration of a stream runs the command', async () => {
    const file = join(tempDir(), 'file')
    const stream = tool.stream({ command: `echo x >> '${file}'; wc -l < '${file}'` }, root)
    const [first, second] = [await collect(stream), await collect(stream)]

    expect(first.at(-1)).toMatchObject({ result: { output: '1\n' } })
    expect(second.at(-1)).toMatchObject({ result: { output: '2\n' } })
  })

  test('streams of one tool run side by side', async () => {
    const all = await Promise.all(
      Array.from({ length: 5 }, (_, i) => collect(tool.stream({ command: `echo ${i}; sleep 0.1` }, root))),
    )

    expect(all.map((events) => events.find(({ type }) => type === 'output'))).toEqual(
      Array.from({ length: 5 }, (_, i) => ({ type: 'output', stream: 'output', text: `${i}\n`, dropped: 0 })),
    )
  })
})

describe('leaving the loop', () => {
  test.each(['start', 'output'])('by break at the %s event: nothing is left running', async (type) => {
    const marker = uniqueSleep()
    for await (const event of tool.stream(
      { command: `setsid -f sleep ${marker}; echo on; sleep ${marker}` },
      root,
    )) {
      if (event.type === type) break
    }

    expect(processesWith(marker)).toEqual([])
  })

  test('by an exception: it comes through, and nothing is left running', async () => {
    const marker = uniqueSleep()
    const loop = async () => {
      for await (const event of tool.stream({ command: `echo on; sleep ${marker}` }, root)) {
        if (event.type === 'output') throw new Error('enough')
      }
    }

    await expect(loop()).rejects.toThrow('enough')
    expect(processesWith(marker)).toEqual([])
  })

  test('by break at the result: survivors live on', async () => {
    const marker = uniqueSleep()
    for await (const event of tool.stream({ command: `sleep ${marker} & echo on` }, root)) {
      if (event.type === 'result') break
    }

    expect(processesWith(marker)).toHaveLength(1)
  })

  test('return() of the iterator while it waits for the next event ends the command', async () => {
    const marker = uniqueSleep()
    const iterator = tool.stream({ command: `sleep ${marker}` }, root)[Symbol.asyncIterator]()
    await iterator.next()
    const pending = iterator.next()
    await waitForSleep(marker)
    const returned = iterator.return?.()
    await waitUntilGone(marker)

    await Promise.all([pending, returned])
  })

  test('destroying a Readable that reads from it ends the command', async () => {
    const marker = uniqueSleep()
    const readable = Readable.from(tool.stream({ command: `sleep ${marker}` }, root))
    readable.resume()
    await waitForSleep(marker)
    readable.destroy()

    await waitUntilGone(marker)
  })
})

describe('cancel of the context', () => {
  test('during the command: the last event is a cancelled result', async () => {
    const marker = uniqueSleep()
    const controller = new AbortController()
    const events: BashEvent[] = []
    for await (const event of tool.stream(
      { command: `echo on; sleep ${marker}` },
      { ...root, cancel: controller.signal },
    )) {
      events.push(event)
      if (event.type === 'output') controller.abort()
    }

    expect(typesOf(events)).toEqual(['start', 'output', 'result'])
    expect(events.at(-1)).toMatchObject({ result: { status: 'cancelled', output: 'on\n' } })
    expect(processesWith(marker)).toEqual([])
  })

  test('aborted already: a cancelled result, and the command does not run', async () => {
    const file = join(tempDir(), 'file')
    const events = await collect(
      tool.stream({ command: `touch '${file}'` }, { ...root, cancel: AbortSignal.abort() }),
    )

    expect(events.at(-1)).toMatchObject({ result: { status: 'cancelled', usage: null } })
    expect(existsSync(file)).toBe(false)
  })

  test('between stream() and the loop: the command does not run', async () => {
    const file = join(tempDir(), 'file')
    const controller = new AbortController()
    const stream = tool.stream({ command: `touch '${file}'` }, { ...root, cancel: controller.signal })
    controller.abort()

    expect((await collect(stream)).at(-1)).toMatchObject({ result: { status: 'cancelled' } })
    expect(existsSync(file)).toBe(false)
  })
})
