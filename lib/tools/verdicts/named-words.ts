// Which words the text of a command has.

export type IsNamed = (...names: readonly string[]) => boolean

/** Whether a text has one of the names as a word, which may be quoted, or go on behind the end of a line. */
export function wordsOf(text: string): IsNamed {
  const plain = text.replace(/\\\n|['"\\]/g, '')
  const isInWord = (character = ' ') => /\w/.test(character)
  return (...names) =>
    names.some((name) => {
      for (let at = plain.indexOf(name); at !== -1; at = plain.indexOf(name, at + 1)) {
        if (!isInWord(plain[at - 1]) && !isInWord(plain[at + name.length])) return true
      }
      return false
    })
}
