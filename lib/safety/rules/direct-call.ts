// Whether a command gets the streams of the whole script, and is waited for. Read from the text around it, which says no
// wherever that takes more than a look: a pipe, a redirection, a compound command, a job.

import type { Span } from '../../syntax/script.js'

/** A construct that what follows may be inside of, or that asks for a terminal first. */
const opened =
  /[(){}`|]|<<|(?:^|[\s;&])(?:if|then|elif|else|while|until|for|case|select|function|do|coproc|!|\[\[|tty)(?=\s|$)|\s-t\s/

/** What may stand before the program: `sudo -E`, `TERM=dumb`. */
const prefix = /^(?:(?:sudo|command|exec|env|nohup|nice|-\w|(?!VIMINIT=|EXINIT=)[A-Za-z_]\w*=\S*)\s+)*$/

const toNowhere = /^(?:\s*(?:\d*[<>]\s*\/dev\/null|\d*>&\s*[12]|&>\s*\/dev\/null))+/

const ended = /^[ \t]*(?:$|[;\n#]|&&|\|\|)/

/** @param start of the program's name, `end` of its last argument */
export function isDirectCall(script: string, { start, end }: Span): boolean {
  const text = blankQuoted(script)
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
    ended.test(text.slice(end).replace(toNowhere, ''))
  )
}

/** Of the same length. */
function blankQuoted(script: string): string {
  return script.replace(/\\.|'[^']*'|"(?:[^"\\]|\\.)*"/gs, (quoted) =>
    (quoted === '\\\n' ? ' ' : '_').repeat(quoted.length),
  )
}
