// `bashward mcp` in a project where a command has planted what it could: each of its tools, over stdio and over HTTP.
import { join } from 'node:path'
import { removeTempDirs } from '../support/temp-dir.js'
import { waitFor } from '../support/wait-for.js'
import { servers } from './cli-table.js'
import { type During, harmless, passThrough, testTraced } from './passage.js'
import { hostileWorld, token, type World, writeRules } from './world.js'

let world: World

beforeAll(async () => {
  world = await hostileWorld()
  writeRules(world)
})

afterAll(removeTempDirs)

const words = (name: keyof typeof servers): string[] => [
  process.execPath,
  join(world.package, 'dist/cli/bin.js'),
  ...(servers[name]?.(world) ?? []),
]

interface Answer {
  id?: number
  result?: { tools?: { name: string }[]; structuredContent?: { jobId?: string }; isError?: boolean }
}

const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'gate', version: '1' } },
}

const call = (name: string, args: object) => ({ method: 'tools/call', params: { name, arguments: args } })

/** Asks a server on stdio, one request after the other. */
const overStdio = ({ process: child, stdout }: During) => {
  let id = 0
  return async (request: object): Promise<Answer['result']> => {
    const own = ++id
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: own, ...request })}\n`)
    const answer = () => {
      const lines = stdout().split('\n').slice(0, -1)
      return lines.map((line) => JSON.parse(line) as Answer).find((each) => each.id === own)
    }
    const { result } = await waitFor(answer, { what: `an answer to ${JSON.stringify(request)}` })
    return result
  }
}

const curious = 'cat environ key; { echo changed >victim; } 2>&1; echo done'

testTraced('every tool is harmless over stdio', async () => {
  const called = new Set<string>()
  let offered: string[] = []
  const passage = await passThrough(world, words('workspace'), {
    input: 'open',
    during: async (host) => {
      const ask = overStdio(host)
      await ask(initialize)
      offered = (await ask({ method: 'tools/list' }))?.tools?.map(({ name }) => name) ?? []
      const use = (name: string, args: object) => {
        called.add(name)
        return ask(call(name, args))
      }
      await use('bash', { command: curious })
      const job = await use('bash', {
        command: 'read -r line; echo "$line"; read -r line',
        tty: true,
        mode: 'background',
      })
      const bash_id = job?.structuredContent?.jobId
      await use('bash_input', { bash_id, text: 'typed' })
      await use('bash_output', { bash_id })
      await use('kill_bash', { bash_id })
      host.process.stdin?.end()
    },
  })

  expect(passage).toMatchObject({ end: 0, ...harmless })
  expect([...called].sort()).toEqual(offered.sort())
})

testTraced('a server that judges commands is harmless', async () => {
  const passage = await passThrough(world, words('verdicts'), {
    input: 'open',
    during: async (host) => {
      const ask = overStdio(host)
      await ask(initialize)
      await ask(call('bash', { command: 'git status' }))
      await ask(call('bash', { command: 'x=1; echo changed 1<victim >/dev/stdout' }))
      host.process.stdin?.end()
    },
  })

  expect(passage).toMatchObject({ end: 0, ...harmless })
})

testTraced('a server on HTTP is harmless', async () => {
  const passage = await passThrough(world, words('http'), {
    input: 'open',
    during: async ({ pid, stderr }) => {
      const url = await waitFor(() => /http:\/\/\S+/.exec(stderr())?.[0], {
        what: 'the address of the server',
      })
      const headers = {
        authorization: `Bearer ${token}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      }
      const post = (request: object, more = {}) =>
        fetch(url, {
          method: 'POST',
          headers: { ...headers, ...more },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...request }),
        })
      const first = await post(initialize)
      const session = { 'mcp-session-id': first.headers.get('mcp-session-id') ?? '' }
      await first.text()
      const answer = await (await post(call('bash', { command: 'echo done' }), session)).text()
      process.kill(await pid(), 'SIGTERM')
      expect(answer).toContain('done')
    },
  })

  expect(passage).toMatchObject(harmless)
})
