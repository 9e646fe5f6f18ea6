// Which withheld values can be looked for in output: those that stand there by no accident. `DB_PASSWORD=postgres` must not
// take every `postgres` out of what a command prints.

import { findSecretValueRule } from './secrets.js'

/** Bytes below which nothing is looked for. */
export const leastLength = 8

/** Whether a value that is found in output can only be that value. */
export function isDistinctive(value: string): boolean {
  if (isTooPlain(value)) return false
  if (findSecretValueRule(value) !== undefined) return true
  return !isPlainAddress(value) && !isPath(value) && !(value.length < 20 && isMadeOfWords(value))
}

/** The same of a line of a longer value. In one with many lines some are nothing but words, whatever their length. */
export function isDistinctiveLine(line: string): boolean {
  return !isTooPlain(line) && !isPlainAddress(line) && !isPath(line) && !isMadeOfWords(line)
}

/** Counts, dates, rulers. */
function isTooPlain(value: string): boolean {
  if (Buffer.byteLength(value) < leastLength || new Set(value).size < 4) return true
  return value.length < 16 && /^[\d\s.,:;/+*=_-]*$/.test(value)
}

/** A URL in which nobody is named, or by a short name. */
function isPlainAddress(value: string): boolean {
  const [, user = '', rest] = /^[a-z][a-z\d+.-]*:\/\/(?:([^\s/?#@]*)@)?([^\s]*)$/i.exec(value) ?? []
  if (rest === undefined || user.includes(':') || user.length >= 16) return false
  return !rest.split(/[/?&=#]/).some(isMixed)
}

/** Base64 can begin with a slash, too, but has not only names between its slashes. */
function isPath(value: string): boolean {
  return /^(?:~|\.{1,2})?\/[^\n]*$/.test(value) && !value.split('/').some(isMixed)
}

const isMixed = (text: string): boolean =>
  text.length >= 12 && /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text)

/** `changeme`, `my-app-production`, `us-east-1`, `admin1234`. */
function isMadeOfWords(value: string): boolean {
  if (value.replace(/\D/g, '').length > 4) return false
  const pieces = value.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? []
  const words = pieces.filter(({ length }) => length >= 4)
  return words.length > 0 && words.every((word) => isPronounceable(word.toLowerCase()))
}

/** Letters that follow a letter in words of English, of programs and of places. Of two random ones 43 % do. */
const followers: Readonly<Record<string, string>> = {
  a: 'bcdfgiklmnprstuvy',
  b: 'abeilorsu',
  c: 'acehiklorstuy',
  d: 'abdegilmoprsuy',
  e: 'abcdefghijlmnopqrstvwxy',
  f: 'aefilortuy',
  g: 'aeghilnorsu',
  h: 'aeiortu',
  i: 'abcdefglmnoprstvxz',
  j: 'aeosu',
  k: 'eis',
  l: 'adehilopstuvy',
  m: 'abeimopsuy',
  n: 'acdefgiklnopstuvy',
  o: 'abcdefgiklmnoprstuvw',
  p: 'aehilmoprstu',
  q: 'u',
  r: 'abcdefgiklmnorstuvy',
  s: 'acefhiklopqstuwy',
  t: 'aceghilmoprstuwy',
  u: 'abcdegilmnprst',
  v: 'aeio',
  w: 'aehinors',
  x: 'ceipt',
  y: 'eimnops',
  z: 'aei',
}

function isPronounceable(word: string): boolean {
  let odd = 0
  for (let i = 1; i < word.length; i++) {
    if (followers[word.charAt(i - 1)]?.includes(word.charAt(i)) !== true) odd++
  }
  return odd <= word.length / 6
}
