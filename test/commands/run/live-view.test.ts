// From pieces of bytes to output events, without a process.
import { liveView } from '../../../lib/commands/run/live-view.js'
import type { OutputEvent } from '../../../lib/commands/run/result.js'

const view = ({ separateStreams = false, normalizeOutput = false } = {}) => {
  const events: OutputEvent[] = []
  const live = liveView((event) => events.push(event), separateStreams, normalizeOutput)
  return {
    ...live,
    write: (text: string, dropped = 0, stream = 0) => live.listener(stream, Buffer.from(text), dropped),
    events,
  }
}

const output = (text: string, dropped = 0): OutputEvent => ({
  type: 'output',
  stream: 'output',
  text,
  dropped,
})

describe('liveView', () => {
  test('gives an event for each piece', () => {
    const { write, end, events } = view()
    write('one\n')
    write('two')
    end()

    expect(events).toEqual([output('one\n'), output('two')])
  })

  test('names separate streams', () => {
    const { write, end, events } = view({ separateStreams: true })
    write('out', 0, 0)
    write('err', 0, 1)
    end()

    expect(events).toEqual([
      { type: 'output', stream: 'stdout', text: 'out', dropped: 0 },
      { type: 'output', stream: 'stderr', text: 'err', dropped: 0 },
    ])
  })

  test('joins a character that is split over two pieces', () => {
    const { listener, end, events } = view()
    const bytes = Buffer.from('é')
    listener(0, bytes.subarray(0, 1), 0)
    listener(0, bytes.subarray(1), 0)
    end()

    expect(events).toEqual([output('é')])
  })

  test('does not join the halves of characters of two streams', () => {
    const { listener, end, events } = view({ separateStreams: true })
    const bytes = Buffer.from('é')
    listener(0, bytes.subarray(0, 1), 0)
    listener(1, bytes.subarray(1), 0)
    end()

    expect(events.map(({ text }) => text)).toEqual(['\uFFFD', '\uFFFD'])
  })

  test('shows at the end what the command left incomplete', () => {
    const { listener, end, events } = view()
    listener(0, Buffer.from('é').subarray(0, 1), 0)
    expect(events).toEqual([])
    end()

    expect(events).toEqual([output('\uFFFD')])
  })

  test('counts what was dropped before a piece', () => {
    const { write, end, events } = view()
    write('one')
    write('two', 70_000)
    end()

    expect(events).toEqual([output('one'), output('two', 70_000)])
  })

  test.each([false, true])(
    'counts the rest of a character that a gap has cut: normalized %s',
    (normalizeOutput) => {
      const { listener, end, events } = view({ normalizeOutput })
      const [smile, euro] = [Buffer.from('\u{1f600}'), Buffer.from('\u20ac')]
      listener(0, Buffer.concat([Buffer.from('a\n'), smile.subarray(0, 3)]), 0)
      listener(0, euro.subarray(1, 2), 10)
      listener(0, Buffer.concat([euro.subarray(2), Buffer.from('b\n')]), 0)
      end()

      expect(events.map(({ text }) => text).join('')).toBe('a\nb\n')
      expect(events.reduce((sum, { dropped }) => sum + dropped, 0)).toBe(3 + 10 + 2)
    },
  )

  test('tells of dropped bytes even without any text', () => {
    const { write, end, events } = view()
    write('', 5)
    end()

    expect(events).toEqual([output('', 5)])
  })

  test('gives no event without text and without dropped bytes', () => {
    const { write, end, events } = view()
    write('')
    end()

    expect(events).toEqual([])
  })

  describe('normalised', () => {
    test('gives whole lines only, the last one at the end', () => {
      const { write, end, events } = view({ normalizeOutput: true })
      write('one\ntw')
      write('o')
      expect(events).toEqual([output('one\n')])
      end()

      expect(events).toEqual([output('one\n'), output('two')])
    })

    test('renders carriage returns and colours that are split over pieces', () => {
      const { write, end, events } = view({ normalizeOutput: true })
      write('10%\r')
      write('100%\x1b[3')
      write('2m\n')
      end()

      expect(events).toEqual([output('100%\n')])
    })

    test('shows the beginning of a line before the gap that interrupts it', () => {
      const { write, end, events } = view({ normalizeOutput: true })
      write('begin')
      write('rest\n', 9)
      end()

      expect(events).toEqual([output('begin', 0), output('rest\n', 9)])
    })

    test('tells of a gap before a line that has not ended', () => {
      const { write, end, events } = view({ normalizeOutput: true })
      write('one\n')
      write('tw', 9)
      expect(events).toEqual([output('one\n'), output('', 9)])
      write('o\n')
      end()

      expect(events).toEqual([output('one\n'), output('', 9), output('two\n')])
    })

    test('shows a line that will not end in parts, and loses nothing of it', () => {
      const { write, end, events } = view({ normalizeOutput: true })
      const piece = '0123456789'.repeat(1000)
      for (let i = 0; i < 100; i += 1) write(piece)
      end()

      expect(events.map(({ text }) => text).join('')).toBe(piece.repeat(100))
      expect(Math.max(...events.map(({ text }) => text.length))).toBeLessThanOrEqual(64 * 1024)
      expect(events.length).toBeGreaterThan(40)
    })

    test('waits for the end of a line of common length', () => {
      const { write, end, events } = view({ normalizeOutput: true })
      write('x'.repeat(16_000))
      expect(events).toEqual([])
      write('\n')
      end()

      expect(events).toEqual([output(`${'x'.repeat(16_000)}\n`)])
    })

    test('a progress line is no long line, however often it is printed', () => {
      const { write, end, events } = view({ normalizeOutput: true })
      for (let i = 0; i < 20_000; i += 1) write(`\r${i}%`)
      expect(events).toEqual([])
      end()

      expect(events).toEqual([output('19999%')])
    })
  })
})
