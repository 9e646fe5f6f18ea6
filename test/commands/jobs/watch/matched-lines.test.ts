// What is told of many lines that match: the first and the last, and how many there were between.
import { MatchedLines } from '../../../../lib/commands/jobs/watch/matched-lines.js'

const linesOf = (...texts: string[]) => {
  const matched = new MatchedLines()
  for (const text of texts) matched.add(text)
  return matched
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => `${i + 1}`)

test('twenty are told whole', () => {
  expect(linesOf(`${numbers(20).join('\n')}\n`).lines()).toEqual(numbers(20))
})

test('of more the first and the last ten', () => {
  const all = numbers(1000)

  expect(linesOf(`${all.join('\n')}\n`).lines()).toEqual([
    ...all.slice(0, 10),
    '[980 more lines]',
    ...all.slice(-10),
  ])
})

test('however many pieces they come in', () => {
  const pieces = [...`${numbers(100).join('\n')}\n`]

  expect(linesOf(...pieces).lines()).toEqual(linesOf(pieces.join('')).lines())
})

test('of long ones as many as have 5000 characters at either end', () => {
  const long = (letter: string) => letter.repeat(2000)
  const text = `${[...'abcdefgh'].map(long).join('\n')}\n`

  expect(linesOf(text).lines()).toEqual([long('a'), long('b'), '[4 more lines]', long('g'), long('h')])
})

test('one that has no end yet is told once there is one', () => {
  const matched = linesOf('one\ntw')
  const before = matched.lines()
  matched.add('o\nthree')
  const then = matched.lines()
  matched.end()

  expect([before, then, matched.lines()]).toEqual([['one'], ['one', 'two'], ['one', 'two', 'three']])
})
