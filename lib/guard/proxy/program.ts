// The code of the proxy's process, as a text: a file would have to be found, where bashward is bundled, and could be another
// one by then, where a command may write to the package.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { once } from '../../base/util/lazy.js'
import { packageRoot } from '../../package-root.js'

/** Written into dist/ by the build; in a checkout's lib/ there is none. */
declare const BASHWARD_PROXY: string | undefined

/** A CommonJS module that exports {@link main}. */
export const proxyProgram = once((): string =>
  typeof BASHWARD_PROXY === 'string'
    ? BASHWARD_PROXY
    : readFileSync(join(packageRoot, 'dist/proxy/main.js'), 'utf8'),
)

/**
 * What the process begins with: it gets its program and its secret in the first line of its stdin, and which descriptors it
 * has from its host. Those it closes, unless the host closed one at the last moment and Node has taken its number.
 */
export const proxyLoader = `
let text = ''
process.stdin.setEncoding('utf8').on('data', function read(piece) {
  text += piece
  const end = text.indexOf('\\n')
  if (end < 0) return
  process.stdin.off('data', read)
  const { program, secret, inherited } = JSON.parse(text.slice(0, end))
  const fs = require('node:fs')
  for (const [descriptor, target] of Object.entries(inherited)) {
    try {
      if (fs.readlinkSync('/proc/self/fd/' + descriptor) === target) fs.closeSync(Number(descriptor))
    } catch {}
  }
  text = ''
  const module = { exports: {} }
  const wrapper = '(function (require, module, exports) {' + program + '\\n})'
  require('node:vm').runInThisContext(wrapper, { filename: 'bashward-proxy.js' })(require, module, module.exports)
  module.exports.main(secret)
})`
