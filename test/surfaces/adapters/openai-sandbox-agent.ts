// Sandboxes of the OpenAI Agents SDK, and an agent with a scripted model that works in one.
import { type Agent, type RunConfig, Runner, type RunState } from '@openai/agents'
import { filesystem, type Manifest, SandboxAgent, shell } from '@openai/agents/sandbox'
import { assistantMessage, functionCall, modelResponse, ScriptedModel } from '@openai/agents/testing'
import { type OpenaiSandboxOptions, openaiSandbox } from '../../../lib/surfaces/adapters/openai.js'
import { tempStore } from '../../support/jobs.js'
import { tempDir } from '../../support/temp-dir.js'

type Response = ReturnType<typeof modelResponse>
type Output = Parameters<typeof modelResponse>[0] extends { output: infer Items } ? Items : never
type Operation = { type: string; path: string; diff?: string; moveTo?: string }

export interface Client extends ReturnType<typeof openaiSandbox> {}
export type Session = Awaited<ReturnType<Client['create']>>

/** What a client keeps on the disk is in directories of the test's. */
export const placesOf = (): OpenaiSandboxOptions => ({
  jobs: tempStore(),
  baseDirectory: tempDir(),
  snapshot: { type: 'local', baseDir: tempDir() },
})

export const clientWith = (options: OpenaiSandboxOptions = {}): Client =>
  openaiSandbox({ ...placesOf(), ...options })

/** A session, which is closed when the test has ended: see {@link closeSessions}. */
export const sessionOf = async (
  options: OpenaiSandboxOptions = {},
  manifest?: Partial<Manifest>,
): Promise<Session> =>
  opened(await clientWith(options).create(manifest && { manifest: manifest as Manifest }))

const sessions: Session[] = []

export const opened = (session: Session): Session => {
  sessions.push(session)
  return session
}

/** For `afterEach`. */
export const closeSessions = async (): Promise<void> => {
  for (const session of sessions.splice(0)) await session.close()
}

export const call = (name: string, input: object): Response =>
  modelResponse([functionCall(name, input as Record<string, unknown>, { callId: newId() })])

export const execCommand = (cmd: string, more: object = {}): Response =>
  call('exec_command', { cmd, ...more })

export const applyPatch = (operation: Operation): Response =>
  modelResponse([
    { type: 'apply_patch_call', callId: newId(), status: 'completed', operation },
  ] as never as Output)

let calls = 0
const newId = () => `call_${++calls}`

export const agentFor = (responses: Response[], more: object = {}) => {
  const model = new ScriptedModel([...responses, modelResponse([assistantMessage('done')])])
  const capabilities = [shell(), filesystem()]
  return { model, agent: new SandboxAgent({ name: 'coder', model, capabilities, ...more }) }
}

const runner = new Runner({ tracingDisabled: true })

type Input = string | RunState<never, Agent>

/** Runs an agent whose model makes these calls, and gives what it reads of them. */
export const runAgent = async (
  sandbox: NonNullable<RunConfig['sandbox']>,
  responses: Response[],
  { input = 'go', signal, ...more }: { input?: Input; signal?: AbortSignal } & Record<string, unknown> = {},
) => {
  const { model, agent } = agentFor(responses, more)
  const result = await runner.run(agent as never, input as string, {
    sandbox,
    maxTurns: 30,
    ...(signal && { signal }),
  })
  const items = result.newItems.filter(({ type }) => type === 'tool_call_output_item')
  const outputs = items.map((item) => String((item as { output?: unknown }).output))
  const tools = model.calls[0]?.request.tools.map(({ name }) => name)
  return { outputs, tools, result, text: result.state.toString() }
}
