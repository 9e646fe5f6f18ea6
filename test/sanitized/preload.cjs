// The first that a sanitized Node runs. What it starts is to be as it would be without sanitizers, but for Node itself:
// that is started by the launcher beside this file, see launcher.mjs.
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
