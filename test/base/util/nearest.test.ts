import { nearest, suggestion } from '../../../lib/base/util/nearest.js'

const words = ['run', 'check', 'jobs', 'doctor', 'mcp']

describe('nearest', () => {
  test.each([
    ['a letter too many', 'runn', 'run'],
    ['a letter too few', 'docto', 'doctor'],
    ['another letter', 'chack', 'check'],
    ['two letters that are swapped', 'rnu', 'run'],
    ['two slips in a long word', 'docktoer', 'doctor'],
    ['the word itself', 'jobs', 'jobs'],
  ])('knows %s', (_, word, meant) => {
    expect(nearest(word, words)).toBe(meant)
  })

  test.each([[''], ['ls'], ['frobnicate'], ['r'.repeat(100_000)]])('takes %.20p for none of them', (word) => {
    expect(nearest(word, words)).toBeUndefined()
  })
})

test('what is not near is told what there is', () => {
  expect(suggestion('lsit', ['list', 'kill'])).toBe(": did you mean 'list'?")
  expect(suggestion('frobnicate', ['list', 'kill'])).toBe(': must be one of list, kill')
})
