// The first module of all. On an older Node, or bundled into an ES module, where it has no require, everything after this
// would fail with riddles.

import type * as os from 'node:os'
import { nodeProblem } from './needs-node.js'

const problem = nodeProblem()
if (problem !== undefined) throw new Error(problem)

try {
  require('node:os') as typeof os
  if (typeof __dirname === 'undefined') throw new ReferenceError('__dirname is not defined')
} catch (cause) {
  throw new Error(
    'bashward cannot be bundled into an ES module. Keep it external: docs/containers-and-ci.md, Bundlers',
    { cause },
  )
}
