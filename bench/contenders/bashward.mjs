// bashward itself: the built package, through its public entry point.

import { fileURLToPath } from 'node:url'

let runCommand

export default {
  title: 'bashward',
  graceMs: 50,
  module: { kind: 'require', entry: () => fileURLToPath(new URL('../../dist/index.js', import.meta.url)) },
  async load() {
    runCommand = (await import('../../dist/index.mjs')).run
  },
  run(command, { cwd, cancelSignal, home }) {
    return runCommand(command, { cwd, cancelSignal, termGraceMs: this.graceMs, ...inHome(home) })
  },
  runConfined(command, { cwd }) {
    return runCommand(command, { cwd, sandbox: 'restricted' })
  },
  /** As Workspace mode has it by itself: with a scratch directory. */
  runRestricted(command, { cwd, home }) {
    return runCommand(command, { cwd, sandbox: 'restricted', scratch: true, ...inHome(home) })
  },
  runInWorkspace(command, { cwd, home }) {
    return runCommand(command, { cwd, sandbox: 'workspace', ...inHome(home) })
  },
}

const inHome = (home) => (home === undefined ? {} : { env: { set: { HOME: home } } })
