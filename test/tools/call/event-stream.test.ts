// The iterable itself, without processes.

import { type BashEvent, blankResult } from '../../../lib/commands/run/result.js'
import { eventStream } from '../../../lib/tools/call/event-stream.js'

const output = (text: string): BashEvent => ({ type: 'output', stream: 'output', text, dropped: 0 })
const last: BashEvent = { type: 'result', result: blankResult('the command', 'completed') }

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

const collect = async (stream: AsyncIterable<BashEvent>): Promise<BashEvent[]> => {
  const events: BashEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

describe('eventStream', () => {
  test('yields what was emitted before anybody looked, in order', async () => {
    const stream = eventStream(async (emit) => {
      for (const event of [output('1'), output('2'), last]) emit(event)
    })

    expect(await collect(stream)).toEqual([output('1'), output('2'), last])
  })

  test('waits for what is emitted later', async () => {
    const stream = eventStream(async (emit) => {
      for (const event of [output('1'), output('2'), last]) {
        await nextTurn()
        emit(event)
      }
    })

    expect(await collect(stream)).toEqual([output('1'), output('2'), last])
  })

  test('starts with the first step, and not before', async () => {
    let starts = 0
    const iterator = eventStream(async (emit) => {
      starts += 1
      emit(last)
    })[Symbol.asyncIterator]()
    await nextTurn()
    expect(starts).toBe(0)
    await iterator.next()

    expect(starts).toBe(1)
  })

  test('starts anew for each iteration', async () => {
    let starts = 0
    const stream = eventStream(async (emit) => {
      starts += 1
      emit(output(String(starts)))
    })

    expect([await collect(stream), await collect(stream)]).toEqual([[output('1')], [output('2')]])
  })

  test('answers steps that are taken at once in order', async () => {
    const iterator = eventStream(async (emit) => {
      await nextTurn()
      for (const event of [output('1'), last]) emit(event)
    })[Symbol.asyncIterator]()
    const steps = await Promise.all([iterator.next(), iterator.next(), iterator.next()])

    expect(steps.map(({ value }) => value)).toEqual([output('1'), last, undefined])
    expect(steps.map(({ done }) => done)).toEqual([false, false, true])
  })

  test('a reader that does not read costs bounded memory: what is skipped is counted', async () => {
    const piece = output('x'.repeat(64 * 1024))
    const stream = eventStream(async (emit) => {
      emit(output('first'))
      for (let i = 0; i < 1000; i++) emit(piece)
      emit(last)
    })
    let [text, dropped] = [0, 0]
    for await (const event of stream) {
      if (event.type !== 'output') continue
      text += event.text.length
      dropped += event.dropped
    }

    expect(text + dropped).toBe('first'.length + 1000 * 64 * 1024)
    expect(text).toBeLessThanOrEqual(16 * 1024 * 1024)
  })
})

describe('leaving the loop', () => {
  /** Emits one event, and ends a turn after it has been aborted. */
  const untilAborted = (order: string[]) =>
    eventStream(async (emit, { signal }) => {
      emit(output('1'))
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      order.push('aborted')
      await nextTurn()
      order.push('ended')
      emit(last)
    })

  test('aborts, and waits for the end', async () => {
    const order: string[] = []
    for await (const _ of untilAborted(order)) break
    order.push('left')

    expect(order).toEqual(['aborted', 'ended', 'left'])
  })

  test('aborts and ends a step that waits', async () => {
    const order: string[] = []
    const iterator = untilAborted(order)[Symbol.asyncIterator]()
    await iterator.next()
    const waiting = iterator.next()

    expect(await iterator.return?.()).toEqual({ done: true, value: undefined })
    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(order).toEqual(['aborted', 'ended'])
  })

  test('nothing comes after it', async () => {
    const iterator = untilAborted([])[Symbol.asyncIterator]()
    await iterator.next()
    await iterator.return?.()

    expect(await iterator.next()).toEqual({ done: true, value: undefined })
  })

  test('before the first step starts nothing, then or later', async () => {
    const order: string[] = []
    const iterator = untilAborted(order)[Symbol.asyncIterator]()
    await iterator.return?.()

    expect(await iterator.next()).toEqual({ done: true, value: undefined })
    expect(order).toEqual([])
  })
})
