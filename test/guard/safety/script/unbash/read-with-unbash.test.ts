// What unbash's tree is read as.
import { notation } from '../notation.js'
import { readOnlyUnbash } from '../read.js'
import { readings } from '../readings.js'

const read = (text: string): string[] => notation(readOnlyUnbash(text))

describe.each(Object.entries(readings))('readWithUnbash: %s', (_, group) => {
  test.each(group)('%j', (text, ...expected) => expect(read(text)).toEqual(expected))
})

describe('readWithUnbash: what unbash reads wrongly', () => {
  test.each([
    ['a=($(b))\\\n c', ['[a=($(b))] c', 'unread 0']],
    ['a[0]=<(b) c', ['b', '[a=?] <(0) c', 'unread 5']],
  ])('%j is not taken for read', (text, expected) => expect(read(text)).toEqual(expected))
})

describe('readWithUnbash: offsets', () => {
  const texts = (text: string): string[] =>
    readOnlyUnbash(text).items.map(({ start, end }) => text.slice(start, end))

  test.each([
    ['a; b "c d" >e && f', ['a', 'b "c d" >e', 'f']],
    ['a $(b c) | d', ['b c', 'a $(b c)', 'd']],
    ['a `b "\\`c d\\`" $e` f', ['c d', 'b "\\`c d\\`" $e', 'a `b "\\`c d\\`" $e` f']],
    ['for a in b; do c; done', ['for a in b; do c; done', 'c']],
    ['é "😀"; b', ['é "😀"', 'b']],
  ])('%j', (text, expected) => expect(texts(text)).toEqual(expected))
})

describe('readWithUnbash: what cannot be read', () => {
  test.each([
    ['a\nb; c )\nd', ['a', 'unread 7']],
    ['a\nif b; then\nc', ['a', 'unread 14']],
    ['a && {\nb\n)', ['unread 9']],
    ['cat <<E\nb\nE\nif )', ["cat <<'b⏎'", 'unread 15']],
    ['a <<E\nE\n)', ['a <<', 'unread 8']],
    ['a; b "', ['unread 5']],
    ['a "\nb', ['unread 2']],
    ['a\n}\nb', ['a', 'unread 2']],
    ['a $(b\nc )) d', ['unread 9']],
  ])('the lines before the syntax error of %j', (text, expected) => expect(read(text)).toEqual(expected))

  test('nothing of what is nested too deeply', () => {
    expect(read(`a\n${'$('.repeat(5000)}b${')'.repeat(5000)}`)).toEqual([
      'a',
      expect.stringContaining('unread'),
    ])
    expect(read(`${'f()'.repeat(50_000)} { a; }`)).toEqual(['unread 0'])
  })

  test('a long text is read in pieces', () => {
    const script = readOnlyUnbash(`${'a "b" <<E\n$(c)\nE\nd | e; f\n'.repeat(6_000)}g`)
    expect(script.unread).toBeNull()
    expect(script.items).toHaveLength(30_001)
    expect(notation(script).at(-1)).toBe('g')
  })

  test('a long here-document is read at once', () => {
    const body = 'some $text\n'.repeat(20_000)
    expect(readOnlyUnbash(`a\ncat <<E; b <<-F\n${body}E\n${body}\tF\nc`)).toMatchObject({
      unread: null,
      items: [{}, { start: 2 }, {}, {}],
    })
  })

  test.each([
    ['a line that is too long', `${'a;'.repeat(80_001)}\nb`],
    ['what would be searched too often', 'a $('.repeat(10_000)],
    ['too many here-documents', 'a <<b '.repeat(10_000)],
  ])('up to %s', (_, text) => {
    expect(read(text)).toEqual(['unread 0'])
    expect(read(`x\n${text}`)).toContain('x')
  })
})
