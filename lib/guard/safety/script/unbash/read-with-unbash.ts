// The script as unbash reads it. It is the second opinion: where the tree of tree-sitter-bash cannot be trusted.

import { findBody } from '../here-documents.js'
import type { Script } from '../script.js'
import { run, type Steps, type Task } from '../steps.js'
import { UnbashCommands } from './commands.js'
import type * as ast from './unbash.js'
import { unbash } from './unbash.js'

/** Characters that unbash is given at once. It runs on the JavaScript thread, and takes some 10 ms for as many. */
const maxLength = 160_000
/** Characters times substitutions and here-documents: nested or unclosed, each is searched to the end of the text. */
const maxWork = 100_000_000

const searched = /[$<>]\(|\$\{|<<|`/g

/** Reads as far as it can: to a syntax error, or to what would block the JavaScript thread. */
export function* readWithUnbash(text: string): Steps<Script> {
  const script: Script = { items: [], functions: [], unread: null }
  if (!canLoad()) return { items: [], functions: [], unread: 0 }
  yield* run(readInPieces(text, script))
  return script
}

/** A check with one parser is better than none. */
function canLoad(): boolean {
  try {
    unbash()
    return true
  } catch {
    return false
  }
}

/** Where the next piece begins; or where this one has to end, to be read at all; null: neither. */
type Progress = { next: number } | { end: number } | null

/** A longer text in pieces that end where a statement does. */
function* readInPieces(text: string, script: Script): Task<void> {
  for (let start = 0; start < text.length; ) {
    let progress: Progress = { end: endOfPiece(text, start) }
    // A statement has few here-documents; the number is only bounded.
    for (let tries = 0; tries < 8 && progress !== null && 'end' in progress; tries++) {
      progress = yield* readPiece(text, start, progress.end, script)
    }
    if (progress === null || 'end' in progress) return
    start = progress.next
  }
}

function* readPiece(whole: string, start: number, end: number, script: Script): Task<Progress> {
  const { length } = script.items
  const text = whole.slice(start, end)
  const commands = new UnbashCommands({ text, at: (offset) => start + offset }, script)
  if (end <= start || isTooMuch(text)) {
    commands.stopAt(0)
    return null
  }
  try {
    const parsed = unbash().parse(text)
    const error = parsed.errors?.[0]?.pos
    const open = end === whole.length ? undefined : openStatement(parsed, text)
    const limit = Math.min(error ?? Number.POSITIVE_INFINITY, open?.pos ?? Number.POSITIVE_INFINITY)
    const rest = yield* commands.before(limit, parsed, null)
    if (end < whole.length && rest === undefined && error === undefined) return { next: end }
    if (end < whole.length && rest !== undefined && rest !== parsed.commands[0])
      return { next: start + rest.pos }
    const document = open && openHereDocument(open)
    if (document) return { end: endOfBody(document, whole, start) }
    if (limit !== Number.POSITIVE_INFINITY) commands.stopAt(limit)
    return null
  } catch (error) {
    // Its recursion is bounded, but not everywhere.
    if (!(error instanceof RangeError)) throw error
    script.items.length = length
    commands.stopAt(0)
    return null
  }
}

/** Of the largest piece, whole lines unless it is the last, that is not too much at once. */
function endOfPiece(text: string, start: number): number {
  for (let length = maxLength; length > 0; length >>= 1) {
    const end = start + length >= text.length ? text.length : text.lastIndexOf('\n', start + length - 1) + 1
    if (end <= start) break
    if (!isTooMuch(text.slice(start, end))) return end
  }
  return start
}

function isTooMuch(text: string): boolean {
  return (text.match(searched)?.length ?? 0) * text.length > maxWork
}

/** The first statement that goes on in the next piece: in other cases where one does, its end is an error. */
function openStatement({ commands }: ast.ParsedScript, text: string): ast.Statement | undefined {
  return commands.find(openHereDocument) ?? (text.endsWith('\\\n') ? commands.at(-1) : undefined)
}

function openHereDocument(node: ast.SyntaxNode): ast.HereDoc | undefined {
  if (node.type === 'HereDoc') return node.closing === undefined ? node : undefined
  let found: ast.HereDoc | undefined
  if (node.type !== 'Word') {
    unbash().forEachChild(node, (child) => {
      found ??= openHereDocument(child)
    })
  }
  return found
}

function endOfBody({ body, delimiter, operator }: ast.HereDoc, text: string, start: number): number {
  const { value = '', quoted = false } = delimiter ?? {}
  return findBody(text, start + body.pos, { text: value, quoted }, operator === '<<-').next
}
