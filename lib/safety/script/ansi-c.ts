// `$'…'`

import { letterEscapes } from '../../util/bash-quotes.js'

const escapes =
  /\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|x\{([0-9A-Fa-f]*)\}|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|c([\s\S])|([\s\S]))/g
const letters: Readonly<Record<string, string>> = {
  ...letterEscapes,
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
}

/** What stands between the quotes, decoded. Bytes are taken as Latin-1, and a NUL ends it, as in bash. */
export function decodeAnsiC(text: string): string {
  const decoded = text.replace(escapes, (all, octal, hex, braced, short, long, control, letter) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
    if (hex !== undefined || braced !== undefined) {
      return String.fromCharCode(Number.parseInt(hex ?? braced, 16) & 0xff)
    }
    if (short !== undefined || long !== undefined) return codePoint(Number.parseInt(short ?? long, 16), all)
    if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) & 0x1f)
    return letters[letter] ?? all
  })
  const end = decoded.indexOf('\0')
  return end === -1 ? decoded : decoded.slice(0, end)
}

function codePoint(value: number, fallback: string): string {
  return value <= 0x10ffff ? String.fromCodePoint(value) : fallback
}
