// What a command with a network prints, without its token: at the end, live, and in a saved file.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redaction } from '../../../lib/commands/run/redaction.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { completion, stream } from './completions.js'

afterAll(removeTempDirs)

const token = 'abcdefgh12345678'
const stars = '*'.repeat(token.length)

const liveOf = (...pieces: [text: string, dropped?: number][]): [text: string, dropped: number][] => {
  const redaction = new Redaction([token])
  const seen: [string, number][] = []
  const next = (_: number, bytes: Buffer, dropped: number) => seen.push([bytes.toString(), dropped])
  const listen = redaction.listener(next)
  for (const [text, dropped = 0] of pieces) listen(0, Buffer.from(text), dropped)
  redaction.end(next)
  return seen
}

describe('live output', () => {
  test('is passed on as it comes', () => {
    expect(liveOf(['one\n'], ['two\n'])).toEqual([
      ['one\n', 0],
      ['two\n', 0],
    ])
  })

  test('a token in one piece is hidden', () => {
    expect(liveOf([`proxy=${token}!\n`])).toEqual([[`proxy=${stars}!\n`, 0]])
  })

  test.each([1, 5, 15])('a token whose first %d bytes came before is hidden', (length) => {
    expect(liveOf([`a ${token.slice(0, length)}`], [`${token.slice(length)} b`])).toEqual([
      ['a ', 0],
      [`${stars} b`, 0],
    ])
  })

  test('byte for byte, too', () => {
    const pieces = [...`a${token}b`].map((text): [string] => [text])

    expect(
      liveOf(...pieces)
        .map(([text]) => text)
        .join(''),
    ).toBe(`a${stars}b`)
  })

  test('what only looked like a beginning comes with what follows, or at the end', () => {
    expect(liveOf(['x ab'], ['z'])).toEqual([
      ['x ', 0],
      ['abz', 0],
    ])
    expect(liveOf(['x ab'])).toEqual([
      ['x ', 0],
      ['ab', 0],
    ])
  })

  test('what a gap has left of a token is hidden on both sides', () => {
    expect(liveOf([`a ${token.slice(0, 9)}`], [`${token.slice(-9)} b`, 100])).toEqual([
      ['a ', 0],
      ['*'.repeat(9), 0],
      [`${'*'.repeat(9)} b`, 100],
    ])
  })

  test('streams are not mixed up', () => {
    const redaction = new Redaction([token])
    const seen: string[] = []
    const listen = redaction.listener((index, bytes) => seen.push(`${index}${bytes}`))
    listen(0, Buffer.from(token.slice(0, 8)), 0)
    listen(1, Buffer.from(token.slice(8)), 0)

    expect(seen).toEqual([`1${token.slice(8)}`])
  })
})

describe('live output that somebody watches', () => {
  const watched = () => {
    const redaction = new Redaction([token])
    let seen = ''
    const next = (_: number, bytes: Buffer) => {
      seen += bytes.toString()
    }
    const listen = redaction.listener(next, { isLive: true })
    return {
      print: (text: string, dropped = 0) => listen(0, Buffer.from(text), dropped),
      end: () => redaction.end(next),
      seen: () => seen,
    }
  }

  test('shows a few bytes after a moment, and what makes a token of them is hidden', async () => {
    const { print, seen, end } = watched()
    print('name a')
    expect(seen()).toBe('name ')
    await waitFor(() => seen() === 'name a', { what: 'the rest' })
    print('bcdef')
    await waitFor(() => seen() === 'name abcdef', { what: 'the rest' })
    print('gh12345678!')
    end()

    expect(seen()).toBe(`name abcdef${'*'.repeat(token.length - 6)}!`)
  })

  test('shows them once, when they were no beginning', async () => {
    const { print, seen, end } = watched()
    print('ab')
    await waitFor(() => seen() === 'ab', { what: 'them' })
    print('c\nabc')
    print('')
    end()

    expect(seen()).toBe('abc\nabc')
  })

  test('holds back eight bytes of one until the end', async () => {
    const { print, seen, end } = watched()
    print('abcd')
    print('efgh')
    print('')
    const since = performance.now()
    await waitFor(() => performance.now() - since > 1500, { what: 'more than the moment' })
    expect(seen()).toBe('')
    end()

    expect(seen()).toBe('abcdefgh')
  })

  test('shows what came behind a gap after a moment, unless it is a part of one', async () => {
    const plain = watched()
    plain.print('Ready', 100)
    const part = watched()
    part.print('efgh1234', 100)
    await waitFor(() => plain.seen() === 'Ready', { what: 'it' })

    expect(part.seen()).toBe('')
    part.print('5678')
    part.print(' and more than that')
    part.end()
    plain.end()
    expect(part.seen()).not.toContain('efgh12345678')
  })
})

describe('a completion', () => {
  const redact = (parts: Parameters<typeof completion>[0]) =>
    new Redaction([token]).completion(completion(parts))

  test('has no token in its output', () => {
    const [first, second] = redact({ streams: [`a ${token}`, stream(`b ${token}`)] }).streams

    expect(first).toBe(`a ${stars}`)
    expect(String((second as ReturnType<typeof stream>).head)).toBe(`b ${stars}`)
  })

  test('nor what the middle that was cut has left of one', () => {
    const head = Buffer.from(`a ${token.slice(0, 9)}`)
    const tail = Buffer.from(`${token.slice(-9)} b`)
    const { streams } = redact({ streams: [{ head, tail, total: 9999 }, ''] })

    expect(streams[0]).toEqual({
      head: Buffer.from(`a ${'*'.repeat(9)}`),
      tail: Buffer.from(`${'*'.repeat(9)} b`),
      total: 9999,
    })
  })

  test('nor in what it says of processes and refusals', () => {
    const survivor = { pid: 5, command: `curl -x ${token}`, daemon: false, holdsOutput: false }
    const report = {
      denials: [{ operation: 6, target: `unix:/ws/${token}` }],
      denialsDropped: 0,
      changed: [`/ws/.git/hooks/${token}`],
      changedDropped: 0,
      brokerEnded: false,
    }
    const redacted = redact({ survivors: [survivor], report })

    expect(JSON.stringify(redacted)).not.toContain(token)
    expect(redacted.survivors[0]?.pid).toBe(5)
  })
})

test('a saved file has none, also where it is longer than what is looked at at once', async () => {
  const path = join(tempDir(), 'output')
  const filler = 'x'.repeat(1024 * 1024 - 8)
  writeFileSync(path, `${filler}${token}${filler}${token}`)
  await new Redaction([token]).file(path)

  expect(readFileSync(path, 'latin1') === `${filler}${stars}${filler}${stars}`).toBe(true)
})
