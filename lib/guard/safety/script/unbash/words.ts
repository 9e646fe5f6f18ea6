// Words, assignments and redirections as unbash reads them.

import { addUnquoted, backtickSource, escapedIn, removeEscapes, removeLeadingTabs } from '../escapes.js'
import type { Assignment, Input, ItemRange, Redirect, Source, Span, Word, WordPart } from '../script.js'
import { spanIn } from '../script.js'
import { readSubscript, sameElements, WordBuilder, withoutSubscripts } from '../word-builder.js'
import type * as ast from './unbash.js'
import { unbash } from './unbash.js'

/** Reads the commands of a substitution, which may be a text of their own. */
type ReadNested = (parsed: ast.ParsedScript, source: Source, input: Input | null) => ItemRange

/** Where a part stands, which tells what its backslashes mean. */
interface Place {
  input: Input | null
  /** What can be escaped; null: outside quotes, where all can. */
  escaped: RegExp | null
  /** Of a `<<-` here-document. */
  tabbed?: boolean
}

type Pieces = ast.Word | ast.GlobPart | ast.ExtendedGlobPart | ast.BraceExpansionPart
type Substitution = ast.CommandExpansionPart | ast.ProcessSubstitutionPart | ast.ArithmeticCommandExpansion

/** Where a node stands in the script. unbash counts an escaped newline behind a word as part of it. */
export function spanOf(source: Source, start: number, end: number): Span {
  let trimmed = end
  while (trimmed > start && source.text.endsWith('\\\n', trimmed)) trimmed -= 2
  return spanIn(source, start, trimmed)
}

export class UnbashWords {
  readonly #source: Source
  readonly #readNested: ReadNested

  constructor(source: Source, readNested: ReadNested) {
    this.#source = source
    this.#readNested = readNested
  }

  word(node: ast.Word, input: Input | null): Word {
    return this.#wordAt(node, { input, escaped: null })
  }

