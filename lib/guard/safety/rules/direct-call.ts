// Whether a command gets the streams of the whole script, and is waited for. Read from the text around it, which says no
// wherever that takes more than a look: a pipe, a redirection, a compound command, a job.

import type { Span } from '../script/script.js'

/** A construct that what follows may be inside of, or that asks for a terminal first. */
const opened =
  /[(){}`|]|<<|(?:^|[\s;&])(?:if|then|elif|else|while|until|for|case|select|function|do|coproc|\[\[|tty)(?=\s|$)|\s-t\s/

/** What may stand before the program: `sudo -u root`, `TERM=dumb`. */
const prefix =
  /^(?:(?:sudo|command|exec|env|nohup|nice|time|!|-[uCg]\s+[\w./-]+|-n\s+-?\d+|-(?![uCg]\s)\w+|(?!VIMINIT=|EXINIT=)[A-Za-z_]\w*=\S*)\s+)*$/

const toNowhere = /^(?:\s*(?:\d*[<>]\s*\/dev\/null|\d*>&\s*[12]|&>\s*\/dev\/null))+/

const errorsToNowhere = /(?:2>|&>)\s*\/dev\/null/

/** Those that change nothing: `(…)` and `{ …; }` with nothing around them, and `if true`. */
const groups = [
  /(?<=^\s*|[;\n]\s*|&&\s*|\|\|\s*)(\()([^(){}`]*)(\))(?=[ \t]*(?:$|[;\n]|&&|\|\|))/g,
  /(?<=^\s*|[;\n]\s*|&&\s*|\|\|\s*)(\{)(?=\s)([^(){}`]*)(\})(?=[ \t]*(?:$|[;\n]|&&|\|\|))/g,
  /(?<=^\s*|[;\n]\s*)((?:if|while)\s+(?:true|:)[ \t]*[;\n]\s*(?:then|do))(?=\s)([^(){}`]*[;\n][ \t]*)(fi|done)(?=[ \t]*(?:$|[;\n]|&&|\|\|))/g,
]

const ended = /^[ \t]*(?:$|[;\n#]|&&|\|\|)/

export interface DirectCall extends Span {
  /** Whether it ends by itself when it has no stderr. */
  readsStderr: boolean
}

/** @param start of the program's name, `end` of its last argument */
export function isDirectCall(script: string, { start, end, readsStderr }: DirectCall): boolean {
  const text = withoutGroups(blankQuoted(script))
  const redirects = toNowhere.exec(text.slice(end))?.[0] ?? ''
  const before = text.slice(0, start)
  const own = before.slice(
    Math.max(before.lastIndexOf(';'), before.lastIndexOf('\n'), before.lastIndexOf('&')) + 1,
  )
  return (
    // Not in a quotation, as what an unbalanced one in a comment leaves.
    text[start] === script[start] &&
    !opened.test(before) &&
    prefix.test(own.trimStart()) &&
    !/[<>|&;()]/.test(text.slice(start, end)) &&
    !(readsStderr && errorsToNowhere.test(redirects)) &&
    ended.test(text.slice(end + redirects.length))
  )
}

/** Of the same length. */
function withoutGroups(text: string): string {
  return groups.reduce(
    (rest, group) =>
      rest.replace(
        group,
        (_, opening: string, body: string, closing: string) =>
          ' '.repeat(opening.length) + body + ';'.padEnd(closing.length),
      ),
    text,
  )
}

/** Of the same length. */
function blankQuoted(script: string): string {
  return script.replace(/\\.|'[^']*'|"(?:[^"\\]|\\.)*"/gs, (quoted) =>
    (quoted === '\\\n' ? ' ' : '_').repeat(quoted.length),
  )
}
