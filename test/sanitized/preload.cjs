// The first code that a sanitized Node runs. What Node starts shall run as it would without sanitizers, except Node
// itself: the launcher beside this file starts that, see launcher.mjs.
const { join } = require('node:path')

/** What the launcher has put before whatever the caller had there. */
const additions = { LD_PRELOAD: /^\S+ ?/, NODE_OPTIONS: /^--require \S+ ?/ }

// A worker thread has a copy of the environment, in which this is done already.
if (require('node:worker_threads').isMainThread) {
  const { env } = process
  for (const [name, addition] of Object.entries(additions)) {
    env[name] = env[name].replace(addition, '')
    if (env[name] === '') delete env[name]
  }
  for (const name of ['ASAN_OPTIONS', 'UBSAN_OPTIONS']) delete env[name]
}
process.execPath = join(__dirname, 'node')
