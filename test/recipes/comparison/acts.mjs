// The rows of docs/comparison.md that are tried out: what is done, and whether it came out well. Each runs in a process of
// its own.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * @typedef {{ marker: string, directory: string, run(command: string, timeoutMs?: number): Promise<string> }} Attempt
 */

/** How long anything may need that is to happen: more than any contender's own grace. */
const patienceMs = 8000

/** Processes with the marker in their command lines, other than this one. */
export const processesWith = (marker) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .filter((pid) => commandLine(pid).includes(marker))
    .map(Number)

const commandLine = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

export const becomesTrue = async (condition, limitMs = patienceMs) => {
  const deadline = Date.now() + limitMs
  while (!condition()) {
    if (Date.now() > deadline) return false
    await delay(20)
  }
  return true
}

/** Everything is gone after the timeout. The marker is a duration that nobody else sleeps. */
const killed = (command) => async (attempt) => {
  await Promise.race([attempt.run(command(attempt), 1000), delay(patienceMs)])
  return await becomesTrue(() => processesWith(attempt.marker).length === 0)
}

const contains = async (attempt, command, text) => (await attempt.run(command)).includes(text)

/** What a command says that was let through. */
const through = 'was let through'

const refused = (command) => async (attempt) =>
  !(await contains(attempt, `${command(attempt)} && echo ${through}`, through))

/** Whether a connection from the command arrives here. */
const unreachable = (listenOn, command) => async (attempt) => {
  let arrived = false
  const server = createServer((socket) => {
    arrived = true
    socket.end()
  })
  await new Promise((resolve) => server.listen(listenOn(attempt), resolve))
  await attempt.run(command(attempt, server.address()))
  server.close()
  return !arrived
}

/** @type {Record<string, (attempt: Attempt) => Promise<boolean>>} */
export const running = {
  'returns when bash ends, though a child holds the output': async ({ run, marker }) => {
    const text = await Promise.race([run(`sleep 6${marker} & echo done`, 30_000), delay(15_000, '')])
    return text.includes('done')
  },
  'a timeout keeps what was printed': async ({ run, marker }) =>
    (await run(`echo printed; sleep ${marker}`, 1000)).includes('printed'),
  'a timeout ends a child': killed(({ marker }) => `sleep ${marker}; true`),
  'a timeout ends a process that ignores SIGTERM': killed(
    ({ marker }) => `(trap '' TERM; sleep ${marker}; sleep ${marker}) & wait`,
  ),
  'a timeout ends a daemon': killed(({ marker }) => `setsid -f sleep ${marker}; sleep ${marker}`),
  'stdout and stderr in their order': async ({ run }) => {
    const lines = Array.from({ length: 50 }, (_, index) => `o${index}\ne${index}\n`).join('')
    return (await run('for i in {0..49}; do echo o$i; echo e$i >&2; done')).trim() === lines.trim()
  },
  'a command that reads input gets end-of-file': (attempt) => contains(attempt, 'cat; echo ended', 'ended'),
  'keeps API keys in the environment from commands': async (attempt) =>
    !(await contains(attempt, 'env', 'COMPARED_API_KEY')),
  '300 MB of output does not fill the memory': async ({ run }) => {
    const before = process.resourceUsage().maxRSS
    await run(`head -c 300000000 /dev/zero | tr '\\0' a; echo end`, 90_000).catch(() => {})
    return process.resourceUsage().maxRSS - before < 150 * 1024
  },
  '300 MB of output: its end is kept': async ({ run }) =>
    (await run(`head -c 300000000 /dev/zero | tr '\\0' a; echo the end`, 90_000).catch(() => '')).includes(
      'the end',
    ),
}

/** @type {typeof running} */
export const confining = {
  'writing a file': refused(({ directory }) => `echo x > ${join(directory, 'file')}`),
  'changing a mode': refused(({ directory }) => `chmod 700 ${directory}`),
  'TCP, including localhost': unreachable(
    () => ({ host: '127.0.0.1', port: 0 }),
    (_, { port }) => `exec 3<>/dev/tcp/127.0.0.1/${port}`,
  ),
  'local sockets': unreachable(
    ({ directory }) => join(directory, 'socket'),
    ({ directory }) =>
      `'${process.execPath}' -e 'require("net").connect("${join(directory, 'socket')}").on("error", () => {})'`,
  ),
  'signals to processes outside': refused(() => `kill -0 ${process.pid}`),
  "reading the host's environment": refused(() => `cat /proc/${process.pid}/environ > /dev/null`),
  'new user namespaces': refused(() => 'unshare --user true'),
  'API keys in the environment': async (attempt) => !(await contains(attempt, 'env', 'COMPARED_API_KEY')),
}

const ownServer = `const { createServer, connect } = require("node:net")
const server = createServer((client) => client.end("served")).listen(0, "127.0.0.1", () =>
  connect(server.address().port, "127.0.0.1").on("data", (text) => {
    console.log(String(text))
    process.exit()
  }))`

/** @type {typeof running} */
export const working = {
  'files in its directory can be written': (attempt) =>
    contains(attempt, 'echo kept > file; cat file', 'kept'),
  'a file elsewhere cannot': async (attempt) =>
    await elsewhere((path) => refused(() => `echo x > ${path}/file`)(attempt)),
  'nor can a mode': async (attempt) => await elsewhere((path) => refused(() => `chmod 700 ${path}`)(attempt)),
  'a server of its own can be reached': (attempt) =>
    contains(attempt, `'${process.execPath}' -e '${ownServer}'`, 'served'),
  'a server of another program cannot': confining['TCP, including localhost'],
  'nor can a local socket of another program, in its directory': confining['local sockets'],
}

const elsewhere = async (act) => {
  const path = mkdtempSync(join(tmpdir(), 'elsewhere-'))
  try {
    return await act(path)
  } finally {
    rmSync(path, { recursive: true, force: true })
  }
}
