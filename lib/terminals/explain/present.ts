// From what was found in /proc to what is told: without secrets, on one line, and short.

import { redactTokens } from '../../processes/output/redact/redact-tokens.js'
import { oneLine } from '../../processes/output/simplify-command.js'
import type { Finding, Piece } from './finding.js'
import { cut, shownCommand, type WaitingFor } from './waiting-for.js'

/** Takes out of a text what is secret. */
export type Hide = (text: string) => string

const maxCommand = 200
const maxPath = 100

/** @param hide for what only some commands know; the tokens of the proxy are taken out in any case */
export function present(findings: readonly Finding[], hide: Hide = (text) => text): WaitingFor[] {
  // First whole, then cut: half a secret is none that could be found.
  const clean = (bytes: string) => {
    const text = Buffer.from(bytes, 'latin1').toString('utf8')
    return oneLine(redactTokens(hide(text)))
  }
  const inText = (piece: Piece): string => {
    if (typeof piece === 'string') return piece
    if ('command' in piece) return cut(clean(piece.command), shownCommand)
    return cutStart(clean(piece.path), maxPath)
  }
  return findings.map(({ pid, command, kind, text, peer }) => ({
    pid,
    command: cut(clean(command), maxCommand),
    kind,
    text: text.map(inText).join(''),
    ...(peer && { peer: { pid: peer.pid, command: cut(clean(peer.command), maxCommand) } }),
  }))
}

/** The end of a path tells most. */
function cutStart(path: string, length: number): string {
  if (path.length <= length) return path
  return `…${path.slice(1 - length).replace(/^[\udc00-\udfff]/, '')}`
}
