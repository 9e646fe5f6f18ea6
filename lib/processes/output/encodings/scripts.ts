// Whether what was decoded is a text: most of its letters are of one script.

const scripts = [
  /\p{Script=Latin}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}]/u,
  /\p{Script=Hangul}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Thai}/u,
]
/** Digits, marks and the like are of every script. */
const common = /[\p{Script=Common}\p{Script=Inherited}]/u

/** How many characters are of each; of those that are rare a range of code points stands for one. */
function count(text: string): Map<number, number> {
  const counts = new Map<number, number>()
  for (const character of text) {
    const script = scriptOf(character)
    if (script !== undefined) counts.set(script, (counts.get(script) ?? 0) + 1)
  }
  return counts
}

function scriptOf(character: string): number | undefined {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return code >= 0x41 && /[a-z]/i.test(character) ? 0 : undefined
  if (common.test(character)) return undefined
  const known = scripts.findIndex((script) => script.test(character))
  return known === -1 ? scripts.length + (code >> 7) : known
}

export function looksLikeText(text: string): boolean {
  const counts = [...count(text).values()]
  return 2 * Math.max(0, ...counts) >= counts.reduce((sum, each) => sum + each, 0)
}

/** Whether a text may go on with another. */
export function isOfSameScripts(next: string, text: string): boolean {
  if (text === '') return true
  const known = count(text)
  return [...count(next).keys()].every((script) => known.has(script))
}

/** Whether the last character is the only one of its script: then it may be something else. */
export function endsInOther(text: string): boolean {
  const script = scriptOf([...text].at(-1) ?? '')
  const counts = count(text)
  return script !== undefined && counts.size > 1 && counts.get(script) === 1
}
