// Sessions of openaiSandbox() that end and go on: snapshots, serialized states, hosts that are killed.
import { existsSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RunState } from '@openai/agents'
import { InMemoryRemoteSnapshotStore, NoopSnapshotSpec, shell } from '@openai/agents/sandbox'
import { openaiSandbox } from '../../../lib/surfaces/adapters/openai.js'
import { startHost } from '../../support/host.js'
import { endJobs, storeAt } from '../../support/jobs.js'
import { killLeftovers } from '../../support/processes.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { testWorkspace } from '../../support/workspace.js'
import {
  agentFor,
  type Client,
  clientWith,
  closeSessions,
  execCommand,
  opened,
  placesOf,
  runAgent,
  type Session,
} from './openai-sandbox-agent.js'

afterEach(async () => {
  await closeSessions()
  await endJobs()
  killLeftovers()
  removeTempDirs()
})

/** What another process would get of it. */
const serialized = async (client: Client, { state }: Session, how = {}): Promise<Record<string, unknown>> =>
  JSON.parse(JSON.stringify(await client.serializeSessionState(state, how)))

const resumed = async (client: Client, record: Record<string, unknown>): Promise<Session> =>
  opened(await client.resume(await client.deserializeSessionState(record)))

const textIn = async (session: Session, path: string): Promise<string> =>
  Buffer.from(await session.readFile({ path })).toString()

describe('a closed session', () => {
  testWorkspace('goes on in a new workspace, made of its snapshot', async () => {
    const places = placesOf()
    const manifest = { entries: { scratch: { type: 'dir', ephemeral: true } } } as never
    const session = await openaiSandbox(places).create({ manifest })
    await session.exec({ cmd: 'echo text >file; chmod 755 file; ln -s file link; touch scratch/x' })
    const record = await serialized(openaiSandbox(places), session)
    await session.close()
    const again = await resumed(openaiSandbox(places), record)

    expect(again.state.workspaceRootPath).not.toBe(session.state.workspaceRootPath)
    expect((await again.exec({ cmd: 'cat link; stat -c %a file; ls' })).output).toBe(
      'text\n755\nfile\nlink\n',
    )
  })

  testWorkspace('leaves one snapshot, which goes with it when it is deleted', async () => {
    const places = placesOf()
    const client = openaiSandbox(places)
    const session = await client.create()
    await serialized(client, session)
    await serialized(client, session)
    const directory = (places.snapshot as { baseDir: string }).baseDir

    expect(readdirSync(directory)).toHaveLength(1)
    await client.delete(session.state)
    expect(readdirSync(directory)).toEqual([])
    expect(existsSync(session.state.workspaceRootPath)).toBe(false)
  })

  testWorkspace('goes on from a store of the host', async () => {
    const store = new InMemoryRemoteSnapshotStore()
    const places = { ...placesOf(), snapshot: { type: 'remote' as const, store } }
    const session = await openaiSandbox(places).create()
    await session.exec({ cmd: 'echo text >file' })
    const record = await serialized(openaiSandbox(places), session)
    await session.close()

    expect(await textIn(await resumed(openaiSandbox(places), record), 'file')).toBe('text\n')
  })

  testWorkspace('without a snapshot cannot go on', async () => {
    const client = clientWith({ snapshot: new NoopSnapshotSpec() as never })
    const session = await client.create()
    const record = await serialized(client, session)
    await session.close()

    await expect(resumed(client, record)).rejects.toMatchObject({ name: 'SandboxSnapshotError' })
  })
})

testWorkspace('a run that waits for a person goes on in the same workspace', async () => {
  const places = placesOf()
  const client = openaiSandbox(places)
  const configureTools = (tools: object[]) =>
    tools.map((tool) => ({ ...tool, needsApproval: async () => true }))
  const capabilities = [shell({ configureTools } as never)]
  const { result } = await runAgent({ client }, [execCommand('pwd; echo x >>file; cat file')], {
    capabilities,
  })
  const text = result.state.toString()
  const { agent } = agentFor([], { capabilities })
  const state = await RunState.fromString(agent as never, text)
  for (const item of state.getInterruptions()) state.approve(item)
  const { outputs } = await runAgent({ client: openaiSandbox(places) }, [], {
    input: state as never,
    capabilities,
  })

  expect(result.interruptions).toHaveLength(1)
  expect(readdirSync(places.baseDirectory as string)).toEqual([])
  expect(outputs[0]).toMatch(/\n\/workspace\nx\n$/)
})

