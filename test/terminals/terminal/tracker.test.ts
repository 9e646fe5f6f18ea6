import fc from 'fast-check'
import { replayScreen } from '../../../lib/terminals/terminal/replay.js'
import { TerminalTracker } from '../../../lib/terminals/terminal/tracker.js'
import { split, terminalOutput } from './terminal-output.js'

const track = (...pieces: (string | Buffer)[]): TerminalTracker => {
  const tracker = new TerminalTracker()
  for (const piece of pieces) tracker.write(Buffer.from(piece as string))
  return tracker
}

const needsScreen = (text: string): boolean => track(text).needsScreenSince(0)

describe('no screen is needed for', () => {
  test.each([
    ['lines', 'one\r\ntwo\r\n'],
    ['colours', '\x1b[1;31mred\x1b[0m\x1b[K\r\n'],
    ['a progress bar', '10 %\r20 %\r\x1b[2K30 %\x1b[5D\x1b[3C\x1b[1G\b'],
    ['what erases below, as line editors do', '\x1b[J\x1b[0J$ '],
    ['modes', '\x1b[?2004h\x1b[?25l\x1b[?1h\x1b=\x1b[4h'],
    ['titles, colours and links', '\x1b]0;a\x07\x1b]8;;http://x\x1b\\x\x1b]8;;\x1b\\'],
    ['what is no cursor movement', '\x1b[>4;1m\x1b[?1u\x1b[=1u\x1b[?7r\x1b[5 A\x1b(B'],
  ])('%s', (_, text) => {
    expect(needsScreen(text)).toBe(false)
  })
})

describe('a screen is needed for', () => {
  test.each(['A', '3B', 'E', '2F', 'H', '1;1f', '5d', '2e', 'L', '2M', 'S', 'T', '2;5r', 'u'])(
    'CSI %s',
    (csi) => {
      expect(needsScreen(`a\x1b[${csi}`)).toBe(true)
    },
  )

  test.each(['1J', '2J', '3J', '?2J', '?1049h', '?47h', '?1;1047h'])('CSI %s', (csi) => {
    expect(needsScreen(`a\x1b[${csi}`)).toBe(true)
  })

  test.each(['D', 'E', 'M', '8', 'c', '#8'])('ESC %s', (sequence) => {
    expect(needsScreen(`a\x1b${sequence}`)).toBe(true)
  })

  test('a sequence in two pieces, from where it begins', () => {
    const tracker = track('abc\x1b', '[', '2A')

    expect([tracker.needsScreenSince(3), tracker.needsScreenSince(4)]).toEqual([true, false])
  })

  test('as long as the alternate screen is on', () => {
    const tracker = track('\x1b[?1049h', 'text')
    expect(tracker.needsScreenSince(tracker.offset)).toBe(true)
    tracker.write(Buffer.from('\x1b[?1049l'))
    expect(tracker.needsScreenSince(tracker.offset)).toBe(false)
  })
})

test('modes are those that were set last', () => {
  const modesOf = ({ alternate, applicationCursor, bracketedPaste }: TerminalTracker) => [
    alternate,
    applicationCursor,
    bracketedPaste,
  ]

  expect(modesOf(track(''))).toEqual([false, false, false])
  expect(modesOf(track('\x1b[?1049;1;2004h'))).toEqual([true, true, true])
  expect(modesOf(track('\x1b[?1049;1;2004h\x1b[?1l\x1b[?2004l'))).toEqual([true, false, false])
  expect(modesOf(track('\x1b[?1049;1;2004h\x1bc'))).toEqual([false, false, false])
})

describe('a replay begins', () => {
  const kib = (count: number) => 'x'.repeat(1024 * count)

  test('at the beginning, while there is little', () => {
    expect(track(kib(200)).replayStart()).toEqual({ offset: 0, alternate: false, incomplete: false })
  })

  test('256 KiB back, and may then be incomplete', () => {
    expect(track(kib(300)).replayStart()).toEqual({
      offset: 44 * 1024,
      alternate: false,
      incomplete: true,
    })
  })

  test.each(['\x1b[2J', '\x1bc', '\x1b[?1049h'])(
    'where the screen was cleared by %j, if that is longer ago',
    (clear) => {
      expect(track(kib(10), clear, kib(300)).replayStart()).toEqual({
        offset: 10 * 1024,
        alternate: false,
        incomplete: false,
      })
    },
  )

  test('256 KiB back if the screen was cleared since', () => {
    expect(track(kib(300), '\x1b[2J').replayStart()).toMatchObject({
      offset: 44 * 1024 + 4,
      incomplete: false,
    })
  })

  test('in the alternate screen, where a program that uses it has cleared it', () => {
    expect(track('\x1b[?1049h', kib(10), '\x1b[2J', kib(300)).replayStart()).toEqual({
      offset: 10 * 1024 + 8,
      alternate: true,
      incomplete: false,
    })
  })

  test('before what was on the main screen when a full-screen program has ended', () => {
    const tracker = track('\x1b[2J', kib(10), '\x1b[?1049h', kib(300), '\x1b[?1049l')

    expect(tracker.replayStart()).toEqual({ offset: 0, alternate: false, incomplete: false })
  })

  test('4 MiB back at most', () => {
    expect(track('\x1b[?1049h', kib(5000)).replayStart()).toEqual({
      offset: 904 * 1024 + 8,
      alternate: true,
      incomplete: true,
    })
  })

  test('where the log begins that is left', () => {
    const tracker = track(kib(1))
    tracker.skip(10_000)
    tracker.write(Buffer.from('end'))

    expect(tracker.offset).toBe(11_027)
    expect(tracker.replayStart(11_024)).toEqual({ offset: 11_024, alternate: false, incomplete: true })
  })
})

test('what is known does not depend on how the bytes are split', () => {
  const known = (tracker: TerminalTracker) => [
    ...[tracker.offset, tracker.alternate, tracker.applicationCursor, tracker.bracketedPaste],
    ...Array.from({ length: 40 }, (_, offset) => tracker.needsScreenSince(offset)),
    tracker.replayStart(),
  ]
  fc.assert(
    fc.property(terminalOutput, fc.array(fc.nat(), { maxLength: 6 }), (bytes, places) => {
      expect(known(track(...split(bytes, places)))).toEqual(known(track(bytes)))
    }),
    { numRuns: 1000 },
  )
})

test('a screen drawn from there is that of the whole output', async () => {
  const frame = (i: number) => `\x1b[H\x1b[3${i % 8}mframe ${i}\x1b[K\r\n${'text '.repeat(60)}\x1b[K`
  const output = Buffer.from(
    `${'line of a shell\r\n'.repeat(500)}\x1b[?1049h\x1b[2J${Array.from({ length: 1500 }, (_, i) => frame(i)).join('')}`,
  )
  const { offset, ...rest } = track(output).replayStart()
  const parts = { styles: true }

  expect(offset).toBeGreaterThan(0)
  expect(await replayScreen({ bytes: output.subarray(offset), offset, ...rest }, parts)).toEqual(
    await replayScreen({ bytes: output }, parts),
  )
})
