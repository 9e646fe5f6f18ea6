// Long and deep scripts: read without a deep stack, with pauses on the way.

import type { Script } from '../../../../lib/guard/safety/script/script.js'
import { readTree } from '../../../../lib/guard/safety/script/tree/read-tree.js'
import { parse } from '../../../../lib/processes/engine/native/syntax-tree.js'
import { finish, readOnlyTree, readOnlyUnbash } from './read.js'

const nested = (open: string, inner: string, close: string, depth: number): string =>
  open.repeat(depth) + inner + close.repeat(depth)

describe('readTree', () => {
  test.each([
    ['&&', 20_000],
    [';', 20_000],
    ['\n', 20_000],
    // The parser takes quadratic time for these.
    ['|', 1000],
  ])('a chain with %j', (operator, count) => {
    const { items, unread } = readOnlyTree(Array(count).fill('a "$b"').join(` ${operator} `))
    expect(unread).toBeNull()
    expect(items).toHaveLength(count)
  })

  test.each([
    ['subshells', nested('( ', 'a', ')', 10_000), 1],
    ['groups', nested('{ ', 'a;', '};', 9999).replace(/;$/, ''), 1],
    ['conditions', nested('if a; then ', 'b;', 'fi;', 2000).replace(/;$/, ''), 2001],
    ['quoted substitutions', nested('a "$(', 'b', ')"', 3000), 3001],
    ['process substitutions', nested('a <(', 'b', ')', 10_000), 10_001],
    ['parameters', `a ${nested('${b:-', 'c', '}', 10_000)}`, 1],
    ['arithmetic', `a ${nested('$((', '1', '))', 3000)}`, 1],
  ])('%s in each other', (_, text, count) => {
    const { items, unread } = readOnlyTree(text)
    expect(unread).toBeNull()
    expect(items).toHaveLength(count)
  })

  test.each([
    ['commands', 'a "b" $c\n'.repeat(25_000)],
    ['arguments', `a ${'x "y" '.repeat(40_000)}`],
    ['a here-document', `a <<E\n${'b $c \\d\n'.repeat(30_000)}E`],
    ['an array', `a=(${'x "y" '.repeat(40_000)})`],
  ])('pauses in 240 KB of %s', (_, text) => {
    let pauses = 0
    const nodes = parse(text, 30_000) as Int32Array
    const steps = readTree(text, nodes)
    const counted = (function* (): Generator<undefined, Script, undefined> {
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done) return step.value
        pauses++
        yield undefined
      }
    })()
    expect(finish(counted, () => null).unread).toBeNull()
    expect(pauses).toBeGreaterThan(1)
  })
})

describe('readWithUnbash', () => {
  test.each(['&&', '|', ';', '\n'])('a chain with %j', (operator) => {
    const { items, unread } = readOnlyUnbash(Array(20_000).fill('a').join(operator))
    expect(unread).toBeNull()
    expect(items).toHaveLength(20_000)
  })
})
