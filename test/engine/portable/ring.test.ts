import fc from 'fast-check'
import { Ring } from '../../../lib/engine/portable/ring.js'

test('holds the last bytes in their order, and counts all', () => {
  const pieces = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 20 }), {
    maxLength: 20,
  })
  fc.assert(
    fc.property(pieces, fc.integer({ min: 1, max: 16 }), (texts, size) => {
      const ring = new Ring(size)
      for (const text of texts) ring.append(Buffer.from(text))
      const all = texts.join('')

      expect({ total: ring.total, bytes: String(ring.bytes()) }).toEqual({
        total: all.length,
        bytes: all.slice(-size),
      })
    }),
  )
})
