// A call whose session could not be saved says so, and why, unless its status tells.
import { type BashResult, BashSession, type BashToolOptions, createBashTool } from '../../lib/index.js'

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

test('a timeout, which says itself that the command was ended', async () => {
  const { result, text, kept } = await call('x=1; echo y; sleep 60', { timeouts: { default: 500 } })

  expect(result).not.toHaveProperty('sessionUnsaved')
  expect(text).toBe('[command timed out after 0.5s]\ny\n')
  expect(kept).toBe('\n')
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
