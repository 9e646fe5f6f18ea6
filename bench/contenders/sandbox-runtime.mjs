// @anthropic-ai/sandbox-runtime as a library: bubblewrap, seccomp, and proxies for the network.

import { peer } from '../harness/peers.mjs'
import { runProgram } from '../harness/run-program.mjs'

const { version, entry } = peer('@anthropic-ai/sandbox-runtime', 'dist/index.js')
const BASH = '/bin/bash'
const CONFIG = {
  network: { allowedDomains: [], deniedDomains: [] },
  filesystem: { denyRead: [], allowWrite: [], denyWrite: [] },
}

let manager

export default {
  title: `@anthropic-ai/sandbox-runtime ${version}`,
  onlyConfines: true,
  module: { kind: 'import', entry },
  async load() {
    manager = (await import(entry())).SandboxManager
    await manager.initialize(CONFIG)
  },
  run: (command, options) => runProgram(BASH, ['-c', command], options),
  async runConfined(command, options) {
    return runProgram(BASH, ['-c', await manager.wrapWithSandbox(command)], options)
  },
  async close() {
    await manager?.reset()
  },
}
