// The flat tree of the parser (lib/engine/native/syntax-tree.ts), and what its nodes are to us.

import { NODE_SIZE, NodeField, NodeFlag, syntaxNames } from '../../../engine/native/syntax-tree.js'

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

const roleOfRule: Record<string, Role> = {
  program: Role.transparent,
  list: Role.transparent,
  pipeline: Role.transparent,
  redirected_statement: Role.transparent,
  negated_command: Role.transparent,
  command: Role.transparent,
  command_name: Role.transparent,
  declaration_command: Role.transparent,
  unset_command: Role.transparent,
  variable_assignments: Role.transparent,
  file_redirect: Role.transparent,
  herestring_redirect: Role.transparent,
  heredoc_redirect: Role.transparent,
  do_group: Role.transparent,
  elif_clause: Role.transparent,
  else_clause: Role.transparent,
  // Of `[`, which to bash is a command with words.
  binary_expression: Role.transparent,
  unary_expression: Role.transparent,
  ternary_expression: Role.transparent,
  postfix_expression: Role.transparent,
  parenthesized_expression: Role.transparent,
  comment: Role.ignored,
  heredoc_body: Role.hereDocument,
  heredoc_content: Role.hereDocument,
  heredoc_end: Role.hereDocument,
  if_statement: Role.group,
  while_statement: Role.group,
  subshell: Role.group,
  compound_statement: Role.compound,
  test_command: Role.test,
  for_statement: Role.forLoop,
  c_style_for_statement: Role.arithmeticFor,
  case_statement: Role.caseCommand,
  case_item: Role.caseItem,
  function_definition: Role.functionDefinition,
}

const expansions = new Set(['command_substitution', 'process_substitution', 'arithmetic_expansion'])

interface Kinds {
  roles: Role[]
  isExpansion: boolean[]
  isBody: boolean[]
}

let kinds: Kinds | undefined

function getKinds(): Kinds {
  const names = syntaxNames().kinds
  kinds ??= {
    roles: names.map((name) => roleOfRule[name] ?? Role.piece),
    isExpansion: names.map((name) => expansions.has(name)),
    isBody: names.map((name) => name === 'heredoc_body'),
  }
  return kinds
}

export class Tree {
  readonly size: number
  private readonly kinds = getKinds()
  private expansionsByStart: Map<number, number> | undefined

  constructor(
    private readonly nodes: Int32Array,
    readonly text: string,
  ) {
    this.size = nodes.length / NODE_SIZE
  }

  start(node: number): number {
    return this.nodes[node * NODE_SIZE + NodeField.start] as number
  }

  end(node: number): number {
    return this.nodes[node * NODE_SIZE + NodeField.end] as number
  }

  /** The node after it and all that is in it. */
  next(node: number): number {
    return this.nodes[node * NODE_SIZE + NodeField.next] as number
  }

  /** The nodes directly below it. */
  *children(node: number): Generator<number> {
    for (let child = node + 1; child < this.next(node); child = this.next(child)) yield child
  }

  slice(node: number): string {
    return this.text.slice(this.start(node), this.end(node))
  }

  isBroken(node: number): boolean {
    return (this.flags(node) & (NodeFlag.error | NodeFlag.missing)) !== 0
  }

  role(node: number): Role {
    const named = (this.flags(node) & NodeFlag.named) !== 0
    if (!named) return this.isBlank(node) ? Role.ignored : Role.token
    const role = this.kinds.roles[this.kind(node)] as Role
    // `[[` and `((`, against `[` and `{`.
    if (role === Role.test) return this.length(node + 1) === 2 ? Role.expression : Role.transparent
    if (role === Role.compound) return this.length(node + 1) === 2 ? Role.expression : Role.group
    return role
  }

  /** The expansion that begins at the offset, of those that the grammar has recognized. */
  expansionAt(offset: number): number | undefined {
    this.expansionsByStart ??= this.indexExpansions()
    return this.expansionsByStart.get(offset)
  }

  /** Where the next body of a here-document begins. The grammar leaves out the blanks and newlines that it begins with. */
  bodyBehind(node: number): number | undefined {
    for (let body = node; body < this.size; body++) {
      if (this.kinds.isBody[this.kind(body)])
        return this.text.indexOf('\n', this.endBefore(this.start(body))) + 1
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

  private endBefore(offset: number): number {
    let end = offset
    while (end > 0 && /\s/.test(this.text[end - 1] as string)) end--
    return end
  }

  private kind(node: number): number {
    return this.nodes[node * NODE_SIZE + NodeField.kind] as number
  }

  private flags(node: number): number {
    return this.nodes[node * NODE_SIZE + NodeField.flags] as number
  }

  private isBlank(node: number): boolean {
    return /^\s*$/.test(this.slice(node))
  }

  private length(node: number): number {
    return this.end(node) - this.start(node)
  }

  private indexExpansions(): Map<number, number> {
    const found = new Map<number, number>()
    for (let node = 0; node < this.size; node++) {
      if (this.kinds.isExpansion[this.kind(node)]) found.set(this.start(node), node)
    }
    return found
  }
}