  /** The assignment, and what it is as an argument of a command. */
  assignment(node: ast.Assignment, input: Input | null): { assignment: Assignment; argument: Word } {
    const span = spanOf(this.#source, node.pos, node.end)
    const builder = new WordBuilder()
    builder.literal(node.name, false)
    if (node.index) {
      this.substitutionsIn(node.index, input)
      builder.add({ kind: 'unknown', quoted: true })
    }
    builder.literal(node.append ? '+=' : '=', false)
    const elements =
      node.value.type === 'ArrayValue'
        ? node.value.elements.map((element) => this.word(element, input))
        : null
    if (elements !== null) builder.add({ kind: 'unknown', quoted: true })
    const value = node.value.type === 'Word' ? this.word(node.value, input) : null
    for (const part of value?.parts ?? []) builder.add(part)
    return {
      assignment: {
        ...span,
        name: node.name,
        append: node.append === true,
        value: node.index ? null : value,
        elements: elements && withoutSubscripts(elements),
      },
      argument: builder.word(span),
    }
  }

  /** @param applied the commands that it applies to; filled in later */
  redirect(node: ast.Redirection, applied: ItemRange, input: Input | null): Redirect {
    const { descriptor } = node
    return {
      ...spanOf(this.#source, node.pos, node.end),
      operator: node.operator,
      descriptor:
        descriptor === undefined ? null : 'value' in descriptor ? descriptor.value : descriptor.name,
      target: this.#target(node, applied, input),
    }
  }

  #target(node: ast.Redirection, applied: ItemRange, input: Input | null): Word {
    if (node.type === 'HereDoc') return this.#hereDocument(node, input)
    if (!node.target) return { ...spanIn(this.#source, node.end, node.end), parts: [] }
    const [part] = node.target.parts ?? []
    const written = part?.type === 'ProcessSubstitution' && part.operator === '>'
    return this.word(node.target, written ? { kind: 'pipe', items: applied } : input)
  }

  #hereDocument(node: ast.HereDoc, input: Input | null): Word {
    const { body } = node
    const builder = new WordBuilder()
    const tabbed = node.operator === '<<-'
    const place = { input, escaped: escapedIn.hereDocument, tabbed }
    if (node.delimiter?.quoted) {
      if (body.text !== '') builder.literal(tabbed ? removeLeadingTabs(body.text) : body.text, true)
    } else if (body.parts) for (const part of body.parts) this.#add(builder, part, place)
    else this.#addLiteral(builder, body.text, place)
    return builder.word(spanIn(this.#source, body.pos, body.end))
  }

  /** Reads the substitutions anywhere in a node whose words do not matter: arithmetic, tests, patterns. */
  substitutionsIn(node: ast.SyntaxNode, input: Input | null, escaped: RegExp | null = null): void {
    if (
      node.type === 'CommandExpansion' ||
      node.type === 'ProcessSubstitution' ||
      node.type === 'ArithmeticCommandExpansion'
    ) {
      this.#substitution(node, { input, escaped })
      return
    }
    const inner = node.type === 'DoubleQuoted' ? escapedIn.doubleQuotes : escaped
    unbash().forEachChild(node, (child) => this.substitutionsIn(child, input, inner))
  }

  #wordAt(node: ast.Word, place: Place): Word {
    const builder = new WordBuilder()
    this.#addPieces(builder, node, place)
    return builder.word(spanOf(this.#source, node.pos, node.end))
  }

  /** Parts, and the literal text around them that has no part of its own: the parentheses of a glob. */
  #addPieces(builder: WordBuilder, node: Pieces, place: Place): void {
    let at = node.pos
    for (const part of node.parts ?? []) {
      this.#addLiteral(builder, node.text.slice(at - node.pos, part.pos - node.pos), place)
      this.#add(builder, part, place)
      at = part.end
    }
    this.#addLiteral(builder, node.text.slice(at - node.pos), place)
  }

  #addLiteral(builder: WordBuilder, text: string, { escaped, tabbed }: Place): void {
    if (escaped === null) {
      addUnquoted(builder, text)
    } else {
      const last = builder.parts.at(-1)
      const beginsLine = last === undefined || (last.kind === 'literal' && last.text.endsWith('\n'))
      const literal = removeEscapes(tabbed ? removeLeadingTabs(text, beginsLine) : text, escaped)
      if (literal !== '') builder.literal(literal, true)
    }
  }

  #add(builder: WordBuilder, part: ast.WordPart, place: Place): void {
    const quoted = place.escaped !== null
    switch (part.type) {
      case 'Literal':
        this.#addLiteral(builder, part.text, place)
        return
      case 'SingleQuoted':
      case 'AnsiCQuoted':
        builder.literal(part.value, true)
        return
      case 'DoubleQuoted':
      case 'LocaleString':
        if (/^\$?"(?:\\\n)*"$/.test(part.text)) builder.literal('', true)
        for (const inner of part.parts) {
          this.#add(builder, inner, { input: place.input, escaped: escapedIn.doubleQuotes })
        }
        return
      case 'Glob':
      case 'ExtendedGlob':
      case 'BraceExpansion':
        this.#addPieces(builder, part, place)
        return
      case 'SimpleExpansion':
        builder.add({ kind: 'variable', quoted, name: part.text.slice(1), operator: '', operand: null })
        return
      case 'ParameterExpansion':
        builder.add(this.#parameter(part, place))
        return
      case 'ArithmeticExpansion':
        this.substitutionsIn(part, place.input, place.escaped)
        builder.add({ kind: 'unknown', quoted })
        return
      case 'CommandExpansion':
      case 'ProcessSubstitution': {
        const process = part.type === 'ProcessSubstitution'
        builder.add({ kind: 'substitution', quoted, process, items: this.#substitution(part, place) })
      }
    }
  }

  #parameter(part: ast.ParameterExpansionPart, place: Place): WordPart {
    const quoted = place.escaped !== null
    const { operation, parameter: name } = part
    if (part.prefix !== undefined) {
      this.substitutionsIn(part, place.input, place.escaped)
      return { kind: 'unknown', quoted }
    }
    const subscript = part.index && readSubscript(part.index.text)
    if (subscript !== undefined && !operation) return { kind: 'elements', quoted, name, subscript }
    const other: WordPart = { kind: 'variable', quoted, name, operator: 'other', operand: null }
    if (operation && operation.type !== 'Default') {
      this.substitutionsIn(part, place.input, place.escaped)
      return other
    }
    if (part.index) this.substitutionsIn(part.index, place.input, place.escaped)
    if (!operation)
      return part.index ? other : { kind: 'variable', quoted, name, operator: '', operand: null }
    const inner = { input: place.input, escaped: quoted ? escapedIn.quotedOperand : null }
    const operand = this.#wordAt(operation.operand, inner)
    if (!part.index) return { kind: 'variable', quoted, name, operator: operation.operator, operand }
    return (operation.operator.endsWith('+') && sameElements(name, operand)) || other
  }

  #substitution(node: Substitution, { input, escaped }: Place): ItemRange {
    const { script } = node
    // An escaped backtick was in it: its text is another one than ours, without the escapes.
    const source =
      script?.source === undefined
        ? this.#source
        : backtickSource(this.#source, node.pos + 1, node.end - 1, escaped === escapedIn.doubleQuotes)
    return this.#readNested(script ?? unreadable(node), source, input)
  }
}

function unreadable({ pos, end }: Substitution): ast.ParsedScript {
  const errors = [{ message: 'unreadable', pos }]
  return { type: 'Script', pos, end, shebang: undefined, commands: [], errors }
}
