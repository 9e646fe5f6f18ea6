// The inputs of the tools themselves: what fits is taken as it is, and what does not is named.
import { Ajv2020 } from 'ajv/dist/2020'
import fc from 'fast-check'
import type { JsonSchema, PropertySchema } from '../../../../lib/base/util/schema/json-schema.js'
import { validate } from '../../../../lib/base/util/schema/validate.js'
import { createBashSuite, createBashTool, createExecTool, JobStore } from '../../../../lib/index.js'

/** They read no command, and have no place for jobs: nothing that is made up here can do anything. */
const options = { shellPath: '/bin/true', jobs: new JobStore({ directory: '/dev/null/jobs' }) }
const suite = createBashSuite(options)
const ttySuite = createBashSuite({ ...options, tty: true })
const tools = {
  bash: createBashTool(options),
  exec: createExecTool({ shellPath: '/bin/true' }),
  'Bash of the suite': suite.bash,
  BashOutput: suite.bashOutput,
  KillBash: suite.killBash,
  'Bash with a terminal': ttySuite.bash,
  BashInput: ttySuite.bashInput,
}

/** What is used of a tool here. */
interface AnyTool {
  inputSchema: JsonSchema
  execute(input: unknown, context: { workingDir: string }): Promise<object>
  toText(result: object): string
}
const each = Object.entries(tools) as unknown as [string, AnyTool][]

function fitting(schema: PropertySchema): fc.Arbitrary<unknown> {
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'array') return fc.array(fc.string())
  if (schema.enum !== undefined) return fc.constantFrom<string | number>(...schema.enum)
  if (schema.type === 'string') return fc.string({ unit: 'binary', minLength: schema.minLength ?? 0 })
  const { minimum: min = -1e9, maximum: max = 1e9 } = schema
  return schema.type === 'integer' ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true })
}

const anything = fc.oneof(
  fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true }),
  fc.constantFrom<unknown>(
    null,
    '',
    '0',
    'true',
    0,
    -1,
    1.5,
    1e300,
    Number.NaN,
    true,
    [],
    {},
    ['ls'],
    new String('ls'),
  ),
)

/** Neither what fits nor undefined, which is the same as nothing. */
function unfitting(schema: PropertySchema): fc.Arbitrary<unknown> {
  const check = new Ajv2020().compile(schema)
  return anything.filter((value) => value !== undefined && !check(value))
}

function inputOf({ properties, required = [] }: JsonSchema): fc.Arbitrary<Record<string, unknown>> {
  const values = Object.entries(properties).map(([name, schema]) => [name, fitting(schema)])
  return fc.record(Object.fromEntries(values), { requiredKeys: [...required] })
}

/** An input with one thing wrong, and the field where that is. */
function spoiltInputOf(schema: JsonSchema): fc.Arbitrary<{ input: Record<string, unknown>; field: string }> {
  const { properties, required = [] } = schema
  const spoil = fc.oneof(
    ...Object.entries(properties).map(([field, property]) =>
      unfitting(property).map((value) => ({ field, change: { [field]: value } })),
    ),
    ...required.map((field) => fc.constant({ field, change: { [field]: undefined } })),
    fc
      .tuple(fc.constantFrom('Command', 'constructor', 'toString', 'time_out', 'path'), anything)
      .filter(([, value]) => value !== undefined)
      .map(([field, value]) => ({ field, change: { [field]: value } })),
  )
  return fc
    .tuple(inputOf(schema), spoil)
    .map(([input, { field, change }]) => ({ input: { ...input, ...change }, field }))
}

describe.each(each)('%s', (_, tool) => {
  const { inputSchema } = tool

  test('every input that fits is taken, as it is', () => {
    const fits = new Ajv2020().compile(inputSchema)
    fc.assert(
      fc.property(inputOf(inputSchema), (input) => {
        expect(fits(input)).toBe(true)
        expect(validate(inputSchema, input)).toEqual({ ok: true, value: input })
      }),
      { numRuns: 300 },
    )
  })

  test('of every other one the field is named in which it does not fit, and no other', () => {
    fc.assert(
      fc.property(spoiltInputOf(inputSchema), ({ input, field }) => {
        expect(validate(inputSchema, input)).toEqual({
          ok: false,
          issues: [{ path: [field], message: expect.stringMatching(`^${field}: `) }],
        })
      }),
      { numRuns: 300 },
    )
  })

  test('the result names it, too, in one line', async () => {
    const property = fc.asyncProperty(spoiltInputOf(inputSchema), async ({ input, field }) => {
      const result = await tool.execute(input, { workingDir: '/' })
      const { error } = result as { error: string | { code: string; message: string } }
      // The exec tool's error is a text (REQ-EXEC-002).
      const message = typeof error === 'string' ? error.replace(/^invalid input: /, '') : error.message
      if (typeof error !== 'string') expect(error.code).toBe('ERR_INVALID_INPUT')
      expect(message.startsWith(`${field}: `)).toBe(true)
      expect(tool.toText(result)).toContain('invalid input: ')
      expect(tool.toText(result)).not.toContain('\n')
    })
    await fc.assert(property, { numRuns: 200 })
  })
})
