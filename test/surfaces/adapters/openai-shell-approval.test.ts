// The shell tool of the OpenAI Agents SDK with verdicts, with the real thing and its scripted model.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { shellTool } from '@openai/agents'
import { modelResponse } from '@openai/agents/testing'
import { loadPolicy, type VerdictOptions } from '../../../lib/index.js'
import { openaiShell, openaiShellTool } from '../../../lib/surfaces/adapters/openai.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { approve, goOn, run } from './openai-agent.js'

let workingDir: string
beforeEach(() => {
  workingDir = tempDir()
})
afterEach(removeTempDirs)

const made = (name: string) => existsSync(join(workingDir, name))

const policy = loadPolicy({ rules: [{ prefix: ['touch'], decision: 'deny', why: 'files are kept' }] })

describe('openaiShell, which asks by itself', () => {
  const shellWith = (approve?: VerdictOptions['approve']) =>
    openaiShell({ workingDir }, { verdicts: { reads: 'same', ...(approve && { approve }) } })

  test('asks about each command when its turn comes', async () => {
    const asked: unknown[] = []
    const shell = shellWith(async ({ command }) => {
      asked.push([command, made('one')])
      return 'once'
    })
    await shell.run({ commands: ['touch one', 'echo hi', 'touch two'] })

    expect(asked).toEqual([
      ['touch one', false],
      ['touch two', true],
    ])
    expect([made('one'), made('two')]).toEqual([true, true])
  })

  test.each<[string, VerdictOptions['approve']]>([
    ['a person denies', async () => ({ deny: 'not today' })],
    ['nobody can be asked about', undefined],
  ])('after a command that %s the others are not run', async (_, approve) => {
    const { output } = await shellWith(approve).run({ commands: ['echo hi', 'touch one', 'echo ho'] })

    expect(output).toMatchObject([{ stdout: 'hi\n' }, { outcome: { exitCode: null } }])
    expect(output).toHaveLength(2)
    expect(made('one')).toBe(false)
  })

  test('knows of no approval of the SDK', async () => {
    const tool = shellTool({ shell: shellWith(), needsApproval: async () => false })
    const { output } = await tool.shell.run({ commands: ['touch new'] })

    expect(output).toMatchObject([{ stderr: expect.stringContaining('needs approval') }])
    expect(made('new')).toBe(false)
  })
})

describe('openaiShellTool', () => {
  type Options = Parameters<typeof openaiShellTool>[1]

  const toolWith = (verdicts: VerdictOptions = {}, options: Options = {}) =>
    openaiShellTool({ workingDir }, { ...options, verdicts: { reads: 'same', ...verdicts } })

  const shell = (commands: string[], callId = 'call_1') =>
    modelResponse([{ type: 'shell_call', callId, status: 'completed', action: { commands } }])

  test('runs what only reads, without an interruption', async () => {
    const { interruptions, read } = await run(toolWith(), shell(['echo hi', 'pwd']))

    expect(interruptions).toEqual([])
    expect(read).toContain(String.raw`hi\n`)
    expect(read).toContain(workingDir)
  })

  test('one command that asks is enough: nothing runs before the approval, and then all, in another process too', async () => {
    const { interruptions, text } = await run(toolWith(), shell(['echo hi', 'touch one', 'touch two']))
    const before = made('one')
    const { input } = await goOn(text, toolWith(), approve)

    expect([interruptions.length, before, made('one'), made('two')]).toEqual([1, false, true, true])
    expect(input).toContain(String.raw`hi\n`)
  })

  test('one command that is denied is enough: nothing runs, and nobody is asked', async () => {
    const { interruptions, read } = await run(
      toolWith({ policy }),
      shell(['mkdir one', 'touch two', 'mkdir three']),
    )

    expect(interruptions).toEqual([])
    expect(read).toContain('[not run: another command of this call is denied]')
    expect(read).toContain('files are kept')
    expect([made('one'), made('two'), made('three')]).toEqual([false, false, false])
  })

  test('does not run what a person rejects', async () => {
    const { text } = await run(toolWith(), shell(['touch new']))
    const { input } = await goOn(text, toolWith(), (state, item) =>
      state.reject(item, { message: 'not today' }),
    )

    expect(input).toContain('not today')
    expect(made('new')).toBe(false)
  })

  test.each([true, false])('onApproval answers at once: %p', async (answer) => {
    let before: boolean | undefined
    const onApproval = async () => {
      before = made('new')
      return { approve: answer, reason: 'not today' }
    }
    const { interruptions, read } = await run(toolWith({}, { onApproval }), shell(['touch new']))

    expect([interruptions.length, before, made('new')]).toEqual([0, false, answer])
    expect(read.includes('not today')).toBe(!answer)
  })

  test('nothing runs when onApproval throws', async () => {
    const onApproval = () => Promise.reject(new Error('no terminal'))
    await run(toolWith({}, { onApproval }), shell(['touch new'])).catch(() => {})

    expect(made('new')).toBe(false)
  })

  test('what a rule asks about meanwhile is not approved', async () => {
    const context: { workingDir: string; policy?: ReturnType<typeof loadPolicy> } = { workingDir }
    const allows = loadPolicy({ rules: [{ prefix: ['touch'], decision: 'allow' }] })
    const asks = loadPolicy({ rules: [{ prefix: ['touch'], decision: 'ask' }] })
    const tool = openaiShellTool(context, { verdicts: { reads: 'same', policy: allows } })
    const action = { commands: ['touch new'] }
    const asked = await tool.needsApproval({} as never, action)
    context.policy = asks
    const { output } = await tool.shell.run(action)

    expect([asked, made('new')]).toEqual([false, false])
    expect(output).toMatchObject([{ stderr: expect.stringContaining('needs approval') }])
  })

  test('cannot be copied without its hook', async () => {
    const copy = { ...toolWith(), needsApproval: async () => false }
    await run(copy, shell(['touch new'])).catch(() => {})

    expect(() => Object.assign(toolWith(), { needsApproval: async () => false })).toThrow(TypeError)
    expect(made('new')).toBe(false)
  })

  test('without verdicts it would ask nobody', () => {
    expect(() => openaiShellTool({ workingDir }, {})).toThrow(/verdicts/)
  })
})
