// The script as unbash reads it. It is the second opinion: where the tree of tree-sitter-bash cannot be trusted.

import type { Script } from './script.js'
import type { Steps } from './steps.js'
import { run, type Task } from './task.js'
import type * as ast from './unbash.js'
import { unbash } from './unbash.js'
import { UnbashCommands } from './unbash-commands.js'

/** Characters that unbash is given at once. It runs on the JavaScript thread, and takes some 10 ms for as many. */
const maxLength = 160_000
/** Characters times substitutions and here-documents: nested or unclosed, each is searched to the end of the text. */
const maxWork = 100_000_000

const searched = /[$<>]\(|\$\{|<<|`/g

/** Reads as far as it can: to a syntax error, or to what would block the JavaScript thread. */
export function* readWithUnbash(text: string): Steps<Script> {
  const script: Script = { items: [], unread: null }
  if (!canLoad()) return { items: [], unread: 0 }
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

/** A longer text in pieces that end where a statement does. */
function* readInPieces(text: string, script: Script): Task<void> {
  for (let start = 0; start < text.length; ) {
    const end = endOfPiece(text, start)
    const piece = text.slice(start, end)
    const next = piece === '' ? undefined : yield* readPiece(piece, start, end === text.length, script)
    if (next === undefined) {
      script.unread = Math.min(script.unread ?? start, start)
      return
    }
    if (next === null) return
    start += next
  }
}

/** @returns where the next one begins; null: none can be read; undefined: neither can this one */
function* readPiece(
  text: string,
  start: number,
  isLast: boolean,
  script: Script,
): Task<number | null | undefined> {
  const { length } = script.items
  try {
    const parsed = unbash().parse(text)
    const commands = new UnbashCommands({ text, at: (offset) => start + offset }, script)
    const error = parsed.errors?.[0]?.pos
    const open = isLast ? undefined : openStatement(parsed, text)?.pos
    const limit = Math.min(error ?? Number.POSITIVE_INFINITY, open ?? Number.POSITIVE_INFINITY)
    const rest = yield* commands.before(limit, parsed, null)
    if (!isLast && rest === undefined && error === undefined) return text.length
    if (!isLast && rest !== undefined && rest !== parsed.commands[0]) return rest.pos
    if (limit !== Number.POSITIVE_INFINITY) commands.stopAt(limit)
    return null
  } catch (error) {
    // Its recursion is bounded, but not everywhere.
    if (!(error instanceof RangeError)) throw error
    script.items.length = length
    return undefined
  }
}

/** Of the largest piece, whole lines unless it is the last, that is not too much at once. */
function endOfPiece(text: string, start: number): number {
  for (let length = maxLength; length > 0; length >>= 1) {
    const end = start + length >= text.length ? text.length : text.lastIndexOf('\n', start + length - 1) + 1
    if (end <= start) break
    if ((text.slice(start, end).match(searched)?.length ?? 0) * (end - start) <= maxWork) return end
  }
  return start
}

/** The first statement that goes on in the next piece: in other cases where one does, its end is an error. */
function openStatement({ commands }: ast.ParsedScript, text: string): ast.Statement | undefined {
  return commands.find(hasOpenHereDocument) ?? (text.endsWith('\\\n') ? commands.at(-1) : undefined)
}

function hasOpenHereDocument(node: ast.SyntaxNode): boolean {
  if (node.type === 'HereDoc') return node.closing === undefined
  let found = false
  if (node.type !== 'Word') {
    unbash().forEachChild(node, (child) => {
      found ||= hasOpenHereDocument(child)
    })
  }
  return found
}
