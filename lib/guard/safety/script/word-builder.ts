// What the readers share: building words, and which of them are reserved, or declare, index or fill variables.

import type { Span, Word, WordPart } from './script.js'

/** Neighbouring literals that are quoted alike become one, so that equal words have equal parts. */
export class WordBuilder {
  parts: WordPart[] = []

  literal(text: string, quoted: boolean): void {
    const last = this.parts.at(-1)
    if (last?.kind === 'literal' && last.quoted === quoted) {
      last.text += text
    } else if (text !== '' || quoted) {
      // Quotes around nothing count: `""` is a word, and `""~` is not the home directory.
      this.#push({ kind: 'literal', quoted, text })
    }
  }

  add(part: WordPart): void {
    if (part.kind === 'literal') this.literal(part.text, part.quoted)
    else this.#push(part)
  }

  /** An array that grows has room for 17; most words have one part, and long scripts many words. */
  #push(part: WordPart): void {
    if (this.parts.length === 0) this.parts = [part]
    else this.parts.push(part)
  }

  word({ start, end }: Span): Word {
    return { start, end, parts: this.parts }
  }
}

/** Words that are no commands where a command can begin. */
export const reserved: ReadonlySet<string> = new Set(
  '! [[ { } case coproc do done elif else esac fi for function if select then time until while'.split(' '),
)

const declaring = new Set(['declare', 'export', 'local', 'readonly', 'typeset'])

/** Whether it names a builtin whose arguments `NAME=…` are assignments. */
export function declares({ parts }: Word): boolean {
  const [name] = parts
  // Quoted, bash would split the values as it does those of any argument; nobody writes that.
  return parts.length === 1 && name?.kind === 'literal' && declaring.has(name.text)
}

type Elements = WordPart & { kind: 'elements' }

/** The text between the brackets of `${NAME[…]}`; undefined when only running it tells which element is meant. */
export function readSubscript(text: string): Elements['subscript'] | undefined {
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
export function sameElements(name: string, { parts }: Word): Elements | undefined {
  const [part] = parts
  return parts.length === 1 && part?.kind === 'elements' && part.name === name ? part : undefined
}
