// The forms in which a text turns up in output: as it is, or as a program has escaped or encoded it.

/** Below it a form would be found by accident. */
export const leastBytes = 8
/** A longer form is looked for in parts: what may be the beginning of one waits for what follows. */
const mostBytes = 16 * 1024

/** A text to be looked for, and the name that stands for it; without one, stars do. */
export interface Needle {
  bytes: Buffer
  name: string
}

/** Carriage returns are left out, as they are of the output when the two are compared. */
export function needlesOf(name: string, given: string): Needle[] {
  const plain = Buffer.from(given)
  // Without lone surrogates
  const value = plain.toString()
  const forms = [
    value,
    ...(isWrittenAsItIs.test(value) ? [] : writtenForms.map((form) => form(value))),
    plain.toString('hex'),
    plain.toString('hex').toUpperCase(),
    ...base64Forms(plain),
  ]
  const texts = new Set(forms.map((form) => form.replaceAll('\r', '')))
  return [...texts].flatMap((text) => partsOf(Buffer.from(text))).map((bytes) => ({ bytes, name }))
}

const lowerCased = (form: (value: string) => string) => (value: string) =>
  form(value).replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase())

/** Most tokens are: no form changes a sign of these. */
const isWrittenAsItIs = /^[\w-]+$/

function partsOf(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; at += mostBytes) {
    const part = bytes.subarray(at, at + mostBytes)
    if (part.length >= leastBytes) parts.push(part)
  }
  return parts
}

const jsonText = (value: string): string => JSON.stringify(value).slice(1, -1)

const asciiJson = (value: string): string => jsonText(value).replace(/[^\x00-\x7f]/g, unicodeEscape)

const unicodeEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

const encodeUri = (value: string): string => encodeURIComponent(value)

/** As programs do that encode more than they have to. */
const formEncoded = (value: string): string =>
  encodeUri(value)
    .replaceAll('%20', '+')
    .replace(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

const singleQuoted = (value: string): string => value.replaceAll("'", "'\\''")

/** As `declare -p` and `export -p` print it. */
const doubleQuoted = (value: string): string => value.replace(/[$"\\`]/g, '\\$&')

/** As `printf %q` does. */
const backslashed = (value: string): string => value.replace(/[^\w@%+=:,./\n-]/g, '\\$&')

/** As PHP encodes. */
const slashedJson = (value: string): string => jsonText(value).replaceAll('/', '\\/')

/** As Go and others do, so that it can stand in a page. */
const pageJson = (value: string): string => jsonText(value).replace(/[<>&]/g, unicodeEscape)

const htmlText = (value: string): string =>
  value.replace(/[&<>]/g, (sign) => htmlNames[sign as keyof typeof htmlNames])

const htmlNames = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

const htmlAttribute = (value: string): string => htmlText(value).replaceAll('"', '&quot;')

/** As Python and Node.js do. */
const wholeHtml = (value: string): string => htmlAttribute(value).replaceAll("'", '&#x27;')

/** As Go and others do. */
const numberedHtml = (value: string): string =>
  htmlText(value).replaceAll('"', '&#34;').replaceAll("'", '&#39;')

/** As Python and Node.js print a string, between quotes that are not in it. */
const printed = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')

/** One that has both kinds of quotes. */
const printedQuoted = (value: string): string => printed(value).replaceAll("'", "\\'")

const writtenForms: readonly ((value: string) => string)[] = [
  ...[jsonText, asciiJson, slashedJson, pageJson, printed, printedQuoted],
  ...[encodeUri, lowerCased(encodeUri), formEncoded, lowerCased(formEncoded)],
  ...[htmlText, htmlAttribute, wholeHtml, numberedHtml],
  ...[singleQuoted, doubleQuoted, backslashed],
]

/**
 * The characters that the bytes alone decide, wherever they stand in what is encoded: at each of the three places that a
 * byte can have in a group.
 */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const isOpen = (before + bytes.length) % 3 !== 0
    const own = text.slice(before === 0 ? 0 : before + 1, isOpen ? -1 : undefined)
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')]
  })
}
