// What is told of commands that hang: each kind with real processes.
import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { leaveNothing, liveJobs } from '../../commands/jobs-live/live-jobs.js'
import { cannotTest } from '../../support/must-work.js'
import { uniqueSleep } from '../../support/processes.js'
import { listening } from '../../support/proxy.js'
import { tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { explained, nodeCommand } from './hung-commands.js'

const children: ChildProcess[] = []
const servers: Server[] = []
const sockets: Socket[] = []

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) server.close()
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await leaveNothing()
})

/** A server that takes connections and says nothing. */
const silentServer = async (): Promise<number> => {
  const server = createServer((socket) => sockets.push(socket))
  servers.push(server)
  return await listening(server)
}

const startNode = async (program: string, ...args: string[]): Promise<ChildProcess & { said: string }> => {
  const child = spawn(process.execPath, ['-e', program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  await waitFor(() => said.endsWith('\n'), { what: 'the program to say that it is ready' })
  return Object.assign(child, { said: said.trim() })
}

test('a program that sleeps is named, and not the shell and the readers that wait for it', async () => {
  const marker = uniqueSleep()
  const { waiting } = await explained(liveJobs(), `sleep ${marker} | cat | wc -l; true`, /^sleep: asleep for/)

  expect(waiting).toEqual([
    {
      pid: expect.any(Number),
      command: `sleep ${marker}`,
      kind: 'sleep',
      text: expect.stringMatching(/^asleep for (?:\d+ more seconds|300 more seconds at most)$/),
    },
  ])
})

test('two slow parts of one command are both named', async () => {
  const [one, two] = [uniqueSleep(), uniqueSleep()]
  const { waiting } = await explained(liveJobs(), `sleep ${one} & sleep ${two} & wait`, /sleep: .*\nsleep: /)

  expect(waiting.map(({ command }) => command).sort()).toEqual([`sleep ${one}`, `sleep ${two}`].sort())
})

test('a lock on a file is named, with the process that holds it by its name alone', async () => {
  const file = join(tempDir(), 'index.lock')
  writeFileSync(file, '')
  const holder = spawn('flock', [file, 'sleep', uniqueSleep()], { stdio: 'ignore' })
  children.push(holder)
  const { waiting } = await explained(liveJobs(), `flock ${file} echo mine; true`, /^lock: .*held by/)

  expect(waiting[0]).toEqual({
    pid: expect.any(Number),
    command: `flock ${file} echo mine`,
    kind: 'lock',
    text: `waiting for the lock of ${file}, held by ${holder.pid} (flock)`,
    peer: { pid: holder.pid, command: 'flock' },
  })
})

test('a lock that another process of the command holds is named with its arguments', async () => {
  const file = join(tempDir(), 'lock')
  const marker = uniqueSleep()
  const command = `flock ${file} sleep ${marker} & until [ -e ${file} ]; do :; done; sleep 0.5; flock ${file} true; true`
  const { text } = await explained(liveJobs(), command, /^lock: /)

  expect(text).toMatch(
    new RegExp(`^lock: waiting for the lock of ${file}, held by \\d+ \\(flock ${file} sl.*\\)$`, 'm'),
  )
})

test('a FIFO that nobody writes to is input', async () => {
  const fifo = join(tempDir(), 'fifo')
  const { text } = await explained(liveJobs(), `mkfifo ${fifo}; cat ${fifo} | wc -l`, /^input: /)

  expect(text).toBe(`input: opening the FIFO ${fifo}, which nobody has open for writing`)
})

test('a FIFO that the reader keeps open itself gives no other answer than its own events', async () => {
  const fifo = join(tempDir(), 'fifo')
  const { waiting } = await explained(liveJobs(), `mkfifo ${fifo}; exec 3<>${fifo}; read -r line <&3`, /./)

  expect(['input', 'thread']).toContain(waiting[0]?.kind)
})

test('a server that does not answer is named', async () => {
  const port = await silentServer()
  const { text } = await explained(
    liveJobs(),
    `exec 3<>/dev/tcp/127.0.0.1/${port}; cat <&3; true`,
    /^network: /,
  )

  expect(text).toBe(`network: waiting for data from 127.0.0.1:${port}`)
})

test('and when an event loop waits for it', async () => {
  const port = await silentServer()
  const program = `require("net").connect(${port}, "127.0.0.1").on("data", () => {})`
  const { text } = await explained(liveJobs(), `${nodeCommand(program)}; true`, /^network: /)

  expect(text).toBe(`network: waiting for data from 127.0.0.1:${port}`)
})

test('a server on IPv6 is named with its address in brackets', async () => {
  const server = createServer((socket) => sockets.push(socket))
  servers.push(server)
  let port: number
  try {
    port = await listening(server, '::1')
  } catch (error) {
    return cannotTest(`there is no IPv6 here: ${error}`)
  }
  const { text } = await explained(liveJobs(), `exec 3<>/dev/tcp/::1/${port}; cat <&3; true`, /^network: /)

  expect(text).toBe(`network: waiting for data from [::1]:${port}`)
})

test('a connection that nobody accepts is being made', async () => {
  const listen = `
    const server = require('net').createServer()
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port))`
  const host = await startNode(listen)
  host.kill('SIGSTOP')
  const port = Number(host.said)
  const others = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  sockets.push(...others)
  // Those for whom there is room are connected before the command comes.
  await waitFor(() => others.some(({ connecting }) => !connecting), { what: 'a connection' })
  const { text } = await explained(
    liveJobs(),
    `cat </dev/tcp/127.0.0.1/${port}; true`,
    /^network: .*connecting/,
  )

  expect(text).toMatch(
    new RegExp(
      `^network: waiting for 127\\.0\\.0\\.1:${port} \\(connecting(?: for [\\d.]+ s)?, no answer .*\\)$`,
    ),
  )
})

test('a DNS server that does not answer is one', async () => {
  const { text } = await explained(liveJobs(), 'cat </dev/udp/127.0.0.9/53; true', /^network: /)

  expect(text).toBe('network: waiting for a DNS answer from 127.0.0.9:53')
})

test('the peer of a Unix socket is not known, and that it is waited for is', async () => {
  const path = join(tempDir(), 'socket')
  const server = createServer((socket) => sockets.push(socket))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(path, resolve))
  const program = `require("net").connect("${path}").on("data", () => {})`
  const { text } = await explained(liveJobs(), `${nodeCommand(program)}; true`, /^network: /)

  expect(text).toBe('network: waiting for its peer on a Unix socket')
})

test('a server in the foreground waits for clients', async () => {
  const program = 'require("http").createServer(() => {}).listen(0, "127.0.0.1")'
  const { text } = await explained(liveJobs(), `${nodeCommand(program)}; true`, /^server: /)

  expect(text).toMatch(/^server: waiting for clients on 127\.0\.0\.1:\d+$/)
})

test('a terminal is input', async () => {
  const command = `sleep ${uniqueSleep()} | script -qec 'read -r line' /dev/null`
  const { text } = await explained(liveJobs(), command, /^input: /)

  expect(text).toContain('input: waiting for input on a terminal')
})

test('a process that was stopped is', async () => {
  const { text } = await explained(liveJobs(), `bash -c 'kill -STOP $$; true'; true`, /^stopped: /)

  expect(text).toBe('stopped: stopped, as by SIGSTOP')
})

test('a thread that waits for another waits for a thread', async () => {
  const program = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'
  const { text } = await explained(liveJobs(), `${nodeCommand(program)}; true`, /^thread: /)

  expect(text).toBe('thread: waiting for another of its threads (futex)')
})

test('tail -f waits for files to change', async () => {
  const file = join(tempDir(), 'log')
  writeFileSync(file, '')
  const { text } = await explained(liveJobs(), `tail -f ${file}; true`, /^(?:events|sleep): /)

  expect(text).toMatch(/^(?:events: waiting for files to change \(inotify\)|sleep: asleep)/)
})

test('a timer of an event loop is one', async () => {
  const program = 'setInterval(() => {}, 60_000)'
  const { text } = await explained(liveJobs(), `${nodeCommand(program)}; true`, /^sleep: /)

  expect(text).toMatch(/^sleep: waiting for a timer, \d+ s at most$/)
})

test('of a full pipe it is the reader that explains', async () => {
  const marker = uniqueSleep()
  const { waiting } = await explained(liveJobs(), `yes | (sleep ${marker}; head -1)`, /^sleep: /)

  expect(waiting.map(({ command }) => command)).toEqual([`sleep ${marker}`])
})

test('of a program that sleeps and looks again it is the locked file that it has open', async () => {
  const file = join(tempDir(), 'db')
  writeFileSync(file, '')
  const holder = spawn('flock', [file, 'sleep', uniqueSleep()], { stdio: 'ignore' })
  children.push(holder)
  const program = `open(F, "<", "${file}"); select(undef, undef, undef, 0.3) while 1`
  const { text } = await explained(liveJobs(), `perl -e '${program}'; true`, /^lock: /)

  expect(text).toBe(
    `lock: asleep again and again while it has ${file} open, which is locked by ${holder.pid} (flock)`,
  )
})
