// Contenders that confine a command with bwrap(1): Debian's package bubblewrap.

import { execFileSync } from 'node:child_process'
import { runProgram } from './run-program.mjs'

const BASH = '/bin/bash'

/** @param {string} title @param {string[]} parameters */
export const bubblewrap = (title, parameters) => ({
  title,
  onlyConfines: true,
  async load() {
    execFileSync('bwrap', [...parameters, BASH, '-c', ':'], { stdio: ['ignore', 'ignore', 'pipe'] })
  },
  run: (command, options) => runProgram(BASH, ['-c', command], options),
  runConfined: (command, options) => runProgram('bwrap', [...parameters, BASH, '-c', command], options),
})
