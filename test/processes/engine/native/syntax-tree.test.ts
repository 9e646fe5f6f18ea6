// The parser of bash, as TypeScript sees it. What it makes of bash is tested in test/native/syntax/ and test/guard/safety/script/.
import {
  NODE_SIZE,
  NodeField,
  NodeFlag,
  parse,
  parseAsync,
  syntaxNames,
} from '../../../../lib/processes/engine/native/syntax-tree.js'
import { killHosts, runHost, startHost } from '../../../support/host.js'

afterEach(killHosts)

/** Tree-sitter would take half a minute. */
const slowText = '>'.repeat(240_000)

/** Parsed in some milliseconds, to a tree that is not copied. */
const longText = 'git add -A && '.repeat(3_000)

/** `kind:field[start,end]` of each node. */
function summary(tree: Int32Array | null): string[] | null {
  if (tree === null) return null
  const { kinds, fields } = syntaxNames()
  return Array.from({ length: tree.length / NODE_SIZE }, (_, node) => {
    const field = (index: NodeField) => tree[node * NODE_SIZE + index] as number
    return `${kinds[field(NodeField.kind)]}:${fields[field(NodeField.field)]}[${field(NodeField.start)},${field(NodeField.end)}]`
  })
}

const gitAdd = [
  'program:[0,10]',
  'command:[0,10]',
  'command_name:name[0,3]',
  'word:[0,3]',
  'word:argument[4,7]',
  'word:argument[8,10]',
]

describe('parse', () => {
  test('gives the nodes in pre-order', () => {
    expect(summary(parse('git add -A', 60_000))).toEqual(gitAdd)
  })

  test('gives offsets of the JavaScript string', () => {
    const text = '\u{1f600} é "\ud800" x'

    expect(summary(parse(text, 60_000))).toContain(`word:argument[${text.indexOf('x')},${text.length}]`)
  })

  test('gives nodes that lead from one to the next sibling', () => {
    const tree = parse(longText, 60_000)
    if (tree === null) throw new Error('no tree')
    let node = 1
    while (node < tree.length / NODE_SIZE) node = tree[node * NODE_SIZE + NodeField.next] as number

    expect(node).toBe(tree.length / NODE_SIZE)
    expect(tree[NodeField.next]).toBe(node)
  })

  test('gives a tree of what is no bash, and flags the errors', () => {
    const tree = parse('a )', 60_000)

    expect(summary(tree)).toContain('ERROR:[2,3]')
    expect(tree?.[NodeField.flags]).toBe(NodeFlag.named | NodeFlag.hasError)
  })

  test('gives null when the deadline has passed, and the right tree the next time', () => {
    expect(parse(slowText, 20)).toBeNull()
    expect(summary(parse('git add -A', 60_000))).toEqual(gitAdd)
  })

  test.each([0, -1, Number.NaN])('takes a deadline of %d for no time at all', (deadlineMs) => {
    expect(parse('a', deadlineMs)).toBeNull()
  })

  test('takes an infinite deadline', () => {
    expect(summary(parse('git add -A', Number.POSITIVE_INFINITY))).toEqual(gitAdd)
  })
})

describe('parseAsync', () => {
  test.each([
    ['short', 'git add -A'],
    ['long', longText],
  ])('gives the same tree as parse, of a %s text', async (_, text) => {
    const tree = await parseAsync(text, 60_000)

    expect(tree !== null && parse(text, 60_000)?.every((value, index) => value === tree[index])).toBe(true)
  })

  test('answers each of many texts with its tree', async () => {
    const texts = Array.from({ length: 100 }, (_, i) => `${'a'.repeat(i)} b`)
    const trees = await Promise.all(texts.map((text) => parseAsync(text, 60_000)))

    expect(trees.map(summary)).toEqual(texts.map((text) => summary(parse(text, 60_000))))
  })

  test('gives null when the deadline has passed, and the right tree the next time', async () => {
    const [slow, next] = await Promise.all([parseAsync(slowText, 20), parseAsync('git add -A', 60_000)])

    expect(slow).toBeNull()
    expect(summary(next)).toEqual(gitAdd)
  })

  test('leaves the event loop to others meanwhile', async () => {
    let parsing = true
    let turns = 0
    const tree = parseAsync(slowText, 200).finally(() => {
      parsing = false
    })
    for (; parsing; turns += 1) await new Promise((resolve) => setImmediate(resolve))

    expect(await tree).toBeNull()
    expect(turns).toBeGreaterThan(2)
  })
})

test('syntaxNames gives the same names each time, and no field for 0', () => {
  expect(syntaxNames()).toBe(syntaxNames())
  expect(syntaxNames().fields[0]).toBe('')
})

describe('an environment that ends', () => {
  test('takes its thread with it, and gives up what it parses', async () => {
    const result = await runHost('parse-in-workers', { argument: { workers: 4, text: slowText } })

    expect(result).toEqual({ threadsMeanwhile: 4, threadsAfter: 0, parsesStill: true })
  })

  test('may be the process itself', async () => {
    const host = startHost('exit-while-parsing', { argument: { text: slowText } })

    expect(await host.exited()).toEqual({ code: 7, signal: null })
    expect(host.stderr()).toBe('')
  })
})
