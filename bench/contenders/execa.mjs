// execa: the newest that this Node can load. Reads output from its streams, because its own buffer can only be
// bounded by an error; kills the process group here, because execa's own cancel ends bash alone.

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
