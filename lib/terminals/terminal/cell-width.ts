// How many columns a character takes: the same answer for whoever filters, draws and compares screens.

/** Joins the character before it. The vowels and last consonants of Hangul syllables do, too. */
const zeroWidth = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]/u

/** What nobody sees, but turns the direction of what stands beside it, or hides text: marks, tags. */
const unseen = /[\p{Bidi_Control}\u200b\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u

/** East Asian Wide and Fullwidth, by blocks: in each, what is not assigned is wide, too (UAX #11). */
const wide = new RegExp(
  [
    '[\\u1100-\\u115f\\u2329\\u232a\\u2e80-\\u303e\\u3041-\\u33ff\\u3400-\\u4dbf\\u4e00-\\ua4cf\\ua960-\\ua97f',
    '\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe10-\\ufe19\\ufe30-\\ufe6f\\uff01-\\uff60\\uffe0-\\uffe6',
    '\\u{17000}-\\u{18cff}\\u{1b000}-\\u{1b2ff}\\u{20000}-\\u{3fffd}\\p{Emoji_Presentation}]',
  ].join(''),
  'u',
)

/** Of the first two planes, once asked: 0 is unknown, else the width and one, or `isUnseen`. */
const known = new Uint8Array(0x20000)
const isUnseen = 4

/**
 * @param codePoint that is no control
 * @returns undefined for one that no screen shows
 */
export function shownWidth(codePoint: number): 0 | 1 | 2 | undefined {
  if (codePoint < 0x300) return 1
  const kind = kindOf(codePoint)
  return kind === isUnseen ? undefined : ((kind - 1) as 0 | 1 | 2)
}

/** The same, but that what is not shown takes no column. */
export const cellWidth = (codePoint: number): 0 | 1 | 2 => shownWidth(codePoint) ?? 0

function kindOf(codePoint: number): number {
  if (codePoint >= known.length) return measure(codePoint)
  if (known[codePoint] === 0) known[codePoint] = measure(codePoint)
  return known[codePoint] as number
}

function measure(codePoint: number): number {
  const character = String.fromCodePoint(codePoint)
  if (unseen.test(character)) return isUnseen
  if (zeroWidth.test(character)) return 1
  return wide.test(character) ? 3 : 2
}
