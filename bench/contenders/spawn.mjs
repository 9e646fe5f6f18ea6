// child_process.spawn, used as well as it can be.

import { runProgram } from '../harness/run-program.mjs'

export default {
  title: 'child_process.spawn',
  peer: true,
  module: { kind: 'require', entry: () => 'node:child_process' },
  run: (command, options) => runProgram('/bin/bash', ['-c', command], options),
}
