// The adapters take a fleet's tools as they take those of the package.
import { aiTool } from '../../../lib/surfaces/adapters/ai.js'
import { anthropicTool } from '../../../lib/surfaces/adapters/anthropic.js'
import { endFleets, fleetTest } from './describe-fleet.js'
import { TestFleet } from './test-fleet.js'

endFleets()

fleetTest('aiTool(): a call runs on the worker, with the id that the SDK has for it', async () => {
  const fleet = await TestFleet.start()
  const tool = aiTool((await fleet.client()).tool({ tenant: 't' }), { conversationId: 'c1' })
  const call = { toolCallId: 'toolu_1', messages: [], context: undefined }
  const run = async () => {
    const outputs: unknown[] = []
    const input = { command: fleet.noting('a') } as never
    for await (const output of tool.execute(input, call as never)) outputs.push(output)
    return outputs
  }
  const [first, second] = [await run(), await run()]

  expect(first).toEqual([
    { status: 'running', output: 'out\n' },
    expect.objectContaining({ status: 'completed', output: 'out\n', fleet: { worker: 'w1' } }),
  ])
  expect(second.at(-1)).toMatchObject({ status: 'completed', replayed: true })
  expect(fleet.runs('a')).toBe(1)
  expect(tool.description()).toContain('Executes shell commands via bash -c')
  expect(tool.description()).toMatch(/<pwd>\.<\/pwd>$/)
})

fleetTest('anthropicTool(): what fails is an error for the model', async () => {
  const fleet = await TestFleet.start()
  const { bash } = (await fleet.client()).suite()
  const tool = anthropicTool(bash, { conversationId: 'c1' })
  const run = async (command: string, id: string) => await tool.run({ command }, { toolUse: { id } } as never)

  expect(await run('echo out', 'toolu_1')).toBe('out\n')
  await expect(run('exit 3', 'toolu_2')).rejects.toThrow('[command failed: exit code 3]')
})
