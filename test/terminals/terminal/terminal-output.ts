// Output as programs write it to a terminal, and as none would: for properties.

import fc from 'fast-check'

const sequence = fc
  .tuple(
    fc.constantFrom('\x1b[', '\x1b[?', '\x9b', '\x1b[>', '\x1b[='),
    fc.array(fc.oneof(fc.nat(30), fc.constantFrom(25, 1049, 2004, 99999, 2147483647)), { maxLength: 3 }),
    fc.constantFrom('', '', '', '', ' ', "'", '!', '$'),
    fc.constantFrom(...'@ABCDEFGHIJKLMPSTXZ`abcdefghlmnpqrstu~}'),
  )
  .map(([introducer, parameters, intermediate, final]) =>
    [introducer, parameters.join(';'), intermediate, final].join(''),
  )

const colour = fc
  .array(fc.constantFrom(0, 1, 2, 3, 4, 7, 9, 31, 42, 53, 97, 100, '38;5;200', '48;2;1;2;3', '38:2::9:8:7'), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parameters) => `\x1b[${parameters.join(';')}m`)

const unit = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('a', 'word ', 'x'.repeat(30), ' ', '日本', 'é', '😀', '🎉🎉', 'ﬁ'),
  },
  { weight: 2, arbitrary: fc.constantFrom('\r', '\n', '\r\n', '\b', '\t', '\v', '\f', '\x0e', '\x0f') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('e\u0301', '\u0301', '\u0301'.repeat(12), '\u200d', '\u202e', '\ufe0f'),
  },
  { weight: 4, arbitrary: sequence },
  { weight: 3, arbitrary: colour },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...['\x1b7', '\x1b8', '\x1bc', '\x1bD', '\x1bE', '\x1bM', '\x1bH', '\x1b#8', '\x1b(0', '\x1b(B'],
      ...[
        '\x1b]0;title\x07',
        '\x1b]8;;http://x\x1b\\',
        '\x1bP$qm\x1b\\',
        '\x1b_G',
        '\x1b^',
        '\x1bX',
        '\x9d',
        '\x9c',
      ],
      ...['\x1b', '\x18', '\x1a', '\x00', '\x07', '\x7f', '\x85', '\x1b[', '\x1b[1;', '\x1b('],
    ),
  },
)

const text = fc.array(unit, { maxLength: 60 }).map((units) => Buffer.from(units.join('')))

/** Mostly what means something; also any bytes, alone and between. */
export const terminalOutput: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 3, arbitrary: text },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(text, fc.uint8Array({ maxLength: 6 }), text)
      .map(([before, bytes, after]) => Buffer.concat([before, bytes, after])),
  },
)

/** Splits bytes at places, which may be anywhere. */
export const split = (bytes: Buffer, places: readonly number[]): Buffer[] =>
  ranges(bytes.length, places).map(([from, to]) => bytes.subarray(from, to))

export const splitText = (text: string, places: readonly number[]): string[] =>
  ranges(text.length, places).map(([from, to]) => text.slice(from, to))

function ranges(length: number, places: readonly number[]): [from: number, to: number][] {
  const ends = [...places.map((place) => place % (length + 1)), length].sort((a, b) => a - b)
  return ends.map((end, i) => [ends[i - 1] ?? 0, end])
}
