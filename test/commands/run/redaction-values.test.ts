// What a command prints, without the values that it was not given: however it comes, and however it is cut.

import { Redaction } from '../../../lib/commands/run/redaction.js'
import { type Completion, Outcome } from '../../../lib/processes/engine/completion.js'
import { redactorFor } from '../../../lib/processes/environment/redactor.js'
import { completion } from './completions.js'

const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
const mark = '[removed: GITHUB_TOKEN]'
const withheld = [['GITHUB_TOKEN', secret]] as const

const newRedaction = (tokens = false) => new Redaction([], redactorFor({ withheld, tokens }))

/** Numbers that are the same in each run. */
const numbers = (seed: number) => (below: number) => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return Math.floor((seed / 2 ** 32) * below)
}

const cutAt = (text: Buffer, random: (below: number) => number): Buffer[] => {
  const cuts = Array.from({ length: random(6) }, () => random(text.length + 1)).sort((a, b) => a - b)
  return [0, ...cuts].map((cut, index) => text.subarray(cut, cuts[index]))
}

const listen = (pieces: readonly Buffer[], droppedBefore = -1): string => {
  const redaction = newRedaction()
  let shown = ''
  const next = (_: number, bytes: Buffer) => {
    shown += bytes.toString('latin1')
  }
  const listener = redaction.listener(next)
  for (const [index, piece] of pieces.entries()) {
    listener(0, Buffer.from(piece), index === droppedBefore ? 1000 : 0)
  }
  redaction.end(next)
  return shown
}

const forms = [
  secret,
  JSON.stringify({ token: secret }),
  Buffer.from(`x-access-token:${secret}`).toString('base64'),
  Buffer.from(secret).toString('hex'),
  secret.replace(/(.{9})/g, '$1\x1b[31m'),
  secret.replace(/(.{13})/g, '$1\r'),
]

test('of 1000 random splits none lets a form of a secret through, and all give the same', () => {
  const random = numbers(1)
  for (let round = 0; round < 1000; round++) {
    const text = Buffer.from(`a ${forms[round % forms.length]} ghp_01 b`)
    const whole = listen([text])

    expect(whole).toContain(mark)
    expect(whole.endsWith(' ghp_01 b')).toBe(true)
    expect(listen(cutAt(text, random))).toBe(whole)
  }
})

test('no piece of four bytes is left at either side of a gap', () => {
  const random = numbers(2)
  for (let round = 0; round < 1000; round++) {
    const [from, to] = [random(secret.length), random(secret.length)].sort((a, b) => a - b) as [
      number,
      number,
    ]
    const before = cutAt(Buffer.from(`a ${secret.slice(0, from)}`), random)
    const behind = cutAt(Buffer.from(`${secret.slice(to)} b`), random)
    const shown = listen([...before, ...behind], before.length)
    const pieces = [secret.slice(0, Math.max(from, 4)), secret.slice(Math.min(to, secret.length - 4))]

    expect(pieces.filter((piece) => shown.includes(piece))).toEqual([])
  }
})

test('colours without end inside what may be one do not make it wait for ever', () => {
  const colours = '\x1b[31m'.repeat(2000)
  const shown = listen([
    Buffer.from(`a ${secret.slice(0, 20)}${colours}`),
    Buffer.from(`${secret.slice(20)} b`),
  ])

  expect(shown).not.toContain(secret.slice(0, 20))
  expect(shown).not.toContain(secret.slice(20))
})

type Stream = Exclude<Completion['streams'][0], string>

const shownLive = (text: string, end: Completion): string => {
  const redaction = newRedaction()
  let shown = ''
  const next = (_: number, bytes: Buffer) => {
    shown += bytes.toString('latin1')
  }
  redaction.listener(next)(0, Buffer.from(text), 0)
  redaction.end(next, { completion: end })
  return shown
}

