// What the reader makes of the tree where the tree can be trusted. unbash has no part in this.
import { notation } from '../notation.js'
import { readOnlyTree } from '../read.js'
import { readings } from '../readings.js'

/** Valid, but the grammar has an error, or something else than bash. */
const distrusted = new Set([
  'a @(b|c) !(d) +("e"|$f)',
  'a { } if then',
  'time a; time -p b; time; time ! c; ! time d',
  'time a >b',
  'coproc a b',
  'coproc X { a; }',
  'for a do b; done',
  '[[a]]',
  'while(a)do(b)done',
  'for a in; do b; done',
  'a &>b &>>c >|d <>e >&2 >&f 3<&0- 4>&-',
  'a=b >c',
  "cat <<E'O'F\na $b\nEOF\nd",
  'cat <<E; a\nb\nE',
  'cat <<E & a\nb\nE',
  'cat <<A <<B\na\nA\nb\nB\nc',
  'cat <<A; cat <<B\na\nA\nb\nB\nc',
  'cat <<E\n  E\n\tE\nE \nE\na',
  'if a; then cat <<E; b; fi\nc\nE\nd',
  'a $(cat <<E\nb\nE\n) <<E\nc\nE\nd',
  'cat <<E\na',
  'cat <<E; a\nb',
  'cat <<E\na \\\nE\nE\nb',
])

describe.each(Object.entries(readings))('readTree: %s', (_, group) => {
  test.each(group)('%j', (text, ...expected) => {
    const read = readOnlyTree(text)
    if (distrusted.has(text) || expected.at(-1)?.startsWith('unread')) expect(read.unread).not.toBeNull()
    else expect(notation(read)).toEqual(expected)
  })
})
