// Where unbash cannot be loaded, the tree is all there is.
import { notation } from './notation.js'
import { readWithTree } from './read.js'

jest.mock('unbash', () => {
  throw new SyntaxError("Unexpected token 'export'")
})

test('what the tree can be trusted with is read', () => {
  expect(notation(readWithTree('a | b'))).toEqual(['a', 'b <- 0'])
})

test('of the rest the lines before', () => {
  expect(notation(readWithTree('a\ntime b'))).toEqual(['a', 'unread 2'])
})
