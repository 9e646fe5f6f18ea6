// What is left of a text without its secrets, in every form that programs give them.
import { finderOf, Redactor, type Tally } from '../../../../lib/processes/output/redact/redactor.js'

const secret = `aB3$x'9"Q/é+z\\k7`
const redactor = new Redactor([finderOf([['KEY', secret]])])
const mark = '[removed: KEY]'

const hex = Buffer.from(secret).toString('hex')

test.each([
  ['as it is', secret],
  ['in JSON', JSON.stringify(secret).slice(1, -1)],
  ['in JSON of ASCII', JSON.stringify(secret).slice(1, -1).replace('é', '\\u00e9')],
  ['in a URL', encodeURIComponent(secret)],
  ['in a form', encodeURIComponent(secret).replaceAll("'", '%27')],
  ['in single quotes', secret.replaceAll("'", "'\\''")],
  ['in double quotes', secret.replace(/[$"\\`]/g, '\\$&')],
  ['in hex', hex],
  ['in large hex', hex.toUpperCase()],
])('a secret %s is taken out', (_, form) => {
  expect(redactor.text(`a <${form}> b`)).toBe(`a <${mark}> b`)
})

const marked = `a/b&c<d>"e'f\\g?h`

test.each([
  ['in JSON of PHP', JSON.stringify(marked).slice(1, -1).replaceAll('/', '\\/')],
  ['in JSON for a page', `a/b\\u0026c\\u003cd\\u003e\\"e'f\\\\g?h`],
  ['in a URL with small digits', encodeURIComponent(marked).replace(/%../g, (hex) => hex.toLowerCase())],
  ['in HTML', `a/b&amp;c&lt;d&gt;"e'f\\g?h`],
  ['in an attribute of HTML', `a/b&amp;c&lt;d&gt;&quot;e'f\\g?h`],
  ['in HTML of Python', `a/b&amp;c&lt;d&gt;&quot;e&#x27;f\\g?h`],
  ['in HTML of Go', `a/b&amp;c&lt;d&gt;&#34;e&#39;f\\g?h`],
  ['as Python prints it', `a/b&c<d>"e\\'f\\\\g?h`],
])('a secret %s is taken out, too', (_, form) => {
  const own = new Redactor([finderOf([['KEY', marked]])])

  expect(own.text(`a <${form}> b`)).toBe(`a <${mark}> b`)
})

test.each([0, 1, 2, 3, 4])('so it is in base64 behind %d other bytes', (before) => {
  const text = Buffer.concat([Buffer.alloc(before, 'x'), Buffer.from(secret), Buffer.from('tail')])
  const shown = redactor.text(text.toString('base64'))

  expect(shown).toContain(mark)
  expect(Buffer.from(shown.replace(mark, ''), 'base64').length).toBeLessThanOrEqual(before + 8)
})

test('so it is in base64 for URLs', () => {
  const odd = 'a?>b?>c?>d?>e?>f'
  const own = new Redactor([finderOf([['ODD', odd]])])

  expect(own.text(Buffer.from(odd).toString('base64url'))).toContain('[removed: ODD]')
})

test.each([
  ['with colours in it', 'abcd\x1b[1;31mefgh\x1b[0m12345678'],
  ['with a carriage return in it', 'abcdefgh\r12345678'],
  ['with a link in it', 'abcd\x1b]8;;http://a/\x1b\\efgh12345678'],
  ['with a character set in it', 'abcdefgh\x1b(B12345678'],
  ['with colours of one character less in it', 'abcdefgh\u009b1;31m12345678'],
  ['with a bell in it', 'abcdefgh\x0712345678'],
  ['with letters printed over others', 'abcdxyz\b\b\befgh1é\b2345678'],
])('a secret %s is taken out', (_, text) => {
  const own = new Redactor([finderOf([['KEY', 'abcdefgh12345678']])])

  expect(own.text(`\x1b[32m${text}!\r\n`)).toBe(`\x1b[32m${mark}!\r\n`)
})

test('so is one in bold, as man pages have it', () => {
  const own = new Redactor([finderOf([['KEY', 'abcdefgh12345678']])])
  const bold = [...'abcdefgh12345678'].map((letter) => `${letter}\b${letter}`).join('')

  expect(own.text(`x ${bold} y`)).toBe(`x a\b${mark} y`)
})

test('a backspace takes nothing from the line before', () => {
  const own = new Redactor([finderOf([['KEY', 'abcdefgh\n12345678']])])

  expect(own.text('abcdefgh\n\b12345678')).toBe(mark)
  expect(own.text('\b\babcdefgh\n12345678')).toBe(`\b\b${mark}`)
})

test('so is one inside an escape sequence', () => {
  const own = new Redactor([finderOf([['KEY', 'abcdefgh12345678']])])

  expect(own.text('\x1b]0;abcdefgh12345678\x07')).toBe(`\x1b]0;${mark}\x07`)
})

test('lines of a value are compared without their carriage returns', () => {
  const own = new Redactor([finderOf([['PEM', 'first line\r\nsecond line\r\n']])])

  expect(own.text('first line\nsecond line\n')).toBe('[removed: PEM]')
})

test('it counts what it takes out, by name', () => {
  const tally: Tally = new Map()
  const two = new Redactor([
    finderOf([
      ['A', 'aaaabbbbcccc'],
      ['B', 'ddddeeeeffff'],
    ]),
  ])
  two.text('aaaabbbbcccc ddddeeeeffff aaaabbbbcccc', tally)

  expect(Object.fromEntries(tally)).toEqual({ A: 2, B: 1 })
})

test('stars take the place of what has no name', () => {
  const tally: Tally = new Map()

  expect(redactor.withStars(['0123456789']).text(`0123456789 ${secret}`, tally)).toBe(`********** ${mark}`)
  expect([...tally.keys()]).toEqual(['KEY'])
})

test('a text without secrets is the same text', () => {
  expect(redactor.text('aB3$x and é')).toBe('aB3$x and é')
})
