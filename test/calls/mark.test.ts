// Names, digests and marks of calls.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { callName, requestDigest } from '../../lib/calls/identity.js'
import { markText, readMark } from '../../lib/calls/mark.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'

afterAll(removeTempDirs)

describe('the name of a call', () => {
  test('is the same on each day: marks outlive a version', () => {
    expect(callName('t', { callId: 'a', conversationId: 'c' })).toBe(
      '32fc216cbd58b99b0a1cdbe8603500267d7342d8a8f91409734bc313e277ab90',
    )
  })

  test('tells apart whatever differs', () => {
    const part = fc.option(fc.string({ minLength: 1, maxLength: 4, unit: 'grapheme' }), { nil: undefined })
    const call = fc.tuple(part, part, fc.string({ minLength: 1, maxLength: 4, unit: 'grapheme' }))
    const nameOf = ([tenant, conversationId, callId]: [string | undefined, string | undefined, string]) =>
      callName(tenant, { callId, conversationId })
    fc.assert(
      fc.property(call, call, (one, two) => {
        expect(nameOf(one) === nameOf(two)).toBe(JSON.stringify(one) === JSON.stringify(two))
      }),
    )
  })

  test('tells what is not given from what moves over', () => {
    const names = [
      callName(undefined, { callId: 'ab' }),
      callName('a', { callId: 'b' }),
      callName(undefined, { callId: 'b', conversationId: 'a' }),
    ]
    expect(new Set(names).size).toBe(3)
  })
})

describe('the digest of a request', () => {
  const request = { tool: 'bash', input: { command: 'x', mode: 'slow' }, workingDir: '/', sandbox: undefined }

  test('does not depend on the order of fields, nor on fields that are undefined', () => {
    const other = { input: { mode: 'slow', command: 'x', timeout: undefined }, workingDir: '/', tool: 'bash' }
    expect(requestDigest({ ...request, session: null })).toBe(
      requestDigest({ ...other, sandbox: undefined, session: null }),
    )
  })

  test('is another one for any other input', () => {
    const value = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)))
    const pairs = fc
      .dictionary(fc.string({ maxLength: 2 }), value)
      .map((fields) => [fields, Object.entries(fields)])
    const digest = (input: unknown) => requestDigest({ ...request, input, session: null })
    fc.assert(
      fc.property(fc.oneof(fc.tuple(value, value), pairs), ([one, other]) => {
        expect(digest(one) === digest(other)).toBe(isDeepStrictEqual(one, other))
      }),
    )
  })

  test.each<[string, Partial<Parameters<typeof requestDigest>[0]>]>([
    ['tool', { tool: 'Bash' }],
    ['input', { input: { command: 'x' } }],
    ['directory', { workingDir: '/usr' }],
    ['policy', { sandbox: { writable: ['.'] } }],
    ['session', { session: '/' }],
    ['shared session', { session: true }],
  ])('depends on the %s', (_, change) => {
    expect(requestDigest({ ...request, session: null, ...change })).not.toBe(
      requestDigest({ ...request, session: null }),
    )
  })
})

describe('a mark', () => {
  const path = join(tempDir(), 'mark')
  const record = markText(path, 'd'.repeat(64), 'n'.repeat(16)).split('\n')[0] ?? ''
  const read = (end: string) => {
    writeFileSync(path, `${record.padEnd(511)}\n${end}`)
    return readMark(path)
  }

  test('has room for what the host says', () => {
    expect(record.length).toBeLessThan(400)
    expect(read('')).toMatchObject({ digest: 'd'.repeat(64), createdAt: expect.any(Number), end: undefined })
  })

  test('whose end is torn has none', () => {
    expect(read('end ended 0 0 - 1\n')).toMatchObject({ end: undefined })
    expect(read('end ended 0 0 -')).toMatchObject({ end: undefined })
    expect(read('end other 0 0 - 1\n')).toMatchObject({ end: undefined })
  })

  test.each(['', 'x', '{}\n', '{"version":2}', '[]', 'null'])('that holds %j is damaged', (content) => {
    writeFileSync(path, content)
    expect(readMark(path)).toBe('damaged')
  })

  test('that is not there is none', () => {
    expect(readMark(join(tempDir(), 'x'))).toBeUndefined()
  })
})
