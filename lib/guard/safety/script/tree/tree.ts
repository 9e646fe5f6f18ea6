// The flat tree of the parser (lib/processes/engine/native/syntax-tree.ts), and what its nodes are to us.

import type { SyntaxNames } from '../../../../processes/engine/native/syntax-tree.js'
import {
  NODE_SIZE,
  NodeField,
  NodeFlag,
  syntaxNames,
} from '../../../../processes/engine/native/syntax-tree.js'

/** What to do with a node. */
export enum Role {
  /** Its children matter, not itself: the grammar groups them otherwise than bash does. */
  transparent,
  /** A word, or a piece of one. Its text is read again, without the tree. */
  piece,
  /** An operator, a keyword, or a word that the grammar spells out. */
  token,
  /** Comments and newlines: the text between the other nodes tells. */
  ignored,
  /** Bodies of here-documents and their ends: found in the text. */
  hereDocument,
  /** A compound command whose commands are among its children. */
  group,
  /** `[[ … ]]` and `(( … ))`: substitutions is all there can be in it. */
  expression,
  forLoop,
  arithmeticFor,
  caseCommand,
  caseItem,
  functionDefinition,
  /** One of the above, by its first token. */
  test,
  compound,
}

const rules: readonly [Role, string][] = [
  [Role.transparent, 'program list pipeline redirected_statement negated_command command command_name'],
  [
    Role.transparent,
    'declaration_command unset_command variable_assignments do_group elif_clause else_clause',
  ],
  [Role.transparent, 'file_redirect herestring_redirect heredoc_redirect'],
  // Of `[`, which to bash is a command with words.
  [Role.transparent, 'binary_expression unary_expression ternary_expression postfix_expression'],
  [Role.transparent, 'parenthesized_expression'],
  [Role.ignored, 'comment'],
  [Role.hereDocument, 'heredoc_body heredoc_content heredoc_end'],
  [Role.group, 'if_statement while_statement subshell'],
  [Role.compound, 'compound_statement'],
  [Role.test, 'test_command'],
  [Role.forLoop, 'for_statement'],
  [Role.arithmeticFor, 'c_style_for_statement'],
  [Role.caseCommand, 'case_statement'],
  [Role.caseItem, 'case_item'],
  [Role.functionDefinition, 'function_definition'],
]

const expansions = new Set(['command_substitution', 'process_substitution', 'arithmetic_expansion'])

interface Kinds {
  roles: Role[]
  isExpansion: boolean[]
  isBody: boolean[]
}

let kinds: Kinds | undefined

function readKinds({ kinds: names }: SyntaxNames): Kinds {
  const roles = new Map(rules.flatMap(([role, list]) => list.split(' ').map((rule) => [rule, role])))
  return {
    roles: names.map((name) => roles.get(name) ?? Role.piece),
    isExpansion: names.map((name) => expansions.has(name)),
    isBody: names.map((name) => name === 'heredoc_body'),
  }
}

export class Tree {
  readonly size: number
  readonly text: string
  readonly #nodes: Int32Array
  readonly #kinds: Kinds
  #expansionsByStart: Map<number, number> | undefined

  constructor(nodes: Int32Array, text: string) {
    kinds ??= readKinds(syntaxNames())
    this.size = nodes.length / NODE_SIZE
    this.text = text
    this.#nodes = nodes
    this.#kinds = kinds
  }

  start(node: number): number {
    return this.#nodes[node * NODE_SIZE + NodeField.start] as number
  }

  end(node: number): number {
    return this.#nodes[node * NODE_SIZE + NodeField.end] as number
  }

  /** The node after it and all that is in it. */
  next(node: number): number {
    return this.#nodes[node * NODE_SIZE + NodeField.next] as number
  }

  /** The nodes directly below it. */
  *children(node: number): Generator<number> {
    for (let child = node + 1; child < this.next(node); child = this.next(child)) yield child
  }

  slice(node: number): string {
    return this.text.slice(this.start(node), this.end(node))
  }

  isBroken(node: number): boolean {
    return (this.#flags(node) & (NodeFlag.error | NodeFlag.missing)) !== 0
  }

  role(node: number): Role {
    if ((this.#flags(node) & NodeFlag.named) === 0) {
      return /\S/.test(this.slice(node)) ? Role.token : Role.ignored
    }
    const role = this.#kinds.roles[this.#kind(node)] as Role
    if (role !== Role.test && role !== Role.compound) return role
    // `[[` and `((`, against `[` and `{`.
    if (this.end(node + 1) - this.start(node + 1) === 2) return Role.expression
    return role === Role.test ? Role.transparent : Role.group
  }

  /** The expansion that begins at the offset, of those that the grammar has recognized. */
  expansionAt(offset: number): number | undefined {
    if (this.#expansionsByStart === undefined) {
      this.#expansionsByStart = new Map()
      for (let node = 0; node < this.size; node++) {
        if (this.#kinds.isExpansion[this.#kind(node)]) this.#expansionsByStart.set(this.start(node), node)
      }
    }
    return this.#expansionsByStart.get(offset)
  }

  /** Where the next body of a here-document begins. The grammar leaves out the blanks and newlines that it begins with. */
  bodyBehind(node: number): number | undefined {
    for (let body = node; body < this.size; body++) {
      if (!this.#kinds.isBody[this.#kind(body)]) continue
      let blank = this.start(body)
      while (blank > 0 && /\s/.test(this.text[blank - 1] as string)) blank--
      return this.text.indexOf('\n', blank) + 1
    }
    return undefined
  }

  isArithmetic(node: number): boolean {
    return /^\$(\(\(|\[)$/.test(this.slice(node + 1))
  }

  /** Of `$((…))`, which in a here-document the grammar takes for a subshell in a substitution. */
  isSubshell(node: number): boolean {
    const start = this.start(node) + 2
    if (this.text[start] !== '(') return false
    for (const child of this.children(node)) {
      if (this.start(child) === start) return this.end(child) === this.end(node) - 1
    }
    return false
  }

  #kind(node: number): number {
    return this.#nodes[node * NODE_SIZE + NodeField.kind] as number
  }

  #flags(node: number): number {
    return this.#nodes[node * NODE_SIZE + NodeField.flags] as number
  }
}
