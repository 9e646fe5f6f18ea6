// The conformance tests of the protocol against `bashward mcp --http`: `npm run test:conformance [SCENARIO…]`. Downloads them, and a
// newer Node where it is needed, into a temporary directory, which is removed. What cannot pass is in cannot.mjs, with the reason.

import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { cannot } from './cannot.mjs'
import { startProxy } from './proxy.mjs'

const root = resolve(import.meta.dirname, '../..')
const versions = ['2025-06-18', '2025-11-25', '2026-07-28']
const packages = { '@modelcontextprotocol/conformance': '0.2.0-alpha.12', node: '22.23.3' }
const wanted = process.argv.slice(2)
const temporary = mkdtempSync(join(tmpdir(), 'bashward-conformance-'))

const install = () => {
  writeFileSync(join(temporary, 'package.json'), JSON.stringify({ private: true, dependencies: packages }))
  // The package `node` is linked by its script.
  const options = ['--silent', '--no-audit', '--no-fund', '--foreground-scripts=false']
  execFileSync('npm', ['install', ...options], { cwd: temporary, stdio: ['ignore', 'inherit', 'inherit'] })
}

/** Which Node can run them: they use fs.globSync(). */
const newNode = () =>
  Number(process.versions.node.split('.')[0]) >= 22
    ? process.execPath
    : join(temporary, 'node_modules/node/bin/node')

const startServer = async (proxy) => {
  const token = randomBytes(32).toString('base64')
  const file = join(temporary, 'token')
  writeFileSync(file, token, { mode: 0o600 })
  const names = ['localhost', '127.0.0.1'].map((name) => `${name}:${proxy.port}`)
  const allowed = names.flatMap((name) => ['--allow-host', name, '--allow-origin', `http://${name}`])
  const args = ['mcp', '--http', '127.0.0.1:0', '--token-file', file, '--cwd', temporary, ...allowed]
  const server = spawn(process.execPath, [join(root, 'dist/cli/bin.js'), ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, XDG_STATE_HOME: join(temporary, 'state') },
  })
  for await (const line of createInterface({ input: server.stderr })) {
    const [, port] = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(line) ?? []
    if (port === undefined) throw new Error(line)
    proxy.sendTo({ port: Number(port), token })
    break
  }
  server.stderr.resume()
  return server
}

/** @returns the checks of each scenario */
const runSuite = async (url, version) => {
  const results = join(temporary, version)
  const program = join(temporary, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
  const options = ['--url', url, '--suite', 'all', '--spec-version', version, '-o', results]
  const run = spawn(newNode(), [program, 'server', ...options], { cwd: temporary, stdio: 'ignore' })
  await once(run, 'exit')
  return readdirSync(results).map((directory) => ({
    scenario: /^(?:server-)?(.*?)-\d{4}-\d\d-\d\dT/.exec(directory)?.[1] ?? directory,
    checks: JSON.parse(readFileSync(join(results, directory, 'checks.json'), 'utf8')),
  }))
}

let wrong = 0
const tell = (isRight, text) => {
  if (!isRight) wrong += 1
  console.log(`${isRight ? '' : 'WRONG  '}${text}`)
}

const reasonOf = (scenario, { errorMessage = '' }) =>
  cannot.find((given) => given.scenario.test(scenario) && given.message.test(errorMessage))?.why

const judge = (version, { scenario, checks }) => {
  const where = `${version}  ${scenario}`
  const passed = checks.filter(({ status }) => status === 'SUCCESS').length
  const failed = checks.filter(({ status }) => status === 'FAILURE')
  const reasons = failed.map((check) => ({ ...check, why: reasonOf(scenario, check) }))
  for (const { id, errorMessage } of reasons.filter(({ why }) => why === undefined)) {
    tell(false, `${where}: ${id}: ${errorMessage}`)
  }
  const why = [...new Set(reasons.flatMap((given) => given.why ?? []))].join('; ')
  tell(
    passed + failed.length > 0,
    `${where}: ${passed} passed${why === '' ? '' : `, ${failed.length} cannot: ${why}`}`,
  )
}

let server
const proxy = await startProxy()
try {
  install()
  server = await startServer(proxy)
  for (const version of versions) {
    for (const result of await runSuite(`http://localhost:${proxy.port}/mcp`, version)) {
      if (wanted.length === 0 || wanted.includes(result.scenario)) judge(version, result)
    }
  }
} finally {
  proxy.close()
  if (server !== undefined && server.exitCode === null) {
    server.kill()
    await once(server, 'exit')
  }
  rmSync(temporary, { recursive: true, force: true })
}
console.log(wrong === 0 ? 'as expected' : `${wrong} not as expected`)
process.exitCode = wrong === 0 ? 0 : 1
