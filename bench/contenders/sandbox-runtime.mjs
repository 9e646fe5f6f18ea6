// @anthropic-ai/sandbox-runtime as a library: bubblewrap, seccomp, and proxies for the network. Installed for the run.

import { onlyConfines } from '../harness/bubblewrap.mjs'
import { SANDBOX_RUNTIME } from '../harness/install.mjs'
import { runProgram } from '../harness/run-program.mjs'

const BASH = '/bin/bash'
const CONFIG = {
  network: { allowedDomains: [], deniedDomains: [] },
  filesystem: { denyRead: [], allowWrite: [], denyWrite: [] },
}

let manager

export default {
  title: SANDBOX_RUNTIME.title,
  unfit: onlyConfines,
  async load() {
    manager = (await import(SANDBOX_RUNTIME.entry())).SandboxManager
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
