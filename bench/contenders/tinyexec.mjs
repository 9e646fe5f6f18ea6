// tinyexec. Its promise keeps all output in one string, and its abort ends bash alone, so the process is read and
// ended here.

import { collect } from '../harness/collect.mjs'
import { peer } from '../harness/peers.mjs'

const { version, entry } = peer('tinyexec', 'dist/main.mjs')

let x

export default {
  title: `tinyexec ${version}`,
  peer: true,
  module: { kind: 'import', entry },
  async load() {
    x = (await import(entry())).x
  },
  run(command, { cwd, cancelSignal }) {
    const nodeOptions = { cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] }
    return collect(x('/bin/bash', ['-c', command], { nodeOptions }).process, cancelSignal)
  },
}
