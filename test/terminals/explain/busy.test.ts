// What is told of programs that are at work: never that they wait for something.
import { join } from 'node:path'
import { leaveNothing, liveJobs } from '../../commands/jobs-live/live-jobs.js'
import { tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { linesOf, nodeCommand } from './hung-commands.js'

afterEach(leaveNothing)

const looks = 4

/** What a process that goes on may be told to do: it may be at the disk at that moment. */
const atWork: ReadonlySet<string> = new Set(['busy', 'active', 'disk'])

const downloads = `
  const net = require("net")
  const server = net.createServer((socket) => setInterval(() => socket.write("x".repeat(1000)), 5))
  server.listen(0, "127.0.0.1", () => net.connect(server.address().port, "127.0.0.1").resume())`

const worker = `
  const { Worker } = require("worker_threads")
  new Worker("for (;;);", { eval: true })`

const requests = `
  const http = require("http")
  const server = http.createServer((_, response) => response.end("x"))
  const ask = () => http.get(server.address(), (response) => response.resume().on("end", ask))
  server.listen(0, "127.0.0.1", ask)`

test.each([
  ['a loop of bash', 'while :; do :; done'],
  ['a program that computes', nodeCommand('for (;;);')],
  ['one behind a pipe', `${nodeCommand('for (;;);')} | tail -3`],
  ['a thread that computes, for a first one that waits', nodeCommand(worker)],
  ['a flood', 'yes > /dev/null'],
  ['a pipeline', 'yes | gzip > /dev/null'],
  ['a pipeline of three', 'head -c 100G /dev/zero | md5sum | cat'],
  ['one program after another', 'while :; do /bin/true; done'],
  ['programs that search', 'while :; do find /usr/lib -type f | sort | md5sum; done'],
  ['a loop that waits a little in each round', 'while sleep 0.02; do :; done'],
  ['a client that its server keeps supplied', nodeCommand(downloads)],
  ['a server with requests', nodeCommand(requests)],
])('%s', async (_, command) => {
  const jobs = liveJobs()
  const started = join(tempDir(), 'started')
  const { id } = await jobs.start(`: > ${started}; ${command}; true`)
  // Starting is no work of theirs.
  await waitFor(async () => (await jobs.store.explain(id)).some(({ kind }) => atWork.has(kind)), {
    what: 'the program to be at work',
  })
  for (let i = 0; i < looks; i++) {
    const waiting = await jobs.store.explain(id)
    const others = waiting.filter(({ kind }) => !atWork.has(kind))

    expect([linesOf(waiting), linesOf(others)]).toEqual([expect.stringMatching(/^(?:busy|active|disk)/), ''])
  }
})
