// Collects the parts of a word. Neighbouring literals that are quoted alike become one, so that equal words have equal parts.

import type { Word, WordPart } from './script.js'

export class WordBuilder {
  readonly parts: WordPart[] = []

  literal(text: string, quoted: boolean): void {
    const last = this.parts.at(-1)
    if (last?.kind === 'literal' && last.quoted === quoted) {
      last.text += text
    } else if (text !== '' || quoted) {
      // Quotes around nothing count: `""` is a word, and `""~` is not the home directory.
      this.parts.push({ kind: 'literal', quoted, text })
    }
  }

  add(part: WordPart): void {
    if (part.kind === 'literal') this.literal(part.text, part.quoted)
    else this.parts.push(part)
  }

  word(start: number, end: number): Word {
    return { start, end, parts: this.parts }
  }
}
