// How messages show a command.

import { type Argument, unknownText } from '../rule.js'

/** Characters of a command that a message shows. */
const maxLength = 80

/** The command as written, in backticks, shortened where it is long. */
export function describe(words: readonly Argument[]): string {
  let text = ''
  let previous: Argument | undefined
  for (const word of words) {
    // One word as written may have become several.
    const isSame =
      previous !== undefined &&
      word.start === previous.start &&
      word.end === previous.end &&
      word.source === previous.source
    if (!isSame || word.source === '') text += `${text === '' ? '' : ' '}${word.source || word.text}`
    if (text.length > maxLength) return `\`${oneLine(cut(text))}…\``
    previous = word
  }
  return `\`${oneLine(text)}\``
}

function cut(text: string): string {
  const last = text.charCodeAt(maxLength - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength)
}

function oneLine(text: string): string {
  return text.replaceAll(unknownText, '…').replace(/\s*\n\s*/g, ' ')
}
