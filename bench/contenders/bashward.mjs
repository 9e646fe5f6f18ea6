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
  run(command, { cwd, cancelSignal }) {
    return runCommand(command, { cwd, cancelSignal, termGraceMs: this.graceMs })
  },
  runConfined(command, { cwd }) {
    return runCommand(command, { cwd, sandbox: 'restricted' })
  },
  /** As Workspace mode has it by itself: with a scratch directory. */
  runRestricted(command, { cwd }) {
    return runCommand(command, { cwd, sandbox: 'restricted', scratch: true })
  },
  runInWorkspace(command, { cwd, unreadable }) {
    return runCommand(command, {
      cwd,
      sandbox: 'workspace',
      ...(unreadable && { workspace: { unreadable } }),
    })
  },
}
