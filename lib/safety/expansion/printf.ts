// What `printf` and `echo` print.

import { letterEscapes, quote } from '../../util/bash-quotes.js'
import { unknownText } from '../rule.js'

const simpleEscapes: Readonly<Record<string, string>> = { ...letterEscapes, '\\': '\\', '"': '"', "'": "'" }

/** Octal numbers, as they are written in formats, for `%b`, and for `echo -e`. */
const octal = { format: '[0-7]{1,3}', argument: '0?[0-7]{1,3}', echo: '0[0-7]{0,3}' } as const

type Place = keyof typeof octal

/** With backslash escapes replaced. */
function replaceEscapes(text: string, place: Place): string {
  if (!text.includes('\\')) return text
  const hexadecimal = 'x([\\da-fA-F]{1,2})|u([\\da-fA-F]{1,4})|U([\\da-fA-F]{1,8})'
  const sequence = new RegExp(`\\\\(?:${hexadecimal}|(${octal[place]})|(.))`, 'gs')
  return text.replace(sequence, (all, short, unicode, long, number, letter) => {
    const code = short ?? unicode ?? long
    if (code !== undefined) return fromCode(Number.parseInt(code, 16))
    if (number !== undefined) return fromCode(Number.parseInt(number, 8) & 0xff)
    const isQuote = letter === '"' || letter === "'"
    return isQuote && place !== 'format' ? all : (simpleEscapes[letter as string] ?? all)
  })
}

function fromCode(code: number): string {
  return code > 0x10ffff ? unknownText : String.fromCodePoint(code)
}

/** @param words the arguments of `echo` */
export function echo(words: readonly string[]): string {
  let index = 0
  let flags = ''
  for (; /^-[neE]+$/.test(words[index] ?? ''); index++) flags += words[index]
  const text = words.slice(index).join(' ')
  const escapes = flags.lastIndexOf('e') > flags.lastIndexOf('E')
  return (escapes ? replaceEscapes(text, 'echo') : text) + (flags.includes('n') ? '' : '\n')
}

const conversion = /%(?:%|[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d+)?)?(?:[hlLjzt]*)([a-zA-Z]|\([^)]*\)T))/g

/**
 * The format is used again as long as there are arguments.
 *
 * @param words the arguments of `printf`
 */
export function printf(words: readonly string[]): string {
  const [first, ...others] = words[0] === '--' ? words.slice(1) : words
  if (first === undefined || first === '-v') return ''
  const format = replaceEscapes(first, 'format')
  let text = ''
  let index = 0
  do {
    const begun = index
    text += format.replace(conversion, (_, letter?: string) =>
      letter === undefined ? '%' : convert(letter, others[index++] ?? ''),
    )
    if (index === begun) break
  } while (index < others.length)
  return text
}

function convert(letter: string, value: string): string {
  if (letter === 'b') return replaceEscapes(value, 'argument')
  if (letter === 'c') return value.slice(0, 1)
  // `%q` is read by a shell next, which takes the quotes off again.
  return letter === 's' || letter === 'd' || letter === 'i'
    ? value
    : letter === 'q'
      ? quote(value)
      : unknownText
}
