// The approvals of the OpenAI Agents SDK with the real thing and its scripted model: a call that asks runs once a person has
// approved it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { functionCall, modelResponse } from '@openai/agents/testing'
import { createBashTool, loadPolicy, type VerdictOptions } from '../../../lib/index.js'
import { openaiTool } from '../../../lib/surfaces/adapters/openai.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { type AnyState, approve, goOn, run } from './openai-agent.js'

let workingDir: string
beforeEach(() => {
  workingDir = tempDir()
})
afterEach(removeTempDirs)

const made = (name: string) => existsSync(join(workingDir, name))

const policy = loadPolicy({ rules: [{ prefix: ['touch'], decision: 'deny', why: 'files are kept' }] })

describe('openaiTool with approval', () => {
  const toolWith = (verdicts: VerdictOptions = {}) =>
    openaiTool(
      createBashTool({ verdicts: { reads: 'same', ...verdicts } }),
      { workingDir },
      { approval: true },
    )

  const bash = (command: string, callId = 'call_1') =>
    modelResponse([functionCall('bash', { command }, { callId })])

  test('runs what only reads, without an interruption', async () => {
    const { interruptions, read } = await run(toolWith(), bash('echo hi'))

    expect(interruptions).toEqual([])
    expect(read).toContain(String.raw`hi\n`)
  })

  test('runs what asks when it is approved, in another process too', async () => {
    const { interruptions, text } = await run(toolWith(), bash('touch new'))
    const before = made('new')
    const { finalOutput } = await goOn(text, toolWith(), approve)

    expect([interruptions.length, before, made('new'), finalOutput]).toEqual([1, false, true, 'done'])
  })

  test('does not run what a person rejects, and the model reads why', async () => {
    const { text } = await run(toolWith(), bash('touch new'))
    const { input } = await goOn(text, toolWith(), (state, item) =>
      state.reject(item, { message: 'not today' }),
    )

    expect(input).toContain('not today')
    expect(made('new')).toBe(false)
  })

  test('rejects what a rule denies, without an interruption', async () => {
    const { interruptions, read } = await run(toolWith({ policy }), bash('touch new'))

    expect(interruptions).toEqual([])
    expect(read).toContain('files are kept')
    expect(made('new')).toBe(false)
  })

  test('rejects what a rule denies meanwhile, though it was approved', async () => {
    const { text } = await run(toolWith(), bash('touch new'))
    const { input } = await goOn(text, toolWith({ policy }), approve)

    expect(input).toContain('files are kept')
    expect(made('new')).toBe(false)
  })

  test('does not ask its own approve() once more', async () => {
    let count = 0
    const own = {
      approve: async () => {
        count += 1
        return { deny: 'no' }
      },
    }
    const { text } = await run(toolWith(own), bash('touch new'))
    await goOn(text, toolWith(own), approve)

    expect([count, made('new')]).toEqual([0, true])
  })

  test('of an input that is wrong the model reads why', async () => {
    const { interruptions, read } = await run(
      toolWith(),
      modelResponse([functionCall('bash', { command: 1 }, { callId: 'call_1' })]),
    )

    expect(interruptions).toEqual([])
    expect(read).toContain('[invalid input: command')
  })

  test('an approval is for one call: others ask again', async () => {
    const { text } = await run(toolWith(), bash('touch one'))
    const { interruptions } = await goOn(text, toolWith(), approve, [bash('touch two', 'call_2')])

    expect([interruptions.length, made('one'), made('two')]).toEqual([1, true, false])
  })

  test('an approval is not for another call of the same id', async () => {
    const { text } = await run(toolWith(), bash('touch one'))
    await goOn(text, toolWith(), approve, [bash('touch two')]).catch(() => {})

    expect([made('one'), made('two')]).toEqual([true, false])
  })

  test('alwaysApprove is for all that the tool would ask, but for what a rule denies', async () => {
    const { text } = await run(toolWith(), bash('mkdir one'))
    const always = (state: AnyState, item: never) => state.approve(item, { alwaysApprove: true })
    const keep = toolWith({ policy })
    const calls = [bash('mkdir two', 'call_2'), bash('touch new', 'call_3')]
    const { interruptions, input } = await goOn(text, keep, always, calls)

    expect(interruptions).toEqual([])
    expect([made('one'), made('two'), made('new')]).toEqual([true, true, false])
    expect(input).toContain('files are kept')
  })

  test('runs nothing that asks where its hook was replaced', async () => {
    const tool = { ...toolWith(), needsApproval: async () => false }
    const { interruptions, read } = await run(tool, bash('touch new'))

    expect(interruptions).toEqual([])
    expect(read).toContain('[needs approval: nobody can be asked here]')
    expect(made('new')).toBe(false)
  })

  test('runs nothing that asks when it is called by itself', async () => {
    const output = await toolWith().invoke({} as never, JSON.stringify({ command: 'touch new' }))

    expect(output).toMatch(/^\[needs approval: /)
    expect(made('new')).toBe(false)
  })

  test('a tool without verdicts would ask nobody', () => {
    expect(() => openaiTool(createBashTool(), { workingDir }, { approval: true })).toThrow(/verdicts/)
  })
})
