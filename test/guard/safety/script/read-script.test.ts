// Reading a script to its end, whatever reads it.
import { notation } from './notation.js'
import { readWithoutTree, readWithTree } from './read.js'
import { readings } from './readings.js'

describe.each(Object.entries(readings))('readScript: %s', (_, group) => {
  test.each(group)('%j', (text, ...expected) => expect(notation(readWithTree(text))).toEqual(expected))
})

describe.each(Object.entries(readings))('readScript without a tree: %s', (_, group) => {
  test.each(group)('%j', (text, ...expected) => expect(notation(readWithoutTree(text))).toEqual(expected))
})
