// Reads the `cd DIRECTORY &&` or `cd DIRECTORY;` that a command begins with. Up to there bash's grammar needs no parser:
// nothing before can have opened a quote, a here-document or a compound command.

export interface LeadingCd {
  /** The directory as bash would hand it to `cd`. */
  directory: string
  /** Where the commands after it begin. */
  restStart: number
}

/** The value of a variable; undefined: not known. */
export type Lookup = (name: 'HOME' | 'PWD') => string | undefined

/** Characters of the word that are read at most: Linux takes no path above 4096 bytes. */
const maxWordLength = 8192

/** @returns undefined also for a `cd` with redirections, with `-P`, or to a directory that only bash can tell */
export function readLeadingCd(text: string, lookup: Lookup): LeadingCd | undefined {
  const name = skipLines(text, 0)
  if (!text.startsWith('cd', name) || !isBlank(text.charCodeAt(name + 2))) return undefined
  const word = readDirectory(text, name + 2, lookup)
  if (word === undefined) return undefined
  const separatorEnd = endOfSeparator(text, skipBlanks(text, word.end))
  if (separatorEnd === undefined) return undefined
  const restStart = skipLines(text, separatorEnd)
  return beginsCommand(text, restStart) ? { directory: word.value, restStart } : undefined
}

/** The operand behind `-L` and `--`, which change nothing. `-P` does: $PWD is another one where there are links. */
function readDirectory(text: string, start: number, lookup: Lookup): WordValue | undefined {
  let word = readWord(text, skipBlanks(text, start), lookup)
  while (word !== undefined && /^-L+$/.test(word.value)) word = readNextWord(text, word.end, lookup)
  if (word?.value === '--') word = readNextWord(text, word.end, lookup)
  else if (word?.value.startsWith('-')) return undefined
  return word
}

/** Two words have something between them. */
function readNextWord(text: string, end: number, lookup: Lookup): WordValue | undefined {
  const start = skipBlanks(text, end)
  return start === end ? undefined : readWord(text, start, lookup)
}

function endOfSeparator(text: string, start: number): number | undefined {
  if (text.startsWith('&&', start)) return start + 2
  // `;;` and `;&` belong to a case.
  if (text[start] === ';' && text[start + 1] !== ';' && text[start + 1] !== '&') return start + 1
  return undefined
}

/** Whether there is more than comments, and nothing that bash would not take here. */
function beginsCommand(text: string, start: number): boolean {
  let index = start
  while (text[index] === '#') {
    const lineEnd = text.indexOf('\n', index)
    if (lineEnd < 0) return false
    index = skipLines(text, lineEnd)
  }
  return index < text.length && !';&|)'.includes(text.charAt(index))
}

const tab = 0x09
const lineFeed = 0x0a
const space = 0x20
const backslash = 0x5c

function isBlank(code: number): boolean {
  return code === space || code === tab
}

/** Skips blanks and escaped line breaks. */
function skipBlanks(text: string, start: number): number {
  let index = start
  for (;;) {
    const code = text.charCodeAt(index)
    if (isBlank(code)) index += 1
    else if (code === backslash && text.charCodeAt(index + 1) === lineFeed) index += 2
    else return index
  }
}

/** Skips line breaks too. */
function skipLines(text: string, start: number): number {
  let index = skipBlanks(text, start)
  while (text.charCodeAt(index) === lineFeed) index = skipBlanks(text, index + 1)
  return index
}

interface WordValue {
  value: string
  end: number
}

/** @returns undefined for none, or one that holds what only bash can expand */
function readWord(text: string, start: number, lookup: Lookup): WordValue | undefined {
  let value = ''
  let index = start
  while (index < text.length && !' \t\n;&|()<>'.includes(text.charAt(index))) {
    const part = readPart(text, index, index === start, lookup)
    if (part === undefined || part.end - start > maxWordLength) return undefined
    value += part.value
    index = part.end
  }
  return index === start ? undefined : { value, end: index }
}

function readPart(text: string, index: number, isFirst: boolean, lookup: Lookup): WordValue | undefined {
  const character = text.charAt(index)
  switch (character) {
    case "'":
      return readSingleQuoted(text, index)
    case '"':
      return readDoubleQuoted(text, index, lookup)
    case '\\':
      return readEscaped(text, index)
    case '$': {
      const variable = readVariable(text, index, lookup)
      return variable !== undefined && isOneWord(variable.value) ? variable : undefined
    }
    case '~':
      return isFirst ? readTilde(text, index, lookup) : undefined
    case '#':
      return isFirst ? undefined : { value: character, end: index + 1 }
    case '`':
    case '*':
    case '?':
    case '[':
    case '{':
      return undefined
    default:
      return { value: character, end: index + 1 }
  }
}

function readSingleQuoted(text: string, start: number): WordValue | undefined {
  const end = text.indexOf("'", start + 1)
  return end < 0 ? undefined : { value: text.slice(start + 1, end), end: end + 1 }
}

function readDoubleQuoted(text: string, start: number, lookup: Lookup): WordValue | undefined {
  let value = ''
  let index = start + 1
  while (text[index] !== '"') {
    if (index >= text.length || index - start > maxWordLength) return undefined
    const part = readDoubleQuotedPart(text, index, lookup)
    if (part === undefined) return undefined
    value += part.value
    index = part.end
  }
  return { value, end: index + 1 }
}

function readDoubleQuotedPart(text: string, index: number, lookup: Lookup): WordValue | undefined {
  const character = text.charAt(index)
  switch (character) {
    case '`':
      return undefined
    case '$':
      return readVariable(text, index, lookup)
    case '\\':
      return '$`"\\\n'.includes(text.charAt(index + 1))
        ? readEscaped(text, index)
        : { value: character, end: index + 1 }
    default:
      return { value: character, end: index + 1 }
  }
}

function readEscaped(text: string, index: number): WordValue | undefined {
  const next = text[index + 1]
  return next === undefined ? undefined : { value: next === '\n' ? '' : next, end: index + 2 }
}

function readTilde(text: string, index: number, lookup: Lookup): WordValue | undefined {
  const home = '/ \t\n;&|'.includes(text.charAt(index + 1)) ? lookup('HOME') : undefined
  return home === undefined ? undefined : { value: home, end: index + 1 }
}

// An escaped line break may go on with the name.
const variablePattern = /\$(?:(HOME|PWD)(?![A-Za-z0-9_]|\\\n)|\{(HOME|PWD)\})/y

function readVariable(text: string, index: number, lookup: Lookup): WordValue | undefined {
  variablePattern.lastIndex = index
  const match = variablePattern.exec(text)
  if (match === null) return undefined
  const value = lookup((match[1] ?? match[2]) as 'HOME' | 'PWD')
  return value === undefined ? undefined : { value, end: variablePattern.lastIndex }
}

/** Whether bash would neither split the value of an unquoted variable nor take it for a pattern. */
function isOneWord(value: string): boolean {
  return !/[\s*?[\\]/.test(value)
}
