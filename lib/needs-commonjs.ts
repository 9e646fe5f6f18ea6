// The first module of all. Bundled into an ES module, the package has no require, and everything after this would fail
// with riddles.

import type * as os from 'node:os'

try {
  require('node:os') as typeof os
  if (typeof __dirname === 'undefined') throw new ReferenceError('__dirname is not defined')
} catch (cause) {
  throw new Error(
    'bashward cannot be bundled into an ES module. Keep it external: docs/containers-and-ci.md, Bundlers',
    { cause },
  )
}
