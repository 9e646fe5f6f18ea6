// What a model writes to a terminal: text, Enter and keys.
import { typedPieces } from '../../../lib/surfaces/adapters/openai-sandbox/typed.js'
import { bytesOfKeys } from '../../../lib/terminals/terminal/keys.js'

const line = (text: string) => ({ text, submit: true, keys: [] })
const text = (text: string) => ({ text, submit: false, keys: [] })
const keys = (...keys: string[]) => ({ text: '', submit: false, keys })

test.each([
  ['ls', [text('ls')]],
  ['ls -l\n', [line('ls -l')]],
  ['one\r\ntwo\rthree', [line('one'), line('two'), text('three')]],
  ['\n\n', [line(''), line('')]],
  ['a\tb', [text('a\tb')]],
  ['y\u0003', [text('y'), keys('C-C')]],
  ['\u001b:q\n', [keys('Escape', ':'), line('q')]],
  ['\u001b[A\u001bOP', [keys('Escape', '[', 'A'), keys('Escape', 'O', 'P')]],
  ['\u001b[1;5D', [keys('Escape', '[', '1', ';', '5', 'D')]],
  ['\u001b\u001b', [keys('Escape'), keys('Escape')]],
  ['\u007f\u0000', [keys('BSpace'), keys('C-@')]],
  ['日本 é', [text('日本 é')]],
  ['', []],
])('%j', (chars, typed) => {
  expect(typedPieces(chars)).toEqual(typed)
})

test('every control character but C1 is typed as itself', () => {
  for (let code = 0; code < 0x20; code++) {
    const char = String.fromCharCode(code)
    // Enter, and a tab of the text.
    if ('\t\n\r'.includes(char)) continue
    const [piece] = typedPieces(char)
    expect(bytesOfKeys('keys', piece?.keys ?? []).toString()).toBe(char)
  }
})
