// Runs a host scenario of the tests to its end, in a process of its own.
const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { join } = require('node:path')
const { createInterface } = require('node:readline')

const root = join(__dirname, '..')
const main = join(root, 'test/fixtures/host-main.cjs')

/**
 * @param {string} scenario of test/fixtures/hosts
 * @param {{ argument?: unknown, prefix?: string[], env?: NodeJS.ProcessEnv,
 *   each?: (key: string, value: unknown) => void }} options prefix: words before `node`; each: told of every report
 * @returns {Promise<{ result: unknown }>}
 */
const runHost = async (scenario, { argument = null, prefix = [], env = process.env, each = () => {} }) => {
  const [program, ...args] = [...prefix, process.execPath, main]
  const host = spawn(program, args, { cwd: '/', env, detached: true, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(host, 'close')
  host.stdin.end(JSON.stringify({ root, scenario, argument }))
  let outcome
  createInterface({ input: host.stdout }).on('line', (line) => {
    for (const [key, value] of Object.entries(JSON.parse(line))) {
      if (key === 'result') outcome = { result: value }
      else each(key, value)
    }
  })
  const [code, signal] = await ended
  if (outcome === undefined) throw new Error(`host ${scenario} ended with ${code ?? signal}, and no result`)
  return outcome
}

module.exports = { runHost }