describe('a host that is killed', () => {
  testWorkspace('is followed by one that finds its files and its command', async () => {
    const [jobs, baseDirectory, baseDir] = [tempDir(), tempDir(), tempDir()]
    const places = { baseDirectory, snapshot: { type: 'local' as const, baseDir } }
    const host = startHost('openai-sandbox', { argument: { jobs, ...places } })
    const record = await host.report<Record<string, unknown>>('state')
    host.kill('SIGKILL')
    await host.exited()
    const session = await resumed(openaiSandbox({ ...places, jobs: storeAt(jobs) }), record)
    await session.exec({ cmd: 'touch go' })
    const poll = () => session.writeStdin({ sessionId: 1, yieldTimeMs: 1000 })
    const text = await waitFor(async () => /code \d+[\s\S]*/.exec(await poll())?.[0], { what: 'its end' })

    expect(text).toMatch(/^code 7\nOutput:\n(?:went on\n)?$/)
    expect(await textIn(session, 'file')).toBe('before\n')
    expect(await poll()).toContain('session not found')
  })

  testWorkspace('whose command was killed, too, is followed by one that tells so', async () => {
    const places = placesOf()
    const session = opened(await openaiSandbox(places).create())
    await session.exec({ cmd: 'sleep 300', yieldTimeMs: 1 })
    const record = await serialized(openaiSandbox(places), session, { preserveOwnedSession: true })
    const [job] = await (places.jobs as ReturnType<typeof storeAt>).list()
    process.kill(job?.record?.supervisor.pid as number, 'SIGKILL')
    const again = await resumed(openaiSandbox(places), record)
    const poll = () => again.writeStdin({ sessionId: 1, yieldTimeMs: 1000 })
    const text = await waitFor(async () => /exited[\s\S]*/.exec(await poll())?.[0], { what: 'its loss' })

    expect(text).toContain('[how it ended is not known]')
  })
})

describe('a state that somebody has changed', () => {
  const forged = async (changes: object, options = {}) => {
    const places = { ...placesOf(), ...options }
    const session = opened(await openaiSandbox(places).create())
    const record = await serialized(openaiSandbox(places), session, { preserveOwnedSession: true })
    return { places, record: { ...record, ...changes } }
  }

  testWorkspace('gets no other directory, and has none removed', async () => {
    const victim = realpathSync(tempDir())
    mkdirSync(join(victim, 'bashward-openai-abc123'))
    for (const workspaceRootPath of [victim, join(victim, 'bashward-openai-abc123'), '/']) {
      for (const workspaceRootOwned of [true, false]) {
        const { places, record } = await forged({ workspaceRootPath, workspaceRootOwned })
        const client = openaiSandbox(places)

        await expect(resumed(client, record)).rejects.toThrow('is no workspace of this client')
        const state = await client.deserializeSessionState(record)
        await expect(client.delete(state)).rejects.toThrow('is no workspace of this client')
      }
    }
    expect(readdirSync(victim)).toEqual(['bashward-openai-abc123'])
  })

  testWorkspace('gets no file for a snapshot, and has none removed', async () => {
    const victim = join(realpathSync(tempDir()), 'workspace-00000000-0000-0000-0000-000000000000.tar')
    writeFileSync(victim, 'kept')
    const { places, record } = await forged({ snapshot: { id: 'x', type: 'local', path: victim } })
    const client = openaiSandbox(places)
    await client.delete(await client.deserializeSessionState(record))

    expect(existsSync(victim)).toBe(true)
    await expect(resumed(client, record)).rejects.toMatchObject({ name: 'SandboxSnapshotError' })
  })

  testWorkspace('gets no job of another conversation', async () => {
    const { places, record } = await forged({ conversationId: 'talk 1', commands: { 1: { jobId: 'x' } } })
    const { state } = await resumed(openaiSandbox(places), record)

    expect(state.conversationId).toMatch(/^openai-sandbox-/)
    expect(state.commands).toEqual({})
  })
})
