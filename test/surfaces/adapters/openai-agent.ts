// Runs of an agent of the OpenAI Agents SDK with a scripted model, which may be interrupted and go on in another process.
import { Agent, Runner, RunState, type Tool } from '@openai/agents'
import { assistantMessage, modelResponse, ScriptedModel } from '@openai/agents/testing'

const runner = new Runner({ tracingDisabled: true })

export type AnyState = RunState<never, Agent>

export type Response = ConstructorParameters<typeof ScriptedModel>[0] extends Iterable<infer Step> | undefined
  ? Step
  : never

/** An agent whose model makes these calls, one in each turn. */
export const agentWith = (tool: Tool, calls: Response[]) => {
  const model = new ScriptedModel([...calls, modelResponse([assistantMessage('done')])])
  return { model, agent: new Agent({ name: 'test', model, tools: [tool] }) }
}

/** Its state as text, for another process, where the agent is made anew. */
export const goOn = async (
  text: string,
  tool: Tool,
  decide: (state: AnyState, item: never) => void,
  calls: Response[] = [],
) => {
  const { model, agent } = agentWith(tool, calls)
  const state = (await RunState.fromString(agent, text)) as never as AnyState
  for (const item of state.getInterruptions()) decide(state, item as never)
  const result = await runner.run(agent, state as never)
  const { interruptions } = result
  const finalOutput = interruptions.length === 0 ? result.finalOutput : undefined
  return { finalOutput, interruptions, input: JSON.stringify(model.lastCall?.request.input) }
}

export const approve = (state: AnyState, item: never) => state.approve(item)

export const run = async (tool: Tool, ...calls: Response[]) => {
  const { model, agent } = agentWith(tool, calls)
  const { interruptions, state } = await runner.run(agent, 'go')
  return { interruptions, text: state.toString(), read: JSON.stringify(model.lastCall?.request.input) }
}
