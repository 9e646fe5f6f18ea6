// A program started by child_process.spawn, used as well as it can be: an absolute path, a prepared environment, and
// what collect.mjs adds.

import { spawn } from 'node:child_process'
import { collect } from './collect.mjs'

// process.env is an exotic object; reading it for every command would slow this down.
export const environment = { ...process.env }

/**
 * @param {string} program
 * @param {string[]} parameters
 * @param {{ cwd: string, cancelSignal?: AbortSignal }} options
 * @returns {Promise<{ exitCode: number | null, output: string, outputBytes: number }>}
 */
export function runProgram(program, parameters, { cwd, cancelSignal }) {
  const child = spawn(program, parameters, {
    cwd,
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return collect(child, cancelSignal)
}
