// A command as it is shown: REQ-BASH-011 (docs/requirements.md).

import { posix } from 'node:path'
import { homeDirectory, resolveDirectory } from '../../base/util/directories.js'
import { invalidInput } from '../../base/util/invalid-input.js'

/**
 * Leaves out the `cd DIRECTORY &&` or `cd DIRECTORY;` at the beginning of a command that runs in that directory anyway:
 * `cd /app && make || exit` is shown as `make || exit`. `-L` and `--` count as nothing. Everything else is shown as it is, and what is shown is always
 * the end of the command, character by character.
 *
 * Directories are compared by their names: quotes, `.`, `..`, `~`, `$HOME` and `$PWD` count as what they stand for,
 * symbolic links do not. Nothing is read from the disk.
 *
 * @param workingDir where the command runs; a relative path is taken from the process's own directory
 * @param home the HOME of the command. Default: the home directory of this process's user
 * @throws {BashError} ERR_INVALID_INPUT; ERR_WORKING_DIR when a relative path has nothing to be relative to
 */
export function simplifyCommand(command: string, workingDir: string, home?: string): string {
  if (typeof command !== 'string') throw invalidInput('command', 'must be a string', command)
  const directory = resolveDirectory('workingDir', workingDir)
  // Most commands begin with something else.
  if (!/^[ \t\n\\]*cd[ \t]/.test(command)) return command
  const cd = readLeadingCd(
    command,
    (name) => (name === 'PWD' ? directory : (home ?? homeDirectory())) || undefined,
  )
  if (cd === undefined || !namesDirectory(cd.directory, directory)) return command
  return command.slice(cd.restStart)
}

/** A dash is the directory before this one; an empty word is a mistake. */
function namesDirectory(word: string, directory: string): boolean {
  return word !== '' && word !== '-' && posix.resolve(directory, word) === directory
}

interface LeadingCd {
  /** The directory as bash would hand it to `cd`. */
  directory: string
  /** Where the commands after it begin. */
  restStart: number
}

/** The value of a variable; undefined: not known. */
type Lookup = (name: 'HOME' | 'PWD') => string | undefined

/** Characters of the word that are read at most: Linux takes no path above 4096 bytes. */
const maxWordLength = 8192

/**
 * Reads the `cd` that a command begins with. Up to its separator bash's grammar needs no parser: nothing before can have
 * opened a quote, a here-document or a compound command.
 *
 * @returns undefined also for a `cd` with redirections, with `-P`, or to a directory that only bash can tell
 */
function readLeadingCd(text: string, lookup: Lookup): LeadingCd | undefined {
  const name = skipLines(text, 0)
  if (!text.startsWith('cd', name) || !isBlank(text.charAt(name + 2))) return undefined
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

function isBlank(character: string): boolean {
  return character === ' ' || character === '\t'
}

/** Skips blanks and escaped line breaks. */
function skipBlanks(text: string, start: number): number {
  let index = start
  for (;;) {
    if (isBlank(text.charAt(index))) index += 1
    else if (text.startsWith('\\\n', index)) index += 2
    else return index
  }
}

/** Skips line breaks too. */
function skipLines(text: string, start: number): number {
  let index = skipBlanks(text, start)
  while (text.charAt(index) === '\n') index = skipBlanks(text, index + 1)
  return index
}

interface WordValue {
  value: string
  end: number
}

/** @returns undefined for none, or one that holds what only bash can expand */
function readWord(text: string, start: number, lookup: Lookup): WordValue | undefined {
  let value = ''
  let quote = ''
  for (let end = start; end - start <= maxWordLength; ) {
    const character = text.charAt(end)
    if (quote === '' && (character === '' || ' \t\n;&|()<>'.includes(character))) {
      return end === start ? undefined : { value, end }
    }
    const opens = quote === '' && (character === "'" || character === '"')
    if (opens || character === quote) {
      quote = opens ? character : ''
      end += 1
      continue
    }
    const part = readPart(text, end, quote, end === start, lookup)
    if (part === undefined) return undefined
    value += part.value
    end = part.end
  }
  return undefined
}

/** @param quote that is open: `'`, `"`, or empty */
function readPart(
  text: string,
  index: number,
  quote: string,
  isFirst: boolean,
  lookup: Lookup,
): WordValue | undefined {
  const character = text.charAt(index)
  const literal = character === '' ? undefined : { value: character, end: index + 1 }
  if (quote === "'") return literal
  if (character === '\\') return readEscaped(text, index, quote)
  if (character === '$') return readVariable(text, index, quote, lookup)
  if (character === '`') return undefined
  if (quote === '"') return literal
  if (character === '~') return isFirst ? readTilde(text, index, lookup) : undefined
  return '*?[{'.includes(character) || (isFirst && character === '#') ? undefined : literal
}

function readEscaped(text: string, index: number, quote: string): WordValue | undefined {
  const next = text.charAt(index + 1)
  if (next === '') return undefined
  if (quote === '"' && !'$`"\\\n'.includes(next)) return { value: '\\', end: index + 1 }
  return { value: next === '\n' ? '' : next, end: index + 2 }
}

function readTilde(text: string, index: number, lookup: Lookup): WordValue | undefined {
  const home = '/ \t\n;&|'.includes(text.charAt(index + 1)) ? lookup('HOME') : undefined
  return home === undefined ? undefined : { value: home, end: index + 1 }
}

// An escaped line break may go on with the name.
const variablePattern = /\$(?:(HOME|PWD)(?![A-Za-z0-9_]|\\\n)|\{(HOME|PWD)\})/y

function readVariable(text: string, index: number, quote: string, lookup: Lookup): WordValue | undefined {
  variablePattern.lastIndex = index
  const match = variablePattern.exec(text)
  if (match === null) return undefined
  const value = lookup((match[1] ?? match[2]) as 'HOME' | 'PWD')
  // Unquoted, bash splits it, and takes it for a pattern.
  if (value === undefined || (quote === '' && /[\s*?[\\]/.test(value))) return undefined
  return { value, end: variablePattern.lastIndex }
}

/**
 * In one line, without anything that moves a terminal's cursor or turns the direction of writing: a command, and what a
 * process calls itself, may hold any character.
 */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()
}
