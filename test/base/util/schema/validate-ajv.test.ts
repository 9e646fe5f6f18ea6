import { Ajv2020 } from 'ajv/dist/2020'
import fc from 'fast-check'
import type { JsonSchema } from '../../../../lib/base/util/schema/json-schema.js'
import { validate } from '../../../../lib/base/util/schema/validate.js'
import { bash, everyKeyword, suite } from './schemas.js'

describe('validate: the same verdict as ajv', () => {
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom<unknown>(
      'ls',
      '',
      'default',
      'slow',
      'background',
      'Slow',
      'a',
      'longer',
      'ab',
      '😀😀',
      '😀😀😀',
    ),
    fc.constantFrom<unknown>(
      0,
      -0,
      1,
      1.0,
      1.5,
      2,
      4,
      0.5,
      10,
      10.5,
      600000,
      600001,
      1e300,
      -1,
      true,
      false,
      null,
      [],
      ['a', ''],
      ['a', 1],
    ),
    fc.integer({ min: -2, max: 600002 }),
  )

  it.each<[string, JsonSchema]>([
    ['bash tool', bash],
    ['suite', suite],
    ['every keyword', everyKeyword],
  ])('for the schema of the %s', (_name, schema) => {
    const validateByAjv = new Ajv2020().compile(schema)
    const known = fc.constantFrom(...Object.keys(schema.properties))
    const name = fc.oneof(
      { weight: 12, arbitrary: known },
      { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'toString', '', 'Command') },
      { weight: 1, arbitrary: fc.string() },
    )
    // Filled with values that fit, so that both verdicts are common.
    const valid = { command: 'ls', text: 'abc', ratio: 1 }
    const required = Object.entries(valid).filter(([key]) => key in schema.properties)
    const object = fc
      .array(fc.tuple(name, value), { maxLength: 4 })
      .chain((entries) => fc.constantFrom(entries, [...required, ...entries], [...entries, ...required]))
      .map((entries): unknown => Object.fromEntries(entries))
    let accepted = 0
    fc.assert(
      fc.property(fc.oneof({ weight: 6, arbitrary: object }, { weight: 1, arbitrary: value }), (input) => {
        const result = validate(schema, input)
        expect(result.ok).toBe(validateByAjv(input))
        if (result.ok) {
          accepted++
          expect(result.value).toEqual(input)
        } else expect(result.issues.length).toBeGreaterThan(0)
      }),
      { numRuns: 5000 },
    )
    expect(accepted).toBeGreaterThan(500)
  })
})
