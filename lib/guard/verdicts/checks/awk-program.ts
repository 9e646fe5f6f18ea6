// Whether a program of awk is known to only read. Strings, comments and regular expressions are taken out; what is left must
// hold nothing that runs a command, opens a file or reads one by a name that the program makes.
//
// Where a regular expression begins depends on what stands before the slash, and awks differ about brackets in one. What may
// be read in two ways is not known.

import { endsOfExpression, hidesCharacters } from './delimited.js'

const beforeExpression = /(?:^|[(,!~{};&|\n]|==|!=)$/
/** `length` without parentheses is a whole operand, and mawk lets a regular expression follow it. */
const wordBeforeExpression =
  /\b(?:print|printf|return|in|else|do|exit|next|nextfile|break|continue|case|default|delete|getline|length|function|func|if|while|for|switch|BEGIN|END|BEGINFILE|ENDFILE)$/
const operandBeforeSlash = /[\w)\]]$/
const dangerous =
  /\b(?:system|getline|close|fflush|ARGV|ARGC|ENVIRON\s*\[[^\]]*\]\s*=(?!=)|PROCINFO|FUNCTAB|SYMTAB|include|load|namespace)\b|@/

const exponent = /(?<![\w.])(?:\d+\.?\d*|\.\d+)[eE][-+]?\d+(?![\w.])/g
const nameBehindNumber = /(?<![A-Za-z_\d])[\d.]*\d[\d.]*[A-Za-z_]/

/** @returns null: it only reads; otherwise what does not, or is not known */
export function awkReads(program: string): string | null {
  if (hidesCharacters(program)) return 'a program of awk that some encodings read in another way'
  const rest = withoutTexts(program)
  if (rest === null) return 'a program of awk that cannot be read for certain'
  // For awk a number ends where a name begins: `1system("…")`.
  if (nameBehindNumber.test(rest.replace(exponent, '0')))
    return 'a number of awk with a name directly behind it'
  const [word] = dangerous.exec(rest) ?? []
  if (word !== undefined) return `\`${word.slice(0, 20)}\` of awk is not known to only read`
  if (rest.replaceAll('||', '').includes('|')) return 'a pipe of awk runs a command'
  return printsToFile(rest) ? 'awk may print to a file' : null
}

/** Null: it cannot be told where they end. */
function withoutTexts(program: string): string | null {
  let rest = ''
  for (let at = 0; at < program.length; at++) {
    const character = program.charAt(at)
    if (character === '"') {
      const end = endOfString(program, at)
      if (end === null) return null
      rest += '""'
      at = end
    } else if (character === '#') {
      const end = program.indexOf('\n', at)
      const comment = program.slice(at, end === -1 ? program.length : end)
      if (/[\\\r]$/.test(comment)) return null
      rest += '\n'
      at += comment.length
    } else if (character === '\\') {
      // A line that goes on. Anywhere else a backslash is an error for every awk.
      if (program.charAt(at + 1) !== '\n') return null
      rest += ' '
      at++
    } else if (character !== '/') {
      rest += character
    } else if (beforeExpression.test(endOf(rest))) {
      const ends = endsOfExpression(program, at + 1, '/')
      if (ends === null || ends.end !== ends.plainEnd) return null
      rest += '""'
      at = ends.end
    } else if (endsCondition(rest)) {
      // A statement may begin with a regular expression.
      return null
    } else if (operandBeforeSlash.test(endOf(rest)) && !wordBeforeExpression.test(endOf(rest))) {
      rest += character
    } else {
      return null
    }
  }
  return rest
}

/** Characters of a condition that are looked at: a longer one might be one. */
const maxCondition = 1000

/** Whether the text may end with the condition of `if` and the like. */
function endsCondition(rest: string): boolean {
  const text = rest.slice(-maxCondition).trimEnd()
  if (!text.endsWith(')')) return false
  let depth = 0
  for (let at = text.length - 1; at >= 0; at--) {
    if (text.charAt(at) === ')') depth++
    else if (text.charAt(at) === '(' && --depth === 0)
      return /\b(?:if|while|for|switch)\s*$/.test(text.slice(0, at))
  }
  return true
}

/** The last characters that are no blanks; a newline behind them counts. */
function endOf(rest: string): string {
  let at = rest.length
  while (at > 0 && /\s/.test(rest.charAt(at - 1))) at--
  return rest.slice(Math.max(0, at - 16), at) + (rest.slice(at).includes('\n') ? '\n' : '')
}

function endOfString(program: string, start: number): number | null {
  for (let at = start + 1; at < program.length; at++) {
    const character = program.charAt(at)
    if (character === '"') return at
    if (character === '\n') return null
    if (character === '\\') {
      at++
      if (program.charAt(at) === '\n') return null
    }
  }
  return null
}

/** Behind these a statement goes on in the next line. */
const continued = /(,|&&|\|\||[?:])\s*\n/g

/** `>` behind print and printf is a redirection, but within parentheses a comparison. */
function printsToFile(rest: string): boolean {
  for (const statement of rest.replace(continued, '$1 ').split(/[;{}\n]/)) {
    const [, printed] = /\bprintf?\b([\s\S]*)$/.exec(statement) ?? []
    if (printed === undefined) continue
    let depth = 0
    for (const character of printed) {
      if ('(['.includes(character)) depth++
      else if (')]'.includes(character)) depth--
      else if (character === '>' && depth <= 0) return true
    }
    if (depth !== 0) return true
  }
  return false
}
