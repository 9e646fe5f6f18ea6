import fc from 'fast-check'
import type { InputOf, JsonSchema } from '../../../../lib/base/util/schema/json-schema.js'
import { validate } from '../../../../lib/base/util/schema/validate.js'
import { bash, everyKeyword, suite } from './schemas.js'

function messages(schema: JsonSchema, value: unknown): string[] {
  const result = validate(schema, value)
  return result.ok ? [] : result.issues.map((issue) => issue.message)
}

describe('validate: messages', () => {
  it.each<[string, JsonSchema, unknown, string[]]>([
    [
      'a value outside an enumeration',
      bash,
      { command: 'ls', mode: 'fast' },
      ['mode: must be one of default, slow, background (got "fast")'],
    ],
    ['a missing property', bash, {}, ['command: is required']],
    ['a wrong type', bash, { command: 42 }, ['command: must be a string (got 42)']],
    [
      'an unknown property',
      bash,
      { command: 'ls', foo: 1 },
      ['foo: is not a known property (allowed: command, mode)'],
    ],
    [
      'an integer out of range',
      suite,
      { command: 'ls', timeout: 0 },
      ['timeout: must be an integer from 1 to 600000 (got 0)'],
    ],
    [
      'a number that is not an integer',
      suite,
      { command: 'ls', timeout: 1.5 },
      ['timeout: must be an integer from 1 to 600000 (got 1.5)'],
    ],
    [
      'a string for a boolean',
      suite,
      { command: 'ls', run_in_background: 'true' },
      ['run_in_background: must be a boolean (got "true")'],
    ],
    ['null', bash, null, ['input: must be an object (got null)']],
    ['an array', bash, ['ls'], ['input: must be an object (got ["ls"])']],
    ['a string', bash, 'ls', ['input: must be an object (got "ls")']],
    ['nothing', bash, undefined, ['input: must be an object (got undefined)']],
    ['a function', bash, () => 1, ['input: must be an object (got a function)']],
    [
      'bounds on one side',
      everyKeyword,
      { text: 'abc', ratio: 0, limit: 11 },
      ['ratio: must be a number of at least 0.5 (got 0)', 'limit: must be a number of at most 10 (got 11)'],
    ],
    [
      'a short string',
      everyKeyword,
      { text: 'ab', ratio: 1 },
      ['text: must have at least 3 characters (got "ab")'],
    ],
  ])('names what is wrong: %s', (_name, schema, value, expected) => {
    expect(messages(schema, value)).toEqual(expected)
  })

  it('says that a string must not be empty', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', minLength: 1 } },
      additionalProperties: false,
    } as const
    expect(messages(schema, { a: '' })).toEqual(['a: must not be empty (got "")'])
  })

  it('says what a number without bounds must be', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'number' } },
      additionalProperties: false,
    } as const
    expect(messages(schema, { a: 'x', b: null })).toEqual([
      'a: must be an integer (got "x")',
      'b: must be a number (got null)',
    ])
  })

  it('lists all issues, known properties first and in the order of the schema', () => {
    const result = validate(suite, { foo: 1, timeout: 'x' })
    expect(result).toMatchObject({
      ok: false,
      issues: [{ path: ['command'] }, { path: ['timeout'] }, { path: ['foo'] }],
    })
  })

  it('cuts a long received value', () => {
    const [message = ''] = messages(bash, { command: 'ls', mode: 'x'.repeat(1_000_000) })
    expect(message.startsWith('mode: must be one of default, slow, background (got "xxx')).toBe(true)
    expect(message.endsWith('x…)')).toBe(true)
    expect(message.length).toBeLessThan(130)
  })

  it.each([
    ['', '""'],
    ['a b\n', '"a b\\n"'],
    ['k'.repeat(100), `"${'k'.repeat(59)}…`],
  ])('shows the unreadable name %j of a property as JSON', (name, shown) => {
    expect(messages(bash, { command: 'ls', [name]: 1 })).toEqual([
      `${shown}: is not a known property (allowed: command, mode)`,
    ])
  })
})

describe('validate: values that JSON does not have', () => {
  it('takes a property given as undefined for absent', () => {
    expect(validate(bash, { command: 'ls', mode: undefined, foo: undefined })).toEqual({
      ok: true,
      value: { command: 'ls' },
    })
    expect(messages(bash, { command: undefined })).toEqual(['command: is required'])
  })

  it('gives a new plain object', () => {
    const input = Object.freeze(Object.assign(Object.create(null), { command: 'ls', mode: 'slow' }))
    const result = validate(bash, input)
    const value: InputOf<typeof bash> | undefined = result.ok ? result.value : undefined
    expect(value).toEqual({ command: 'ls', mode: 'slow' })
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(value).not.toBe(input)
  })

  it('does not take inherited properties', () => {
    expect(messages(bash, Object.create({ command: 'ls' }))).toEqual(['command: is required'])
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'refuses a property named %s',
    (name) => {
      const input = Object.fromEntries([
        ['command', 'ls'],
        [name, { polluted: true }],
      ])
      expect(messages(bash, input)).toEqual([`${name}: is not a known property (allowed: command, mode)`])
      expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    },
  )

  it('accepts a property named __proto__ when the schema has it', () => {
    const properties = Object.fromEntries([['__proto__', { type: 'string' } as const]])
    const schema = { type: 'object', properties, additionalProperties: false } as const
    const result = validate(schema, JSON.parse('{"__proto__": "x"}'))
    const value = result.ok ? result.value : {}
    expect(Object.entries(value)).toEqual([['__proto__', 'x']])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 5n, new Number(5), '5'])(
    'does not take %p for a number',
    (timeout) => {
      expect(validate(suite, { command: 'ls', timeout }).ok).toBe(false)
    },
  )

  it('does not take a boxed string for a string', () => {
    expect(validate(bash, { command: new String('ls') }).ok).toBe(false)
  })

  it('reads each property once', () => {
    let reads = 0
    const input = {
      get command() {
        return ++reads === 1 ? 'ls' : 42
      },
    }
    expect(validate(bash, input)).toEqual({ ok: true, value: { command: 'ls' } })
    expect(reads).toBe(1)
  })

  it('names the property whose getter throws', () => {
    const input = {
      command: 'ls',
      get mode(): string {
        throw new Error('no')
      },
    }
    expect(validate(bash, input)).toEqual({
      ok: false,
      issues: [{ path: ['mode'], message: 'mode: cannot be read' }],
    })
  })

  it('refuses an object that throws at every touch', () => {
    const revoked = Proxy.revocable({}, {})
    revoked.revoke()
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw 'no'
        },
      },
    )
    for (const input of [revoked.proxy, hostile]) {
      expect(messages(bash, input)).toEqual(['input: must be an object whose properties can be read'])
    }
  })

  it('refuses a cyclic value', () => {
    const cyclic: Record<string, unknown> = {}
    cyclic.command = cyclic
    expect(messages(bash, cyclic)[0]).toMatch(/^command: must be a string \(got \{"command":/)
  })

  it('never throws', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withSparseArray: true }),
        (value) => {
          expect(typeof validate(bash, value).ok).toBe('boolean')
          expect(typeof validate(suite, { command: value, timeout: value }).ok).toBe('boolean')
        },
      ),
    )
  })
})
