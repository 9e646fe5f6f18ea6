// A thousand values in all their forms, against a search that is too plain to be wrong.
import { Finder } from '../../../../lib/processes/output/redact/finder.js'
import { needlesOf } from '../../../../lib/processes/output/redact/forms.js'

let seed = 0x2f6e2b1
const random = (below: number): number => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
  return (seed >>> 8) % below
}
const pick = <Each>(from: readonly Each[]): Each => from[random(from.length)] as Each
const word = (
  length: number,
  signs = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
): string => Array.from({ length }, () => signs[random(signs.length)]).join('')

/** What hosts have in their environments. */
const kinds: readonly (() => string)[] = [
  () => `postgres://app:${word(6 + random(10))}@localhost:${1000 + random(60_000)}/db?ssl=1`,
  () => `http://${word(5)}:${word(12)}@localhost:51${random(100)}/`,
  () => `ghp_${word(36)}`,
  () => word(8 + random(40)),
  () => word(20, 'äöü€"\'\\<>& \n\t$/+=%abc'),
  () => `${pick(['Bearer ', 'token ', 'sk-'])}${word(24)}`,
]
const values = Array.from(
  { length: 1000 },
  (_, index) => [`N${index}`, kinds[index % kinds.length]?.() ?? ''] as const,
)
const needles = values
  .flatMap(([name, value]) => needlesOf(name, value))
  .filter(({ bytes }) => bytes.length >= 8)
const finder = new Finder(needles)
const texts = [...new Set(needles.map(({ bytes }) => bytes.toString('latin1')))]
const beginnings = new Set(
  texts.flatMap((text) => Array.from({ length: text.length - 1 }, (_, at) => text.slice(0, at + 1))),
)
const longest = Math.max(...texts.map(({ length }) => length))

function plainUnfinished(text: string): number {
  for (let at = Math.max(0, text.length - longest); at < text.length; at++)
    if (beginnings.has(text.slice(at))) return at
  return text.length
}

/** Like output: pieces of values, beginnings of them, and what only looks like one. */
function output(): string {
  const parts = Array.from({ length: 1 + random(4) }, () => {
    const text = pick(texts)
    return pick([
      () => text,
      () => text.slice(0, random(text.length)),
      () => text.slice(random(text.length)),
      () =>
        pick(['Local: http://localhost:51', 'listening on ', 'postgres', ' ', '\n', 'Zm9v', 'ghp_', 'tok']),
      () => word(random(12)),
    ])()
  })
  return parts.join('')
}

test('what may be the beginning of a value is one', () => {
  for (let round = 0; round < 6_000; round++) {
    const text = output()
    const start = finder.unfinishedStart(Buffer.from(text, 'latin1'))
    if (start !== plainUnfinished(text))
      throw new Error(`${start} instead of ${plainUnfinished(text)} in ${JSON.stringify(text)}`)
  }
})

test('every value is found, and nothing else', () => {
  for (let round = 0; round < 40; round++) {
    const text = output()
    const covered = new Uint8Array(text.length)
    for (const each of texts) {
      for (let at = text.indexOf(each); at >= 0; at = text.indexOf(each, at + 1))
        covered.fill(1, at, at + each.length)
    }
    const found = new Uint8Array(text.length)
    for (const { start, end } of finder.find(Buffer.from(text, 'latin1'))) found.fill(1, start, end)
    expect(found).toEqual(covered)
  }
})
