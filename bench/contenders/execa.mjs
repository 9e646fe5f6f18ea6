// execa: the newest that this Node can load. Output is read from its streams, because what it buffers has no other bound
// than an error; its own cancel ends bash alone, so the process group is ended here.

import { collect } from '../harness/collect.mjs'
import { peer } from '../harness/peers.mjs'
import { environment } from '../harness/run-program.mjs'

const isRecent = Number(process.versions.node.split('.')[0]) >= 22
const { version, entry } = peer(isRecent ? 'execa' : 'execa-9', 'index.js')
const OPTIONS = {
  stdin: 'ignore',
  buffer: false,
  reject: false,
  detached: true,
  env: environment,
  extendEnv: false,
}

let execa

export default {
  title: `execa ${version}`,
  peer: true,
  module: { kind: 'import', entry },
  async load() {
    execa = (await import(entry())).execa
  },
  async run(command, { cwd, cancelSignal }) {
    const child = execa('/bin/bash', ['-c', command], { ...OPTIONS, cwd })
    const [result] = await Promise.all([collect(child, cancelSignal), child])
    return result
  },
}
