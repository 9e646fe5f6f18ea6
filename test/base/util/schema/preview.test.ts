import fc from 'fast-check'
import { preview } from '../../../../lib/base/util/schema/preview.js'

describe('preview', () => {
  it.each([
    [null, 'null'],
    [true, 'true'],
    [42, '42'],
    ['a "b"\n', '"a \\"b\\"\\n"'],
    [[1, 'a', [null]], '[1,"a",[null]]'],
    [{ a: { b: [] }, c: 1 }, '{"a":{"b":[]},"c":1}'],
    [undefined, 'undefined'],
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [42n, '42n'],
    [Symbol('s'), 'a symbol'],
    [() => 1, 'a function'],
  ])('shows %p', (value, expected) => {
    expect(preview(value)).toBe(expected)
  })

  it('is the JSON text of any short JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.stringify(value)
        fc.pre(json.length <= 60)
        expect(preview(value)).toBe(json)
      }),
    )
  })

  it('is the beginning of the JSON text of any long JSON value', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 10 }), (value) => {
        const json = JSON.stringify(value)
        fc.pre(json.length > 60)
        const shown = preview(value)
        expect(shown.endsWith('…')).toBe(true)
        expect(shown.length).toBeGreaterThanOrEqual(60)
        expect(shown.length).toBeLessThanOrEqual(61)
        expect(json.startsWith(shown.slice(0, -1))).toBe(true)
      }),
    )
  })

  it('does not cut through a surrogate pair', () => {
    expect(preview(`${'x'.repeat(58)}😀😀`)).toBe(`"${'x'.repeat(58)}…`)
  })

  it('shows the beginning of a cyclic value', () => {
    const cyclic: Record<string, unknown> = {}
    cyclic.self = cyclic
    expect(preview(cyclic)).toMatch(/^(\{"self":)+.*…$/)
  })

  it('reads no more of a huge value than it shows', () => {
    let reads = 0
    const huge = new Proxy(new Array(1_000_000).fill(1), {
      get: (target, key, receiver) => {
        reads++
        return Reflect.get(target, key, receiver)
      },
    })
    expect(preview(huge)).toMatch(/^\[1,1,.*…$/)
    expect(reads).toBeLessThan(200)
  })

  it('shows what cannot be read as a question mark', () => {
    const throwing = {
      get a() {
        throw new Error('no')
      },
    }
    const revoked = Proxy.revocable({}, {})
    revoked.revoke()
    expect(preview([throwing, revoked.proxy])).toBe('[?,?]')
  })

  it('does not call toJSON', () => {
    expect(preview({ toJSON: () => 'other' })).toBe('{"toJSON":a function}')
  })
})
