// Splitting at IFS, compared with bash. Empty words, which matter to no rule, are left out.
import fc from 'fast-check'
import { FieldBuilder } from '../../../../lib/guard/safety/expansion/field.js'
import { askBash } from './bash.js'

const split = (separators: string, value: string): string[] => {
  const builder = new FieldBuilder({ start: 0, end: 0, source: '' }, { separators })
  builder.addQuoted('<')
  builder.addSplit(value)
  builder.addQuoted('>')
  builder.finish()
  return builder.fields.map(({ text }) => text).filter((text) => text !== '')
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

test('words are split where bash splits them', () => {
  const characters = fc.constantFrom(' ', '\t', '\n', ',', ':', '-', '^', ']', '\\', '.', 'a', 'b')
  const texts = fc.array(characters, { maxLength: 8 }).map((parts) => parts.join(''))
  const separators = fc.array(characters, { maxLength: 3 }).map((parts) => parts.join(''))
  const cases = fc.sample(fc.tuple(separators, texts), { numRuns: 500, seed: 1 })
  const lines = cases.map(([ifs, text]) => `IFS=${quote(ifs)}; X=${quote(text)}; printf '%s\\0' "<"$X">" end`)
  const results = askBash(lines.join('\n')).split('end\0').slice(0, -1)
  const expected = results.map((words) => words.split('\0').filter((word) => word !== ''))

  expect(cases.map(([ifs, text]) => split(ifs, text))).toEqual(expected)
})
