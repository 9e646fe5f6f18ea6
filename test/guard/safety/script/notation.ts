// A script in a notation that fits on a few lines, for tests: what is quoted in single quotes, expansions as $name,
// "$name" when quoted, $(items) for substitutions, ? for what only running tells.
import type {
  Input,
  Item,
  ItemRange,
  Redirect,
  Script,
  Word,
  WordPart,
} from '../../../../lib/guard/safety/script/script.js'

/** One line for each item. */
export function notation({ items, unread }: Script): string[] {
  const lines = items.map(itemNotation)
  return unread === null ? lines : [...lines, `unread ${unread}`]
}

function itemNotation(item: Item): string {
  if (item.kind === 'for') {
    return ['for', item.name, ...(item.words === null ? [] : ['in', ...item.words.map(wordNotation)])].join(
      ' ',
    )
  }
  const pieces = [
    ...item.assignments.map(
      ({ name, append, value, elements }) =>
        `[${name}${append ? '+=' : '='}${value === null ? elementsNotation(elements) : wordNotation(value)}]`,
    ),
    ...item.words.map(wordNotation),
    ...item.redirects.map(redirectNotation),
    ...inputNotation(item.input),
  ]
  return pieces.join(' ')
}

function elementsNotation(elements: Word[] | null): string {
  return elements === null ? '?' : `(${elements.map(wordNotation).join(' ')})`
}

function redirectNotation({ descriptor, operator, target }: Redirect): string {
  const prefix = typeof descriptor === 'string' ? `{${descriptor}}` : (descriptor ?? '')
  return `${prefix}${operator}${wordNotation(target)}`
}

function inputNotation(input: Input | null): string[] {
  if (input === null) return []
  return [`<- ${input.kind === 'pipe' ? range(input.items) : redirectNotation(input.redirect)}`]
}

function wordNotation({ parts }: Word): string {
  return parts.map(partNotation).join('')
}

function partNotation(part: WordPart): string {
  const text = unquotedNotation(part)
  if (!part.quoted) return text
  return part.kind === 'literal' ? `'${text}'` : `"${text}"`
}

function unquotedNotation(part: WordPart): string {
  switch (part.kind) {
    case 'literal':
      return part.text.replaceAll('\n', '⏎')
    case 'variable':
      if (part.operator === '') return `$${part.name}`
      return `\${${part.name}${part.operator}${part.operand === null ? '' : wordNotation(part.operand)}}`
    case 'elements':
      return `\${${part.name}[${part.subscript}]}`
    case 'substitution':
      return `${part.process ? '<' : '$'}(${range(part.items)})`
    case 'unknown':
      return '?'
  }
}

function range({ from, to }: ItemRange): string {
  return to - from === 1 ? `${from}` : `${from}-${to}`
}
