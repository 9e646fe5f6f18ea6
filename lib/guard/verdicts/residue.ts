// What the flattened script does not show: arithmetic, conditional expressions and the operators of `${…}`. All of them may
// evaluate text as commands, since bash evaluates the subscripts in the value of a variable: with x='a[$(cmd)]' even
// `[[ $x -eq 1 ]]` runs cmd. So these are looked for in the text, and only a few forms are known.

import type { Script, Span, Word } from '../safety/script/script.js'
import { isHarmlessVariable } from './variables.js'

/** What a reader has read more of than text: without words that are plain, and with the lines that bash joins. */
export const residueOf = (text: string, script: Script): string =>
  withoutLiterals(text, script).replaceAll('\\\n', '')

/**
 * Why the text may evaluate more than its commands; null: it does not.
 *
 * @param rest the residue of the text
 */
export function residueRuns(text: string, rest: string): string | null {
  if (cutOperator.test(text)) return 'an operator is cut by the end of a line'
  return (
    expansionRuns(rest) ??
    arithmeticRuns(rest) ??
    conditionRuns(rest) ??
    (/\b(?:coproc|select)\b/.test(rest) ? '`coproc` and `select` are not known to only read' : null)
  )
}

/** For bash the line goes on, and `$` and `{`, or `1` and `<`, are one operator; readers may take them for text. */
const cutOperator = /[$({[<>&|;!=@#?*+-]\\\n|[\d}]\\\n\d*[<>]/

/** Blanks where a word, or the body of a here-document, is plain text. */
function withoutLiterals(text: string, { items }: Script): string {
  const pieces: string[] = []
  let end = 0
  const spans = items.flatMap((item) => {
    const words =
      item.kind === 'for'
        ? (item.words ?? [])
        : [...item.words, ...item.redirects.map(({ target }) => target), ...item.assignments.flatMap(wordsOf)]
    return words.filter(isLiteral)
  })
  for (const span of spans.sort(byStart)) {
    if (span.start < end) continue
    pieces.push(text.slice(end, span.start), ' ')
    end = span.end
  }
  return pieces.join('') + text.slice(end)
}

const byStart = (a: Span, b: Span) => a.start - b.start

const wordsOf = ({ value, elements }: { value: Word | null; elements: Word[] | null }): Word[] => [
  ...(value === null ? [] : [value]),
  ...(elements ?? []),
]

const isLiteral = ({ parts }: Word) => parts.every(({ kind }) => kind === 'literal')

const name = /[A-Za-z_]\w*/.source
/** Of an operator: nothing that bash evaluates again but plain variables. */
const operand = String.raw`(?:[^$\`\[\]{}'"\\]|\$${name}|\$\{${name}\}|"[^"$\`\\]*"|'[^']*')*`
const simpleExpansion = new RegExp(
  String.raw`\$\{(?:#?(?:${name}|\d+|[@*#?$!-])(?:\[(?:[@*]|\d+)\])?|(?<name>${name}|\d+|[@*])(?:\[(?:[@*]|\d+)\])?(?:(?<assigns>:?=)${operand}|(?::?[-+?]|##?|%%?|//?[#%]?|\^\^?|,,?)${operand}|: ?-?\d+(?::\d+)?))\}`,
  'y',
)

function expansionRuns(text: string): string | null {
  for (let at = text.indexOf('${'); at !== -1; at = text.indexOf('${', at + 2)) {
    simpleExpansion.lastIndex = at
    const match = simpleExpansion.exec(text)
    if (match === null) return 'an expansion with an operator may evaluate text'
    const { assigns, name } = match.groups ?? {}
    if (assigns !== undefined && !isHarmlessVariable(name ?? '')) return `sets ${name}`
  }
  return null
}

/** Numbers, and what bash counts itself. */
const plainPiece = /(?:0[xX][\dA-Fa-f]+|\d+|\$[#?]|\$\{#\w+(?:\[[@*]\])?\}|[-+*/%<>=!&|^~?:,\s])*/y

function arithmeticRuns(text: string): string | null {
  if (text.includes('$[')) return '`$[…]` evaluates the value of a variable'
  for (let at = text.indexOf('(('); at !== -1; at = text.indexOf('((', at)) {
    const end = endOfArithmetic(text, at)
    if (end === null) return 'arithmetic evaluates the value of a variable'
    at = end
  }
  return null
}

/** Behind the parentheses; null: there is more than numbers in them. */
function endOfArithmetic(text: string, start: number): number | null {
  let depth = 0
  for (let at = start; at < text.length; ) {
    if (text[at] === '(') depth++
    else if (text[at] === ')') depth--
    else return null
    at++
    if (depth === 0) return at
    plainPiece.lastIndex = at
    at += plainPiece.exec(text)?.[0].length ?? 0
  }
  return null
}

const comparison = /(?:^|[\s()!&|<>;])-(?:v|R|eq|ne|lt|le|gt|ge)(?![\w-])/
const number = String.raw`"?(?:\d+|\$[#?]|\$\{#\w+(?:\[[@*]\])?\})"?`
const plainCondition = new RegExp(
  String.raw`\[\[\s+${number}\s+-(?:eq|ne|lt|le|gt|ge)\s+${number}\s+\]\]`,
  'g',
)

/** Where it ends cannot be told without reading it as bash does, so everything behind it counts. */
function conditionRuns(text: string): string | null {
  const rest = text.replace(plainCondition, ' ')
  const at = rest.indexOf('[[')
  return at !== -1 && comparison.test(rest.slice(at)) ? '`[[ … ]]` evaluates the value of a variable' : null
}
