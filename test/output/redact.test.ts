// Secrets in text and bytes: stars take their place.
import {
  redactBytes,
  redactEnd,
  redactStart,
  redactText,
  redactTokens,
  unfinishedLength,
} from '../../lib/output/redact.js'

const secrets = ['abcdefgh12345678', 'Zm9vYmFyYmF6cXV4']
const stars = '*'.repeat(16)

const inPlace = (redact: (bytes: Buffer, secrets: readonly string[]) => void, text: string): string => {
  const bytes = Buffer.from(text)
  redact(bytes, secrets)
  return bytes.toString()
}

test('every secret in a text is hidden, wherever it stands', () => {
  expect(redactText('abcdefgh12345678 x Zm9vYmFyYmF6cXV4abcdefgh12345678', secrets)).toBe(
    `${stars} x ${stars}${stars}`,
  )
})

test('so it is in bytes, which stay as many', () => {
  expect(inPlace(redactBytes, 'ü abcdefgh12345678\n')).toBe(`ü ${stars}\n`)
})

test('what is left of one before a gap is hidden', () => {
  expect(inPlace(redactEnd, 'token=abcdefgh123')).toBe('token=***********')
})

test('what is left of one behind a gap is hidden', () => {
  expect(inPlace(redactStart, 'h12345678@host')).toBe('*********@host')
})

test('a few characters at a gap are no secret', () => {
  expect(inPlace(redactEnd, 'alphabet abc')).toBe('alphabet abc')
  expect(inPlace(redactStart, '678 lines')).toBe('678 lines')
})

test.each([
  ['', 0],
  ['nothing', 0],
  ['an a', 1],
  ['abcdefgh1234567', 15],
  ['abcdefgh12345678', 0],
  ['Zm9v', 4],
])('of %j the last %d bytes may go on as a secret', (text, length) => {
  expect(unfinishedLength(Buffer.from(text), secrets)).toBe(length)
})

test('tokens of the proxy are known by their form', () => {
  const token = '0123456789abcdef'.repeat(3)
  const encoded = Buffer.from(`bashward:${token}`).toString('base64')

  expect(redactTokens(`http://bashward:${token}@127.0.0.1:1 Basic ${encoded}`)).toBe(
    `http://bashward:${'*'.repeat(48)}@127.0.0.1:1 Basic ${encoded.slice(0, 12)}${'*'.repeat(64)}`,
  )
})

test('other numbers are none', () => {
  const text = `sha384 ${'ab'.repeat(48)} bashward:1.2.3`

  expect(redactTokens(text)).toBe(text)
})
