// The bash of @anthropic-ai/sdk's agent toolset: a shell that stays and reads commands from a pipe. Here each command
// gets its own, because calls of the other contenders share nothing; `jobs` measures a shell that stays.

import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const NAME = '@anthropic-ai/sdk'
const MODULE = `${NAME}/tools/agent-toolset/node`
// A development dependency already, for the tests of the adapter.
const { devDependencies } = require('../../package.json')

let BashSession

export default {
  title: `${NAME} ${devDependencies[NAME]} BashSession`,
  peer: true,
  module: { kind: 'require', entry: () => require.resolve(MODULE) },
  async load() {
    BashSession = (await import(MODULE)).BashSession
  },
  async run(command, { cwd, cancelSignal }) {
    const session = new BashSession(cwd)
    try {
      // It keeps the last 100 KiB, and counts nothing.
      return { ...(await session.exec(command, { signal: cancelSignal })), outputBytes: null }
    } finally {
      session.close()
    }
  },
  /** @returns {{ run: (command: string) => Promise<{ exitCode: number }>, close: () => void }} a shell that stays */
  openSession({ cwd }) {
    const session = new BashSession(cwd)
    return { run: (command) => session.exec(command), close: () => session.close() }
  },
}
