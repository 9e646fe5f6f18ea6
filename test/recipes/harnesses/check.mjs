// docs/ai-harnesses.md with the SDK's own harness for ACP agents, and an agent that does what the prompt says: a shell line.
// pnpm, which the harness has its bridge installed with, is a script here that links what npm has installed.
import assert from 'node:assert'
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { blocksOf } from '../blocks.mjs'

const directory = process.cwd()
const modules = join(directory, 'node_modules')

const program = (file, text) => {
  writeFileSync(file, text)
  chmodSync(file, 0o755)
}

const agentFile = join(directory, 'scripted-agent.mjs')
program(
  agentFile,
  `#!/usr/bin/env node
import { execSync } from 'node:child_process'
import { Readable, Writable } from 'node:stream'
import { AgentSideConnection, ndJsonStream, PROTOCOL_VERSION } from '${pathToFileURL(
    join(modules, '@agentclientprotocol/sdk/dist/acp.js'),
  )}'

const modes = { currentModeId: 'all', availableModes: [{ id: 'all', name: 'All' }] }
let cwd
const agent = (client) => ({
  initialize: async () => ({ protocolVersion: PROTOCOL_VERSION, agentCapabilities: {} }),
  newSession: async (given) => {
    cwd = given.cwd
    return { sessionId: '1', modes }
  },
  setSessionMode: async () => ({}),
  authenticate: async () => ({}),
  cancel: async () => {},
  async prompt({ sessionId, prompt }) {
    const line = prompt.map(({ text = '' }) => text).join('').trim().split('\\n').at(-1)
    let text
    try {
      text = execSync(line, { cwd, shell: '/bin/bash', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 2 ** 26 }).toString()
    } catch (error) {
      text = 'failed: ' + error.stderr
    }
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }
    await client.sessionUpdate({ sessionId, update })
    return { stopReason: 'end_turn' }
  },
})
new AgentSideConnection(agent, ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)))
`,
)
mkdirSync(join(directory, 'bin'))
program(join(directory, 'bin/pnpm'), `#!/bin/sh\nexec ln -sfn '${modules}' node_modules\n`)

const outside = join(mkdtempSync(join(tmpdir(), 'bashward-outside-')), 'file')
const base = mkdtempSync(join(tmpdir(), 'bashward-base-'))
const path = [join(directory, 'bin'), process.env.PATH].join(delimiter)
const settings = `
  const settings = {
    harnessId: 'scripted',
    source: { type: 'install-command', command: ${JSON.stringify(`cp '${agentFile}' home/.local/bin/scripted-agent`)} },
    executable: 'scripted-agent',
    modelMapping: { type: 'session-model', path: 'model' },
    permissionModeMapping: { 'allow-all': { type: 'session-mode', modeId: 'all' }, 'allow-edits': null, 'allow-reads': null },
  }
  process.env.TMPDIR = ${JSON.stringify(base)}
  process.env.PATH = ${JSON.stringify(path)}`

const [snippet] = blocksOf('ai-harnesses', 'js')
const run = (lines) => {
  const [imports] = snippet.split('\n\n', 1)
  const turns = lines.map(
    (line) => `
    console.log(JSON.stringify((await agent.generate({ session, prompt: ${JSON.stringify(line)} })).text))`,
  )
  const whole = [imports, settings, snippet.slice(imports.length + 2)].join('\n')
  const text = whole.replace(/ {2}const \{ text \} = [^\n]*\n {2}console\.log\(text\)/, turns.join('\n'))
  writeFileSync(join(directory, 'recipe.js'), text)
  const options = { encoding: 'utf8', maxBuffer: 2 ** 26 }
  return execFileSync(process.execPath, ['recipe.js'], options)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

try {
  const [where, denied, offline, files, many] = run([
    'pwd; echo "$HOME"',
    `echo x >${outside}`,
    'exec 3<>/dev/tcp/192.0.2.1/80',
    'echo hi >file; ls',
    'head -c 10000000 /dev/zero | tr "\\\\0" x',
  ])
  const [cwd, home] = where.split('\n')
  assert(cwd.startsWith(join(base, 'bashward-harness-')), where)
  assert(home.startsWith(join(base, 'bashward-harness-')), where)
  assert.match(denied, /^failed: .*Permission denied/)
  assert(!existsSync(outside))
  assert.match(offline, /^failed: /)
  assert.equal(files, 'file\n')
  assert.equal(many.length, 10_000_000)
  assert.deepEqual(readdirSync(base), [])

  // What is refused reaches the SDK's own error.
  const { HarnessAgent } = await import(pathToFileURL(join(modules, '@ai-sdk/harness/dist/agent/index.js')))
  const { harnessSandbox } = await import(pathToFileURL(join(modules, 'bashward/dist/adapters/ai.mjs')))
  const harness = {
    specificationVersion: 'harness-v1',
    harnessId: 'elsewhere',
    builtinTools: {},
    getBootstrap: async () => ({
      harnessId: 'elsewhere',
      bootstrapDir: `${outside}-dir`,
      files: [],
      commands: [],
    }),
    doStart: async () => assert.fail('it was started'),
  }
  const agent = new HarnessAgent({ harness, sandbox: harnessSandbox({ baseDirectory: base }) })
  await assert.rejects(
    agent.createSession(),
    /Failed to create bootstrap directory.*\n[\s\S]*blocked by the sandbox/,
  )
  assert.deepEqual(readdirSync(base), [])

  // Cancelled while it installs, it leaves nothing.
  const slow = {
    ...harness,
    getBootstrap: async () => ({
      harnessId: 'slow',
      bootstrapDir: 'x',
      files: [],
      commands: [{ command: 'sleep 300' }],
    }),
  }
  const cancelled = new HarnessAgent({ harness: slow, sandbox: harnessSandbox({ baseDirectory: base }) })
  const starting = cancelled.createSession({ abortSignal: AbortSignal.timeout(1000) })
  await assert.rejects(starting)
  assert.deepEqual(readdirSync(base), [])
} finally {
  for (const each of [base, join(outside, '..')]) rmSync(each, { recursive: true, force: true })
}
