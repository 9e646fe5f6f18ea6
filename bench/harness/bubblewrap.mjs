// Contenders that confine a command with bwrap(1): Debian's package bubblewrap.

import { execFileSync } from 'node:child_process'
import { runProgram } from './run-program.mjs'

const BASH = '/bin/bash'

/** They confine, and are nothing else than child_process.spawn otherwise. */
export const onlyConfines = ['latency', 'concurrency', 'flood', 'tiny', 'kill']

export const bubblewrap = (parameters) => ({
  title: ['bwrap', ...parameters].join(' '),
  unfit: onlyConfines,
  async load() {
    execFileSync('bwrap', [...parameters, BASH, '-c', ':'], { stdio: ['ignore', 'ignore', 'pipe'] })
  },
  run: (command, options) => runProgram(BASH, ['-c', command], options),
  runConfined: (command, options) => runProgram('bwrap', [...parameters, BASH, '-c', command], options),
})
