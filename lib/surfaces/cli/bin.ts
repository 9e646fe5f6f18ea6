#!/usr/bin/env node
// The program `bashward`, on a Node that can run it.

import { nodeProblem } from '../../needs-node.js'
import type * as Main from './main.js'

const problem = nodeProblem()
if (problem === undefined) {
  const { main } = require('./main.js') as typeof Main
  // Not left to the event loop: output that nobody reads any more must not keep a cancelled program alive.
  main(process.argv.slice(2)).then((status) => process.exit(status))
} else {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 125
}
