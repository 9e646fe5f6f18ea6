// Drives one client through one run, in a network of its own: started by isolated.mjs, prints what it saw as JSON.
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { marked, runsOf } from './acts.mjs'
import { drivenClients } from './clients.mjs'
import { mergeFiles } from './merge-files.mjs'
import { ownNameOf, startModelServer } from './model-server.mjs'
import { processes, waitUntil } from './processes.mjs'

/** How long a client may take for all of a run. */
const limitMs = 300_000
/** How long what it has started may go on when it has ended. */
const graceMs = 15_000

const root = resolve(fileURLToPath(import.meta.url), '../../..')
const { clientNamed, serverFor } = createRequire(import.meta.url)(
  join(root, 'dist/mcp/clients/configuration.js'),
)

const { name, build, run: runName, modules, cli, top } = JSON.parse(process.argv[2])
const client = drivenClients[name]
const configured = clientNamed(name)
const run = runsOf(build)[runName]

const [home, project, temporary] = ['home', 'project', 'tmp'].map((part) => join(top, part))
for (const directory of [home, project, temporary]) mkdirSync(directory)

/** Of the client itself. */
const isOwn = ({ command }) => command.includes(modules)
const isMarked = ({ command }) => command === marked

const drive = async () => {
  const acts = Object.entries(run.acts)
  const server = await startModelServer((shown) => acts[shown.length]?.[1](shown))
  const { args = [], env = {}, files: merged = {} } = client.model(server.url)
  const { args: bounded } = serverFor(configured, cli, run.options)
  const command = { command: cli, args: run.bounded ? bounded : ['mcp', ...run.options] }
  for (const [path, text] of Object.entries(mergeFiles(configured.files(command), merged))) {
    const file = path.replace(/^~/, home)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const [program, ...words] = [
    ...client.program(modules),
    ...(runName === 'codeMode' ? client.codeMode : client.args),
    ...args,
    ...(configured.start ?? '').split(' ').slice(1),
  ]
  const { PATH = '' } = process.env
  const child = spawn(program, words.filter(Boolean), {
    cwd: project,
    env: {
      ...{ PATH, HOME: home, TMPDIR: temporary, TERM: 'xterm-256color', LANG: 'C.UTF-8', CI: '1' },
      ...client.env,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // The leader of a group, as on a terminal.
    detached: true,
  })
  // Some consist of two processes. Ctrl-C reaches the whole group; a kill, only the client.
  const end = (signal) => {
    if (signal === 'SIGINT') return process.kill(-child.pid, signal)
    for (const each of processes()) if (isOwn(each)) process.kill(each.pid, signal)
  }
  const said = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => said.push(piece))
  let exit
  child.on('exit', (code, signal) => {
    exit = { code, signal }
  })
  child.on('error', (error) => {
    exit = { code: null, signal: null, error: error.message }
  })
  const hasEnded = () => exit !== undefined
  const found = { name, build, run: runName }
  if (run.signal !== undefined) {
    const started = await waitUntil(() => hasEnded() || processes().filter(isMarked).length === 2, limitMs)
    if (started !== undefined && !hasEnded()) {
      found.started = true
      end(run.signal)
      found.commandGoneMs = await waitUntil(() => !processes().some(isMarked), graceMs)
      found.clientGoneMs = await waitUntil(hasEnded, graceMs)
    }
  } else await waitUntil(hasEnded, limitMs)
  if (!hasEnded()) end('SIGKILL')
  // A job that it has not killed goes on, and is to.
  await waitUntil(() => !processes().some((each) => !isOwn(each)), graceMs)
  const left = processes()
  found.left = left.filter((each) => !isOwn(each)).map(({ command }) => command.slice(0, 200))
  found.leftOwn = left.filter(isOwn).map(({ command }) => command.slice(0, 200))
  found.exit = exit
  const { record } = server
  found.protocol = record.protocol
  found.missing = record.missing
  found.searched = record.searched
  found.ownShell = record.tools.map((tool) => tool.name).filter((tool) => client.ownShell.test(tool))
  const ours = record.tools.find((tool) => ownNameOf(tool) === 'bash')
  found.toolName = ours && [ours.namespace, ours.name].filter(Boolean).join('__')
  found.acts = Object.fromEntries(record.shown.map((shown, index) => [acts[index][0], shown]))
  found.said = Buffer.concat(said).toString().slice(-2000)
  server.close()
  return found
}

writeFileSync(3, JSON.stringify(await drive()))
process.exit(0)