describe('a completion', () => {
  const redact = (parts: Parameters<typeof completion>[0]) => {
    const redaction = newRedaction()
    return { ...redaction.completion(completion(parts)), counts: redaction.counts }
  }

  test('has a mark in place of each, and counts them', () => {
    const survivor = { pid: 5, command: `curl -H ${secret}`, daemon: false, holdsOutput: false }
    const { streams, survivors, counts } = redact({ streams: [`a ${secret}\n`, ''], survivors: [survivor] })

    expect(String((streams[0] as { head: Buffer }).head)).toBe(`a ${mark}\n`)
    expect(survivors[0]?.command).toBe(`curl -H ${mark}`)
    expect(counts).toEqual({ GITHUB_TOKEN: 2 })
  })

  test('has no piece at the end of a command line that was cut', () => {
    const beginning = `curl ${'-v '.repeat(58)}-H `
    const command = `${beginning}${secret}`.slice(0, 199)
    const { survivors } = redact({
      survivors: [{ pid: 5, command, daemon: false, holdsOutput: false }],
    })

    expect(command).toContain(secret.slice(0, 15))
    expect(survivors[0]?.command).toBe(`${beginning}${mark}`)
  })

  test('keeps the number of bytes that were printed', () => {
    const text = `a ${secret}\n`
    const { streams } = redact({ streams: [text, ''] })

    expect(streams[0]).toMatchObject({ total: `a ${mark}\n`.length, printed: text.length })
  })

  test('has none where head and tail meet', () => {
    const [head, tail] = [Buffer.from(`a ${secret.slice(0, 20)}`), Buffer.from(`${secret.slice(20)} b`)]
    const { streams } = redact({ streams: [{ head, tail, total: head.length + tail.length }, ''] })

    expect(JSON.stringify(streams[0])).toBe(
      JSON.stringify({
        head: Buffer.from(`a ${mark} b`),
        tail: Buffer.alloc(0),
        total: `a ${mark} b`.length,
        printed: head.length + tail.length,
      }),
    )
  })

  test.each<[string, Partial<Completion>]>([
    ['timed out', { outcome: Outcome.timedOut }],
    ['was cancelled', { outcome: Outcome.cancelled }],
    ['left something behind that goes on as a job', { adopted: true }],
    ['goes on as a job', { isJob: true }],
  ])('has no piece of one at its end where the command %s', (_, cause) => {
    const beginning = `a ${secret.slice(0, 20)}`
    const tail = { head: Buffer.from('a'), tail: Buffer.from(`b ${secret.slice(0, 20)}`), total: 5000 }

    expect(String((redact({ ...cause, streams: [beginning, ''] }).streams[0] as Stream).head)).toBe(
      `a ${mark}`,
    )
    expect(String((redact({ ...cause, streams: ['', tail] }).streams[1] as Stream).tail)).toBe(`b ${mark}`)
    expect(shownLive(beginning, completion(cause))).toBe(`a ${mark}`)
  })

  test('keeps what only begins as one where all of it is there', () => {
    const beginning = `a ${secret.slice(0, 20)}`

    expect(redact({ streams: [beginning, ''] }).streams[0]).toBe(beginning)
    expect(shownLive(beginning, completion())).toBe(beginning)
  })

  test('has nothing to count when there was none', () => {
    expect(redact({ streams: ['nothing', ''] }).counts).toBeUndefined()
  })
})

test('tokens are known by their shape when that is asked for, also in pieces', () => {
  const other = `xoxb-${'1234567890-'.repeat(3)}abc`
  const seen: string[] = []
  const redaction = newRedaction(true)
  const next = (_: number, bytes: Buffer) => seen.push(String(bytes))
  const listener = redaction.listener(next)
  for (const piece of [`slack ${other.slice(0, 12)}`, `${other.slice(12)}. jwt`]) {
    listener(0, Buffer.from(piece), 0)
  }
  redaction.end(next)

  expect(seen.join('')).toBe('slack [removed: chat-token]. jwt')
})

test('so is a private key, to its end', () => {
  const { streams } = newRedaction(true).completion(
    completion({ streams: ['a\n-----BEGIN PRIVATE KEY-----\nMIIE\nabc\n-----END PRIVATE KEY-----\nb', ''] }),
  )

  expect(String((streams[0] as { head: Buffer }).head)).toBe('a\n[removed: private-key]\nb')
})

test.each([100, 1000, 5000])('long tokens and keys do not come through in pieces of %d bytes', (size) => {
  const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n'
  const key = `-----BEGIN PRIVATE KEY-----\n${line.repeat(120)}-----END PRIVATE KEY-----`
  const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIi${'Zm9vYmFy'.repeat(1000)}.c2lnbmF0dXJl`
  const text = Buffer.from(`a ${jwt} b\n${key}\nc ${'word '.repeat(1000)}`)
  const redaction = newRedaction(true)
  let shown = ''
  const next = (_: number, bytes: Buffer) => {
    shown += bytes.toString()
  }
  const listener = redaction.listener(next)
  for (let at = 0; at < text.length; at += size) listener(0, Buffer.from(text.subarray(at, at + size)), 0)
  redaction.end(next)

  expect(shown).toBe(`a [removed: jwt] b\n[removed: private-key]\nc ${'word '.repeat(1000)}`)
})

test('what a cut has left of a token or a key is taken out', () => {
  const key = (text: string) => `x\n-----BEGIN RSA PRIVATE KEY-----\n${text}`
  const before = redactorFor({ withheld: [], tokens: true })
  const cut = (text: string) =>
    before?.findBeforeGap(Buffer.from(text)).map(({ start, name }) => [start, name])
  const end = Buffer.from('9w0BAQEF\nMIIEvQIB\n-----END RSA PRIVATE KEY-----\nand more')

  expect(cut(key('MIIEvQIB\nMIIE'))).toEqual([[2, 'private-key']])
  expect(cut('token ghp_0123456789')).toEqual([[6, 'token']])
  expect(cut('all is well')).toEqual([])
  expect(before?.findBehindGap(end)).toEqual([{ start: 0, end: 47, name: 'private-key' }])
  expect(before?.findBehindGap(Buffer.from('some words\n-----END RSA PRIVATE KEY-----'))).toEqual([])
})
