import fc from 'fast-check'
import { HeadTailBuffer } from '../../../../lib/processes/engine/portable/head-tail-buffer.js'

/** What a buffer with these limits is to have kept of a text. */
const expected = (text: string, head: number, tail: number) => {
  const rest = text.slice(head)
  return { head: text.slice(0, head), tail: rest.slice(Math.max(rest.length - tail, 0)), total: text.length }
}

test('keeps the first and the last bytes, however they come, and counts all', () => {
  const pieces = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 40 }), {
    maxLength: 30,
  })
  const limit = fc.integer({ min: 0, max: 50 })
  fc.assert(
    fc.property(pieces, limit, limit, (texts, head, tail) => {
      const buffer = new HeadTailBuffer(head, tail)
      // One buffer for all, as a reader has it: what is kept is copied.
      const shared = Buffer.alloc(40)
      for (const text of texts) buffer.append(shared.subarray(0, shared.write(text)))
      shared.fill('x')
      const captured = buffer.captured()

      expect({ ...captured, head: String(captured.head), tail: String(captured.tail) }).toEqual(
        expected(texts.join(''), head, tail),
      )
    }),
  )
})
