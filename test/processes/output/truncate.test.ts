import fc from 'fast-check'
import type { CapturedStream } from '../../../lib/processes/output/decode.js'
import { normalizeOutput } from '../../../lib/processes/output/render.js'
import { maxOutputBytes, truncateMiddle, truncationNotice } from '../../../lib/processes/output/truncate.js'

const snip = '\n\n[snip]\n\n'
const bashLimits = { headBytes: 128 * 1024, tailBytes: 4 * 1024 }

/** What the native capture would have kept. The limits are those of the bash profile by default. */
function capture(output: Uint8Array | string, limits = bashLimits): CapturedStream {
  const bytes = Buffer.from(output as Uint8Array)
  const head = bytes.subarray(0, limits.headBytes)
  const rest = bytes.subarray(head.length)
  const tail = rest.subarray(Math.max(0, rest.length - limits.tailBytes))
  return { head, tail, total: bytes.length }
}

describe('truncateMiddle', () => {
  it('gives short output whole', () => {
    expect(truncateMiddle(capture('hi\n'))).toEqual({ text: 'hi\n', truncated: false, binary: false })
  })

  it('gives output of exactly the limit whole', () => {
    const output = 'a'.repeat(maxOutputBytes)
    expect(truncateMiddle(capture(output))).toEqual({ text: output, truncated: false, binary: false })
  })

  it('keeps the first and last 4 KiB of output one byte over the limit', () => {
    const output = Buffer.from(Array.from({ length: maxOutputBytes + 1 }, (_, i) => 97 + (i % 26)))
    const { text, truncated } = truncateMiddle(capture(output))
    expect(truncated).toBe(true)
    expect(text).toBe(output.toString().slice(0, 4096) + snip + output.toString().slice(-4096))
  })

  it('keeps the first and last 4 KiB of output with a gap', () => {
    const output = Buffer.from(Array.from({ length: 400_000 }, (_, i) => 97 + (i % 26)))
    expect(truncateMiddle(capture(output)).text).toBe(
      output.toString().slice(0, 4096) + snip + output.toString().slice(-4096),
    )
  })

  it('says binary for a NUL that is only in the part not shown', () => {
    const output = Buffer.alloc(200_000, 'a')
    output[100_000] = 0
    expect(truncateMiddle(capture(output))).toMatchObject({ truncated: true, binary: true })
  })

  it('leaves out no more at a gap than a character can have', () => {
    const output = Buffer.alloc(200_000, 0x80)
    expect(truncateMiddle(capture(output)).text).toBe('\uFFFD'.repeat(4096) + snip + '\uFFFD'.repeat(4093))
  })

  it('says binary for an invalid byte in the kept tail', () => {
    const output = Buffer.alloc(200_000, 'a')
    output[199_999] = 0xff
    const { text, binary } = truncateMiddle(capture(output))
    expect(binary).toBe(true)
    expect(text.endsWith('a\uFFFD')).toBe(true)
  })

  it.each(['é', '€', '😀'])('never cuts through %s, wherever the edges fall', (character) => {
    const size = Buffer.byteLength(character)
    for (let lead = 0; lead < size; lead++) {
      for (let end = 0; end < size; end++) {
        const output = 'x'.repeat(lead) + character.repeat(200_000) + 'y'.repeat(end)
        const { text, truncated, binary } = truncateMiddle(capture(output))
        expect(truncated).toBe(true)
        expect(binary).toBe(false)
        expect(text.includes('\uFFFD')).toBe(false)
        const [first = '', last = ''] = text.split(snip)
        expect(output.startsWith(first)).toBe(true)
        expect(output.endsWith(last)).toBe(true)
        expect(4096 - Buffer.byteLength(first)).toBeLessThan(size)
        expect(4096 - Buffer.byteLength(last)).toBeLessThan(size)
      }
    }
  })

  it('never cuts through a character around the limit, where head and tail touch', () => {
    for (let over = -5; over <= 5; over++) {
      const output = 'x'.repeat((maxOutputBytes + over) % 4) + '😀'.repeat((maxOutputBytes + over) >> 2)
      const { text, truncated, binary } = truncateMiddle(capture(output))
      expect(truncated).toBe(over > 0)
      expect(binary).toBe(false)
      expect(text.includes('\uFFFD')).toBe(false)
    }
  })

  it('does not show the same byte twice when the kept ends are longer than the output', () => {
    const result = truncateMiddle(capture('0123456789'), { maxBytes: 9, keepBytes: 7 })
    expect(result.text).toBe(`0123456${snip}789`)
  })

  it('cuts by what was printed, where marks have made it longer or shorter', () => {
    const ends = { maxBytes: 9, keepBytes: 2 }
    expect(truncateMiddle({ ...capture('0123456789'), printed: 9 }, ends)).toMatchObject({
      text: '0123456789',
      truncated: false,
    })
    expect(truncateMiddle({ ...capture('01234'), printed: 10 }, ends)).toMatchObject({
      text: `01${snip}34`,
      truncated: true,
    })
  })

  it('cuts a capture that has a gap, whatever its size', () => {
    const result = truncateMiddle(capture('0123456789', { headBytes: 3, tailBytes: 0 }))
    expect(result).toEqual({
      text: `012${snip}`,
      truncated: true,
      binary: false,
      cut: { first: 3, last: 0 },
    })
  })

  it('gives the ends of any text, and never more than the limit and 200 bytes', () => {
    const limits = fc.record({ maxBytes: fc.nat(60), keepBytes: fc.nat(20) })
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), limits, (output, { maxBytes, keepBytes }) => {
        fc.pre(!output.includes('\0'))
        const kept = Math.min(keepBytes, maxBytes >> 1)
        const stream = capture(output, { headBytes: maxBytes, tailBytes: kept })
        const { text, truncated, binary } = truncateMiddle(stream, { maxBytes, keepBytes: kept })
        expect(truncated).toBe(Buffer.byteLength(output) > maxBytes)
        expect(binary).toBe(false)
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes + 200)
        if (!truncated) expect(text).toBe(output)
        else {
          const [first = '', last = ''] = text.split(snip)
          expect(output.startsWith(first)).toBe(true)
          expect(output.endsWith(last)).toBe(true)
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('never gives more characters than the limit and 200, whatever the bytes', () => {
    const patterns = fc.uint8Array({ minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(patterns, fc.integer({ min: 130_000, max: 140_000 }), (pattern, size) => {
        const { text } = truncateMiddle(capture(Buffer.alloc(size, pattern)))
        expect(text.length + truncationNotice(size).length).toBeLessThanOrEqual(maxOutputBytes + 200)
      }),
      { numRuns: 50 },
    )
  })
})

describe('truncateMiddle with a renderer', () => {
  const render = normalizeOutput

  it('renders output that fits', () => {
    expect(truncateMiddle(capture('\x1b[31mred\x1b[0m\n'), { render }).text).toBe('red\n')
  })

  it('does not cut output that only its control characters make too long', () => {
    const output = `${'\r0%'.repeat(maxOutputBytes / 3)}\r100%`
    expect(capture(output).total).toBeGreaterThan(maxOutputBytes)
    expect(truncateMiddle(capture(output), { render })).toEqual({
      text: '100%',
      truncated: false,
      binary: false,
    })
  })

  it('cuts output that is too long after rendering', () => {
    const output = '\x1b[31ma\x1b[0m\n'.repeat(100_000)
    const { text, truncated } = truncateMiddle(capture(output), { render })
    expect(truncated).toBe(true)
    expect(text.slice(0, 4)).toBe('a\na\n')
    expect(text.split(snip)[1]).toMatch(/^(a\n)+$/)
  })

  it('bounds output that rendering has made longer', () => {
    const { text, truncated } = truncateMiddle(capture('\x1b[256Gx\n'.repeat(10_000)), { render })
    expect(truncated).toBe(true)
    expect(text.length).toBeLessThan(10_000)
  })

  it('begins after a gap with a whole line, and not inside an escape sequence', () => {
    const line = '\x1b[38;5;196mx\n'
    for (let extra = 0; extra < line.length; extra++) {
      const output = 'y'.repeat(extra) + line.repeat(30_000)
      const last = truncateMiddle(capture(output), { render }).text.split(snip)[1]
      expect(last).toMatch(/^(x\n)+$/)
    }
  })

  it('keeps a long last line after a gap', () => {
    const last = truncateMiddle(capture(`${'y'.repeat(200_000)}\n`), { render }).text.split(snip)[1]
    expect(last).toBe(`${'y'.repeat(bashLimits.tailBytes - 1)}\n`)
  })

  it('says binary for what rendering removes', () => {
    expect(truncateMiddle(capture(Buffer.from([0x61, 0, 0xff])), { render }).binary).toBe(true)
  })
})

describe('truncationNotice', () => {
  it('names the size and the limit', () => {
    expect(truncationNotice(3 * 1024 * 1024)).toBe('[output truncated in middle: got 3.0MB, max is 128.0KB]')
  })
})
