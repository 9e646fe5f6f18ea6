// Calls that go wrong before a command runs: `execute` gives a result for each of them, and never rejects.
import fc from 'fast-check'
import { createBashTool, JobStore, type ToolContext } from '../../lib/index.js'

/** Its shell reads no command, and it has no place for jobs: nothing made up here can do harm. */
const harmless = createBashTool({
  shellPath: '/bin/true',
  jobs: new JobStore({ directory: '/dev/null/jobs' }),
})
const executeUntyped = harmless.execute as (
  input: unknown,
  context: unknown,
) => ReturnType<typeof harmless.execute>

const valid = { command: 'true' }
const root: ToolContext = { workingDir: '/' }

describe('invalid input', () => {
  test('is the status invalid with ERR_INVALID_INPUT, and nothing ran', async () => {
    expect(await executeUntyped({ command: 'ls', mode: 'fast' }, root)).toMatchObject({
      status: 'invalid',
      command: 'ls',
      display: 'ls',
      output: '',
      exitCode: null,
      usage: null,
      error: {
        code: 'ERR_INVALID_INPUT',
        message: 'mode: must be one of default, slow, background (got "fast")',
      },
    })
  })

  test('a command that is no text is shown as an empty one', async () => {
    expect(await executeUntyped({ command: 7 }, root)).toMatchObject({
      status: 'invalid',
      command: '',
      display: '',
    })
  })

  test('is told before a context that cannot be used either', async () => {
    expect(await executeUntyped({ command: 7 }, undefined)).toMatchObject({ status: 'invalid' })
  })

  test('a getter that throws is invalid input', async () => {
    const input = {
      get command(): string {
        throw new Error('not today')
      },
    }

    expect(await executeUntyped(input, root)).toMatchObject({ status: 'invalid', command: '' })
  })
})

describe('a context that cannot be used', () => {
  test.each([
    ['context: must be an object (got undefined)', undefined],
    ['context: must be an object (got null)', null],
    ['context.workingDir: must be the path of a directory (got undefined)', {}],
    ['context.workingDir: must be the path of a directory (got 7)', { workingDir: 7 }],
    ['context.cancel: must be an AbortSignal (got {})', { workingDir: '/', cancel: {} }],
    ['context.onEvent: must be a function (got "log")', { workingDir: '/', onEvent: 'log' }],
    [
      'context.sandbox: must be one of unrestricted, restricted, workspace (got "none")',
      { workingDir: '/', sandbox: 'none' },
    ],
  ])('is an error of the system: %s', async (message, context) => {
    expect(await executeUntyped(valid, context)).toMatchObject({
      status: 'error',
      command: 'true',
      exitCode: null,
      usage: null,
      error: { code: 'ERR_INVALID_INPUT', message },
    })
  })

  test('is of the mode that it asks for', async () => {
    const context = { workingDir: 7, sandbox: 'restricted' }

    expect(await executeUntyped(valid, context)).toMatchObject({ status: 'error', sandbox: 'restricted' })
  })

  test.each<[string, () => unknown]>([
    [
      'workingDir',
      () => ({
        get workingDir() {
          throw new Error('not today')
        },
      }),
    ],
    [
      'cancel',
      () => ({
        ...root,
        get cancel() {
          throw new Error('not today')
        },
      }),
    ],
    [
      'onEvent',
      () => ({
        ...root,
        get onEvent() {
          throw new Error('not today')
        },
      }),
    ],
  ])('a getter of %s that throws is an error, not a rejection', async (_, makeContext) => {
    expect(await executeUntyped(valid, makeContext())).toMatchObject({
      status: 'error',
      error: { message: 'not today' },
    })
  })

  test('an object of a class with getters is as good as a literal', async () => {
    class Conversation {
      get workingDir() {
        return '/usr'
      }
    }

    expect(await createBashTool().execute({ command: 'pwd' }, new Conversation())).toMatchObject({
      output: '/usr\n',
    })
  })
})

describe('the duration of a call that ran nothing', () => {
  test.each<[string, unknown, unknown]>([
    ['invalid input', { command: 7 }, root],
    ['a context that cannot be used', valid, {}],
    ['a working directory that is missing', valid, { workingDir: '/nonexistent' }],
    ['a job without a place', { command: 'true', mode: 'background' }, root],
    ['a cancel before it began', valid, { ...root, cancel: AbortSignal.abort() }],
  ])('%s has taken some time', async (_, input, context) => {
    const { durationMs } = await executeUntyped(input, context)

    expect(durationMs).toBeGreaterThan(0)
  })
})

describe('the command reaches bash', () => {
  test('as it was given, whatever its characters', async () => {
    const echo = createBashTool({ shellPath: '/bin/echo' })
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', size: 'medium' }), async (text) => {
        fc.pre(!text.includes('\0'))
        const { status, output } = await echo.execute({ command: text }, root)

        expect(status).toBe('completed')
        // A shell that stays gets its name a second time as an argument, which is overwritten to hide the command.
        expect([` ${text}\n`, ` ${text} bash\n`].filter((end) => output.endsWith(end))).not.toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  test.each(['-x', '--version', '-c', '--', '+x', '-'])(
    'also when it begins with a dash: %s',
    async (command) => {
      const result = await createBashTool().execute({ command }, root)

      expect(result).toMatchObject({ status: 'failed', exitCode: 127 })
      expect(result.output).toContain('command not found')
    },
  )
})
