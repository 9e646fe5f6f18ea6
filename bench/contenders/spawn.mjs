// child_process.spawn, used as well as it can be.

import { runProgram } from '../harness/run-program.mjs'

export default {
  title: 'child_process.spawn',
  peer: true,
  graceMs: 0,
  run: (command, options) => runProgram('/bin/bash', ['-c', command], options),
}
