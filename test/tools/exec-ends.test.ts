// How a command of the exec tool ends otherwise than by itself: a timeout, a cancel, a signal.
import { createExecTool } from '../../lib/tools/exec-tool.js'
import { killLeftovers, processesWith, uniqueSleep } from '../support/processes.js'

afterEach(killLeftovers)

const tool = createExecTool()
const notRun = (error: unknown) => ({ stdout: '', stderr: '', exitCode: null, error })

describe('timeout', () => {
  test('is an error beside the output, and nothing is left running', async () => {
    const marker = uniqueSleep()
    const impatient = createExecTool({ timeout: 500 })
    const command = `setsid -f sleep ${marker}; echo out; echo err >&2; sleep ${marker}`

    expect(await impatient.execute({ command })).toEqual({
      stdout: 'out\n',
      stderr: expect.stringMatching(/^err\n/),
      exitCode: null,
      error: 'command timed out after 0.5s',
    })
    expect(processesWith(marker)).toEqual([])
  })

  test('has no exit code, also when bash exits with 0 on being terminated', async () => {
    const impatient = createExecTool({ timeout: 500 })
    const result = await impatient.execute({ command: 'trap "exit 0" TERM; while :; do sleep 0.05; done' })

    expect(result).toMatchObject({ exitCode: null, error: 'command timed out after 0.5s' })
  })
})

describe('cancel', () => {
  test('is an error beside the output, and nothing is left running', async () => {
    const marker = uniqueSleep()
    const controller = new AbortController()
    const context = {
      cancel: controller.signal,
      onEvent: ({ type }: { type: string }) => {
        if (type === 'output') controller.abort()
      },
    }

    expect(await tool.execute({ command: `echo on; sleep ${marker}` }, context)).toEqual({
      stdout: 'on\n',
      stderr: expect.any(String),
      exitCode: null,
      error: 'command cancelled',
    })
    expect(processesWith(marker)).toEqual([])
  })

  test('before the call: the command does not run', async () => {
    expect(await tool.execute({ command: 'echo hi' }, { cancel: AbortSignal.abort() })).toEqual(
      notRun('command cancelled'),
    )
  })
})

describe('a signal', () => {
  test('that ends bash is an error, with the exit code of a shell', async () => {
    expect(await tool.execute({ command: 'echo before; kill -KILL $$' })).toEqual({
      stdout: 'before\n',
      stderr: '',
      exitCode: 137,
      error: 'command killed by SIGKILL',
    })
  })

  test('without a name is numbered', async () => {
    expect(await tool.execute({ command: 'kill -40 $$' })).toMatchObject({
      exitCode: 168,
      error: 'command killed by signal 40',
    })
  })

  test('that ends a program of the command is a failure like any other', async () => {
    const result = await tool.execute({ command: "bash -c 'kill -KILL $$'; exit $?" })

    expect(result).toMatchObject({ exitCode: 137 })
    expect(result).not.toHaveProperty('error')
  })

  test('to the process that watches over the command is told', async () => {
    expect(await tool.execute({ command: 'kill -KILL $PPID; sleep 30' })).toMatchObject({
      exitCode: null,
      error:
        'the process that watched over the command was killed, and bash with it; ' +
        'what the command had moved to other process groups may still run',
    })
  })
})
