import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020'
import { BashError } from '../../../../lib/base/errors.js'
import { type StandardProps, withStandard } from '../../../../lib/base/util/schema/standard-schema.js'

const source = {
  type: 'object',
  description: 'Runs a command.',
  properties: {
    command: { type: 'string', description: 'The command.' },
    mode: { type: 'string', enum: ['default', 'slow'] },
  },
  required: ['command'],
  additionalProperties: false,
} as const

const schema = withStandard(source)
const standard: StandardProps<{ command: string; mode?: 'default' | 'slow' }> = schema['~standard']

describe('withStandard: the JSON Schema', () => {
  it('serialises as the plain schema with its dialect', () => {
    expect(JSON.parse(JSON.stringify(schema))).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      ...source,
    })
  })

  it('does not show ~standard to those who list or copy properties', () => {
    expect(Object.keys(schema)).not.toContain('~standard')
    expect({ ...schema }).not.toHaveProperty('~standard')
    expect(structuredClone(schema)).toEqual({ ...schema })
  })

  it('is frozen at every level, and a copy', () => {
    expect(Object.isFrozen(schema)).toBe(true)
    expect(Object.isFrozen(schema.properties.mode.enum)).toBe(true)
    expect(Object.isFrozen(standard)).toBe(true)
    expect(Object.isFrozen(standard.jsonSchema)).toBe(true)
    expect(Object.isFrozen(source.properties)).toBe(false)
  })

  it('is a valid schema of its draft', () => {
    expect(new Ajv2020().validateSchema(schema)).toBe(true)
  })
})

describe('withStandard: Standard Schema', () => {
  it('names its version and vendor', () => {
    expect(standard).toMatchObject({ version: 1, vendor: 'bashward' })
  })

  it('gives the value of valid input, synchronously', () => {
    expect(standard.validate({ command: 'ls', mode: undefined })).toEqual({ value: { command: 'ls' } })
  })

  it('gives issues with message and path for invalid input', () => {
    expect(standard.validate({ command: 1 })).toEqual({
      issues: [{ message: 'command: must be a string (got 1)', path: ['command'] }],
    })
  })
})

describe('withStandard: Standard JSON Schema', () => {
  it('gives draft 2020-12', () => {
    expect(standard.jsonSchema.input({ target: 'draft-2020-12' })).toEqual({ ...schema })
  })

  it('gives draft-07', () => {
    const converted = standard.jsonSchema.output({ target: 'draft-07' })
    expect(converted).toEqual({ ...source, $schema: 'http://json-schema.org/draft-07/schema#' })
    const validate = new Ajv().compile(converted)
    expect(validate({ command: 'ls' })).toBe(true)
    expect(validate({})).toBe(false)
  })

  it('gives OpenAPI 3.0, where $schema is not allowed', () => {
    expect(standard.jsonSchema.input({ target: 'openapi-3.0' })).toEqual(source)
  })

  it('gives a new object that the caller may change', () => {
    const first = standard.jsonSchema.input({ target: 'draft-07' })
    first.properties = {}
    expect(standard.jsonSchema.input({ target: 'draft-07' })).toHaveProperty('properties.command')
  })

  it.each(['draft-04', 'toString', '', undefined])('throws for the unknown target %p', (target) => {
    const convert = () => standard.jsonSchema.input({ target: target as string })
    expect(convert).toThrow(BashError)
    expect(convert).toThrow(/^target: must be one of draft-2020-12, draft-07, openapi-3\.0 \(got .*\)$/)
  })

  it('throws a typed error when the options are missing', () => {
    const convert = standard.jsonSchema.input as (options?: unknown) => unknown
    expect(() => convert()).toThrow(BashError)
  })
})
