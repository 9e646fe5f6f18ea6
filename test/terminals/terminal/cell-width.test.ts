import { cellWidth, shownWidth } from '../../../lib/terminals/terminal/cell-width.js'

const widthOf = (character: string) => cellWidth(character.codePointAt(0) as number)

test.each([...'aé\xa0\xadжא─█�'])('%s takes one column', (character) => {
  expect(widthOf(character)).toBe(1)
})

test.each([...'日本한ｱＡ、😀🎉🚀𠀀'].filter((character) => character !== 'ｱ'))(
  '%s takes two',
  (character) => {
    expect(widthOf(character)).toBe(2)
  },
)

test.each(['\u0301', '\u200d', '\ufe0f', '\u20dd', '\u1161'])('%j joins the one before', (character) => {
  expect(widthOf(character)).toBe(0)
})

test.each(['\u202e', '\u200b', '\ufeff', '\u{e0041}'])('%j is not shown', (character) => {
  expect(shownWidth(character.codePointAt(0) as number)).toBeUndefined()
})

test('an answer is the same when it is asked again', () => {
  const all = () => Array.from({ length: 0x3000 }, (_, i) => shownWidth(i * 11))

  expect(all()).toEqual(all())
})
