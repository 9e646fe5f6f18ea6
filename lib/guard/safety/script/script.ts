// What a bash script does, as far as its text tells: the simple commands, in the order of the source, with their words
// decoded. Compound commands, lists and substitutions are flattened; nothing in here depends on which parser read it.

/** Offsets are those of the JavaScript string: UTF-16 code units, `end` exclusive. */
export interface Span {
  start: number
  end: number
}

/** A text that is read. `at(offset)`: where that character of it stands in the script. */
export interface Source {
  text: string
  at: (offset: number) => number
}

export function spanIn({ at }: Source, start: number, end: number): Span {
  return { start: at(start), end: end > start ? at(end - 1) + 1 : at(end) }
}

/** From the first of them to the last, wherever they stand. There may be more than a call takes arguments. */
export function spanOf([first, ...others]: readonly [Span, ...Span[]]): Span {
  let { start, end } = first
  for (const other of others) {
    if (other.start < start) start = other.start
    if (other.end > end) end = other.end
  }
  return { start, end }
}

/** A range of {@link Script.items}, `to` exclusive. */
export interface ItemRange {
  from: number
  to: number
}

export interface Script {
  items: Item[]
  /** The names of the functions that it defines, as they are written; what their bodies run is in `items`. */
  functions: string[]
  /** Where reading stopped: at a syntax error, or at more than can be read. What bash runs before it is in `items`. */
  unread: number | null
}

export type Item = Command | ForLoop

/**
 * A simple command, or the redirections of a compound one (no words; before what they apply to). What a substitution in
 * it runs stands directly before it.
 */
export interface Command extends Span {
  kind: 'command'
  /** Those before the name. Arguments `NAME=…` of declare, export, local, readonly and typeset too; these stay words. */
  assignments: readonly Assignment[]
  /** The name and its arguments; none for bare assignments or redirections. */
  words: readonly Word[]
  redirects: readonly Redirect[]
  /** Where its standard input comes from unless one of its own redirects says otherwise; null: where the script's does. */
  input: Input | null
}

/** `for NAME in WORDS` and `select`; the commands of its body follow. */
export interface ForLoop extends Span {
  kind: 'for'
  name: string
  /** Null: the positional parameters, or an arithmetic loop. */
  words: Word[] | null
}

/** The previous stage of a pipeline, or a redirection of an enclosing compound command. */
export type Input = { kind: 'pipe'; items: ItemRange } | { kind: 'redirect'; redirect: Redirect }

export interface Assignment extends Span {
  name: string
  /** `NAME+=…` */
  append: boolean
  /** Null: an array, or an element of one. */
  value: Word | null
  /** Of an array; null: a single value, or elements with subscripts. */
  elements: Word[] | null
}

export interface Redirect extends Span {
  operator: '<' | '>' | '>>' | '>|' | '<>' | '<&' | '>&' | '&>' | '&>>' | '<<' | '<<-' | '<<<'
  /** Null: the operator's own, 0 or 1; a string: the variable of `{NAME}>…`. */
  descriptor: number | string | null
  /** A file, a descriptor, or of a here-document its body, dedented and without the delimiter. */
  target: Word
}

export interface Word extends Span {
  parts: readonly WordPart[]
}

/** `quoted`: no pathname, brace or tilde expansion, and no splitting of what it expands to. */
export type WordPart = { quoted: boolean } & (
  | { kind: 'literal'; text: string }
  /** `$NAME`, `${NAME}`, `${NAME:-OPERAND}` and the like; special and positional parameters too. */
  | {
      kind: 'variable'
      name: string
      operator: '' | '-' | ':-' | '=' | ':=' | '?' | ':?' | '+' | ':+' | 'other'
      operand: Word | null
    }
  /** `${NAME[SUBSCRIPT]}`; other subscripts are a `variable` with another operator. */
  | { kind: 'elements'; name: string; subscript: '@' | '*' | number }
  /** `$(…)`, backticks, `<(…)`, `>(…)`. */
  | { kind: 'substitution'; process: boolean; items: ItemRange }
  /** Arithmetic, and whatever else only running it tells. */
  | { kind: 'unknown' }
)

/** Those that no later one runs by a substitution in it. */
export function outerItems(items: readonly Item[]): Item[] {
  let start = Number.POSITIVE_INFINITY
  const outer: Item[] = []
  for (const item of items.toReversed()) {
    if (item.start < start) outer.push(item)
    start = Math.min(start, item.start)
  }
  return outer.reverse()
}

/** The redirection that standard input comes from; null: it is not redirected. */
export function inputRedirect(redirects: readonly Redirect[]): Redirect | null {
  const opens = ({ descriptor, operator }: Redirect) =>
    descriptor === 0 || (descriptor === null && operator.startsWith('<'))
  return redirects.findLast(opens) ?? null
}

/** What `outer` becomes behind these redirections. */
export function redirectedInput(redirects: readonly Redirect[], outer: Input | null): Input | null {
  const redirect = inputRedirect(redirects)
  return redirect === null ? outer : { kind: 'redirect', redirect }
}
