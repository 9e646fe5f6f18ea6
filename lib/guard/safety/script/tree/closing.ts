// Where a substitution ends that the grammar has not recognized. What stands in it is parsed afterwards, so this may
// give up: on what would take a parser.

const opened = /[A-Za-z_0-9]*\(|\$\{|["')}`\\#]|<<|\bcase\b/g

/**
 * @param start behind the opening parenthesis
 * @returns the offset of the closing one; undefined: not found, or not sure
 */
export function findClosing(text: string, start: number, end: number): number | undefined {
  const open: string[] = [')']
  opened.lastIndex = start
  for (let match = opened.exec(text); match !== null && match.index < end; match = opened.exec(text)) {
    const at = opened.lastIndex - 1
    const inQuotes = open.at(-1) === '"'
    switch (text[at]) {
      case '\\':
        opened.lastIndex = at + 2
        break
      case '"':
        if (inQuotes) open.pop()
        else open.push('"')
        break
      case "'":
        if (inQuotes) break
        if (text[at - 1] === '$') return undefined
        opened.lastIndex = text.indexOf("'", at + 1) + 1
        if (opened.lastIndex === 0) return undefined
        break
      case '(':
        if (!inQuotes || text[at - 1] === '$') open.push(')')
        break
      case '{':
        open.push('}')
        break
      case '}':
        if (open.at(-1) === '}') open.pop()
        break
      case ')':
        if (inQuotes) break
        if (open.pop() !== ')') return undefined
        if (open.length === 0) return at
        break
      case '`':
        opened.lastIndex = findQuote(text, at + 1, text.length, '`') + 1
        break
      case '#':
        if (!inQuotes && /\s/.test(text[at - 1] as string)) return undefined
        break
      default:
        // A here-document, a case.
        if (!inQuotes) return undefined
    }
  }
  return undefined
}

/** Where the next one that is not escaped stands; `end` or more: nowhere. */
export function findQuote(text: string, start: number, end: number, quote: string): number {
  let at = start
  while (at < end && text[at] !== quote) at += text[at] === '\\' ? 2 : 1
  return at
}
