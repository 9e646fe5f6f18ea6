// A call whose session could not be saved says so, and why, unless its status tells.
import {
  type BashResult,
  BashSession,
  type BashToolOptions,
  createBashSuite,
  createBashTool,
} from '../../lib/index.js'
import { ownInputNotes } from '../../lib/tools/suite/bash.js'

const call = async (command: string, options: BashToolOptions = {}) => {
  const tool = createBashTool(options)
  const session = new BashSession({ workingDir: '/' })
  const context = { workingDir: '/', session }
  const result: BashResult = await tool.execute({ command }, context)
  const kept = await createBashTool().execute({ command: 'echo "$x"' }, context)
  return { result, text: tool.toText(result), kept: kept.output }
}

test('a call that is saved says nothing', async () => {
  const { result, kept } = await call('x=1; exit 3')

  expect(result).not.toHaveProperty('sessionUnsaved')
  expect(kept).toBe('1\n')
})

describe('a timeout', () => {
  const lost = 'cd, export and the like of this call were lost at the timeout'
  const command = 'x=1; echo y; sleep 60'

  test.each([
    ['default', '; for more time: mode="slow" (15min) or mode="background"'],
    ['slow', '; for more time: mode="background"'],
    ['none', ''],
  ])('says what it has cost, and which modes give more time than %s', async (mode, hint) => {
    const timeouts = {
      default: 500,
      ...(mode !== 'default' && { slow: 500 }),
      ...(mode === 'none' && { background: 500 }),
    }
    const { result, text, kept } = await call(command, { timeouts })

    expect(result.sessionUnsaved).toBe(`${lost}${hint}`)
    expect(text).toBe(`[command timed out after 0.5s]\ny\n[session state not saved: ${lost}${hint}]`)
    expect(kept).toBe('\n')
  })

  test('says nothing of it without a session', async () => {
    const tool = createBashTool({ timeouts: { default: 500 } })
    const result = await tool.execute({ command }, { workingDir: '/' })

    expect(tool.toText(result)).toBe('[command timed out after 0.5s]\ny\n')
  })

  test('says nothing of it where bash saved its state before its end', async () => {
    const { result, kept } = await call("x=1; trap 'exit 0' TERM; while :; do sleep 0.1; done", {
      timeouts: { default: 500 },
    })

    expect(result.status).toBe('timed_out')
    expect(result.sessionUnsaved === undefined).toBe(kept === '1\n')
  })

  test.each([
    [300, 'timeout (up to 600000) or run_in_background'],
    [600_000, 'run_in_background'],
  ])('points a suite that gave %d ms at %s', (timeout, hint) => {
    expect(ownInputNotes.moreTimeThan(timeout)).toBe(hint)
  })

  test('points the suite at its own input', async () => {
    const { bash } = createBashSuite()
    const result = await bash.execute({ command, timeout: 500 }, { workingDir: '/' })

    expect(bash.toText(result)).toBe(
      `[command timed out after 0.5s]\ny\n[session state not saved: ${lost}; for more time: timeout (up to 600000) or run_in_background]`,
    )
  })
})

test('a signal, for the same reason', async () => {
  const { text, kept } = await call('x=1; kill -SEGV $$')

  expect(text).toBe('[command failed: killed by SIGSEGV]\n')
  expect(kept).toBe('\n')
})

test('a command that was refused', async () => {
  const { result } = await call('git add -A')

  expect(result.status).toBe('rejected')
  expect(result).not.toHaveProperty('sessionUnsaved')
})

test('exec, after which there is no shell', async () => {
  const { result } = await call('x=1; exec true')

  expect(result.sessionUnsaved).toMatch(/ended without saving its state/)
})

test('the limit of CPU time is named', async () => {
  const { result, kept } = await call('x=1; while :; do :; done', { limits: { cpuSeconds: 1 } })

  expect(result).toMatchObject({
    limit: 'cpu',
    sessionUnsaved: 'the shell was ended before it could save its state: CPU time limit of 1s reached',
  })
  expect(kept).toBe('\n')
})

test('the limit of a file, which the state is too large for, is named', async () => {
  const command = 'x=1; printf -v y %8000s; true'
  const { result, text, kept } = await call(command, { limits: { fileSizeBytes: 8192 } })

  expect(result).toMatchObject({
    status: 'completed',
    sessionUnsaved: expect.stringMatching(/: file size limit of 8\.0KB reached$/),
  })
  expect(text).toMatch(/^\[no output\]\n\[session state not saved: .*\]$/)
  expect(kept).toBe('\n')
})

test('a state that is too large is named as such', async () => {
  const tool = createBashTool()
  const session = new BashSession({ workingDir: '/', stateLimit: 65_536 })
  const command = 'printf -v y %70000s; true'
  const result = await tool.execute({ command }, { workingDir: '/', session })

  expect(result).toMatchObject({
    status: 'completed',
    sessionUnsaved: 'the state is larger than 65536 bytes',
  })
})

test('a background job saves nothing, and that is no news', async () => {
  const tool = createBashTool()
  const session = new BashSession({ workingDir: '/' })
  const result = await tool.execute({ command: 'x=1', mode: 'background' }, { workingDir: '/', session })

  expect(result).not.toHaveProperty('sessionUnsaved')
})
