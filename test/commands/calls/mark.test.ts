// Names, digests and marks of calls.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { callName, requestDigest } from '../../../lib/commands/calls/identity.js'
import { markText, readMark, thisMoment } from '../../../lib/commands/calls/mark.js'
import { readResult, storeResult } from '../../../lib/commands/calls/results.js'
import { blankResult } from '../../../lib/commands/run/result.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

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

describe('a mark on the disk', () => {
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

describe('in the place of a mark', () => {
  /** As its supervisor writes it. */
  const written = (text: string) => {
    const path = join(tempDir(), 'mark')
    writeFileSync(path, `${(text.split('\n')[0] ?? '').padEnd(511)}\n${' '.repeat(511)}\n`)
    return path
  }
  const digest = 'd'.repeat(64)

  test('with any bit of what the host has said flipped is damaged, and no other call', () => {
    const path = written(markText('/x', digest, 'n'))
    const bytes = readFileSync(path)
    expect(readMark(path)).toMatchObject({ digest })
    const length = bytes.toString('latin1', 0, 512).trimEnd().length
    for (let bit = 0; bit < 8 * length; bit += 1) {
      const flipped = Buffer.from(bytes)
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      writeFileSync(path, flipped)
      expect(readMark(path)).toBe('damaged')
    }
  })

  test('of version 1, which has no checksum, is read', () => {
    const { createdAt, bootId, bootedMs } = thisMoment()
    const path = written(JSON.stringify({ version: 1, digest, nonce: 'n', createdAt, bootId, bootedMs }))
    expect(readMark(path)).toMatchObject({ digest, createdAt })
  })

  test.each([
    ['a FIFO', (path: string) => execFileSync('mkfifo', [path])],
    ['a link', (path: string) => symlinkSync(written(markText('/x', digest, 'n')), path)],
    ['a directory', (path: string) => mkdirSync(path)],
  ])('in whose place stands %s is damaged, and nobody waits for it', (_, make) => {
    const path = join(tempDir(), 'mark')
    make(path)
    expect(readMark(path)).toBe('damaged')
    expect(readResult(path)).toBeUndefined()
    storeResult(path, undefined, blankResult(':', 'completed'))
  })
})

test('a result of which a bit has flipped is none', () => {
  const path = join(tempDir(), 'mark')
  writeFileSync(path, ' '.repeat(1024))
  storeResult(path, undefined, { ...blankResult(':', 'completed'), output: 'größe\n' })
  expect(readResult(path)).toMatchObject({ output: 'größe\n' })
  const bytes = readFileSync(path)
  for (let at = 1024; at < bytes.length; at += 1) {
    const flipped = Buffer.from(bytes)
    flipped[at] = (flipped[at] ?? 0) ^ 4
    writeFileSync(path, flipped)
    expect(readResult(path)).toBeUndefined()
  }
})
