// Sends broken requests to a `bashward mcp --http`: `npm run fuzz:mcp -- [--seconds N] [--seed N]`. What may not happen: that a
// request without a token is answered with success or runs a command, that the server ends, grows or keeps descriptors, or that it
// does not serve others meanwhile. The commands of requests with a token are `true`, broken as well, and so run in Restricted mode.

import { execFileSync, spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { randomOf } from './random.mjs'
import { makeRequest } from './requests.mjs'

const { values } = parseArgs({ options: { seconds: { type: 'string' }, seed: { type: 'string' } } })
const seconds = Number(values.seconds ?? 10)
const seed = Number(values.seed ?? randomInt(2 ** 31))
const random = randomOf(seed)
console.log(`seed ${seed}, ${seconds} s`)

const atATime = 24
/** Between two looks at the server, requests. */
const round = 240
const maxRssBytes = 400 * 1024 * 1024
/** As a command's only argument: no other process has it. */
const marker = `300.${String(process.pid).padStart(7, '0')}${seed}`

const temporary = mkdtempSync(join(tmpdir(), 'bashward-fuzz-'))
const token = randomBytes(32).toString('base64')
writeFileSync(join(temporary, 'token'), token, { mode: 0o600 })
const bin = resolve(import.meta.dirname, '../../../../../dist/cli/bin.js')
const options = [
  '--http',
  '127.0.0.1:0',
  '--token-file',
  join(temporary, 'token'),
  '--restricted',
  '--cwd',
  '/',
]
const server = spawn(process.execPath, [bin, 'mcp', ...options], {
  stdio: ['ignore', 'ignore', 'pipe'],
  env: { ...process.env, XDG_STATE_HOME: join(temporary, 'state') },
})
let hasEnded = false
server.on('exit', () => {
  hasEnded = true
})
const said = []
const lines = createInterface({ input: server.stderr })
lines.on('line', (line) => said.push(line))

const until = async (condition, what, limitMs = 60_000) => {
  for (const end = performance.now() + limitMs; !condition(); await delay(20)) {
    if (performance.now() > end) throw new Error(`waited in vain for ${what}`)
  }
}
const check = (holds, what) => {
  if (!holds) throw new Error(what)
}

/** @returns what came back until the server closed, or it was enough */
const exchange = async (port, { bytes, pieces }) => {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (data) => {
    if (text.length < 10_000) text += data.toString('latin1')
  })
  socket.on('error', () => {})
  const closed = once(socket, 'close').catch(() => {})
  for (let piece = 0; piece < pieces; piece += 1) {
    const size = Math.ceil(bytes.length / pieces)
    socket.write(bytes.subarray(piece * size, (piece + 1) * size))
    if (pieces > 1) await delay(1)
  }
  // A client that goes away, or one that waits for its answer for a while.
  if (random.chance(0.2)) socket.end()
  await Promise.race([closed, delay(random.pick([5, 50, 500]), undefined, { ref: true })])
  socket.destroy()
  return text
}

const status = (name) =>
  Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1])
/** 0 where they cannot be seen: a server that is not root's hides them. */
const descriptors = () => {
  try {
    return readdirSync(`/proc/${server.pid}/fd`).length
  } catch ({ code }) {
    if (code === 'EACCES') return 0
    throw new Error('the server has ended')
  }
}
const namesOfDescriptors = () => execFileSync('ls', ['-l', `/proc/${server.pid}/fd`], { encoding: 'utf8' })
const hasRun = () =>
  readdirSync('/proc').some((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(marker)
    } catch {
      return false
    }
  })

const ask = (port, message, headers = {}) =>
  fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
    headers: {
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...headers,
    },
    signal: AbortSignal.timeout(20_000),
  })
const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } },
}
const call = { method: 'tools/call', params: { name: 'bash', arguments: { command: 'true' } } }

try {
  await until(() => hasEnded || said.some((line) => line.includes('listening on')), 'the server')
  const port = Number(/:(\d+)\/mcp/.exec(said.join('\n'))?.[1])
  const opened = await ask(port, initialize)
  await opened.text()
  // With the first command what all commands need is opened.
  await (await ask(port, call, { 'mcp-session-id': opened.headers.get('mcp-session-id') })).text()
  const before = descriptors()
  const end = performance.now() + seconds * 1000
  const counts = { sent: 0, answered: 0, success: 0, without: 0 }
  let most = 0
  while (performance.now() < end) {
    const alive = await ask(port, initialize)
    check(alive.status === 200, `a good request is answered with ${alive.status}`)
    await alive.text()
    const session = alive.headers.get('mcp-session-id') ?? undefined
    const given = { port, token, command: `sleep ${marker}`, session }
    for (let sent = 0; sent < round; sent += atATime) {
      const requests = Array.from({ length: atATime }, () => makeRequest(random, given))
      const answers = await Promise.all(requests.map((request) => exchange(port, request)))
      for (const [index, text] of answers.entries()) {
        const { hasToken, bytes } = requests[index]
        const [, code] = /^HTTP\/1\.1 (\d)/.exec(text) ?? []
        counts.sent += 1
        if (code !== undefined) counts.answered += 1
        if (hasToken) counts.success += code === '2' ? 1 : 0
        else {
          counts.without += 1
          check(
            code !== '2' && !/HTTP\/1\.1 2/.test(text),
            `without a token: ${bytes.toString('latin1')}\n→ ${text}`,
          )
        }
      }
    }
    check(!hasEnded, `the server has ended: ${said.slice(-20).join('\n')}`)
    check(!hasRun(), 'a command has run without a token')
    most = Math.max(most, status('VmRSS') * 1024)
    check(most < maxRssBytes, `the server has ${most} bytes`)
    check(descriptors() < before + 200, `the server has ${descriptors()} descriptors`)
  }
  await until(() => descriptors() <= before + 4, 'its descriptors to be closed').catch((error) => {
    throw new Error(`${error.message}, of which there were ${before}:\n${namesOfDescriptors()}`)
  })
  server.kill('SIGTERM')
  await until(() => hasEnded, 'the server to end')
  check(
    server.exitCode === 143,
    `the server ended with ${server.exitCode ?? server.signalCode}: ${said.slice(-20).join('\n')}`,
  )
  console.log(JSON.stringify({ ...counts, maxRssMiB: Math.round(most / 2 ** 20) }))
} catch (error) {
  console.log(`seed ${seed}: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
} finally {
  if (!hasEnded) {
    server.kill('SIGKILL')
    await once(server, 'exit')
  }
  rmSync(temporary, { recursive: true, force: true })
}
