// Reading a script to its end, whatever reads it.
import { readScript } from '../../lib/syntax/read-script.js'
import type { Script } from '../../lib/syntax/script.js'
import { notation } from './notation.js'
import { readings } from './readings.js'

function read(text: string): Script {
  const steps = readScript(text)
  for (;;) {
    const { done, value } = steps.next(null)
    if (done) return value
  }
}

describe.each(Object.entries(readings))('readScript without a tree: %s', (_, group) => {
  test.each(group)('%j', (text, ...expected) => expect(notation(read(text))).toEqual(expected))
})
