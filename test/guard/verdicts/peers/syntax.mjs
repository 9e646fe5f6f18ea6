// The syntax tree of a bash text as objects, by the parser of the addon: the grammar that codex uses as well.

import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)
const addon = require('node-gyp-build')(fileURLToPath(new URL('../../../..', import.meta.url)))
const { kinds } = addon.syntaxNames()

/** Integers in a node, and where in it its fields are: lib/processes/engine/native/syntax-tree.ts. */
const nodeSize = 6
const [kindAt, startAt, endAt, flagsAt, nextAt] = [0, 2, 3, 4, 5]
const [named, hasError] = [1, 8]
const deadlineMs = 1000

/**
 * @typedef {{ kind: string, isNamed: boolean, text: string, children: Syntax[] }} Syntax
 * @param {string} text
 * @returns {Syntax | null} null when it could not be parsed without an error
 */
export const syntaxOf = (text) => {
  const nodes = addon.parse(text, deadlineMs)
  if (nodes === null || (nodes[flagsAt] & hasError) !== 0) return null
  const read = (node) => {
    const field = (at) => nodes[node * nodeSize + at]
    const children = []
    for (let child = node + 1; child < field(nextAt); child = nodes[child * nodeSize + nextAt]) {
      children.push(read(child))
    }
    return {
      kind: kinds[field(kindAt)],
      isNamed: (field(flagsAt) & named) !== 0,
      text: text.slice(field(startAt), field(endAt)),
      children,
    }
  }
  return read(0)
}

/** @param {Syntax} syntax @returns {Syntax[]} itself and all below it, in the order of the text */
export const everyNode = (syntax) => [syntax, ...syntax.children.flatMap(everyNode)]
