// What both readers say of arrays and their elements.

import type { Word, WordPart } from './script.js'

export type Subscript = (WordPart & { kind: 'elements' })['subscript']

/** The text between the brackets of `${NAME[…]}`; undefined when only running it tells which element is meant. */
export function readSubscript(text: string): Subscript | undefined {
  if (text === '@' || text === '*') return text
  return /^(?:0|-?[1-9]\d{0,8})$/.test(text) ? Number(text) : undefined
}

/** @returns null when one of them says where it goes, `[SUBSCRIPT]=…` */
export function withoutSubscripts(elements: Word[]): Word[] | null {
  const hasSubscript = elements.some(({ parts: [first] }) => {
    return first?.kind === 'literal' && !first.quoted && first.text.startsWith('[')
  })
  return hasSubscript ? null : elements
}

/** `${NAME[@]+"${NAME[@]}"}` is what older versions of bash need for an array that may be empty. */
export function sameElements(name: string, { parts }: Word): (WordPart & { kind: 'elements' }) | undefined {
  const [part] = parts
  return parts.length === 1 && part?.kind === 'elements' && part.name === name ? part : undefined
}
