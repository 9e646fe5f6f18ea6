// A context with a field that nothing knows is refused, wherever contexts come in, with what was probably meant.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  type BashResult,
  BashSession,
  createBashSuite,
  createBashTool,
  createExecTool,
} from '../../lib/index.js'
import { aiTool, sandboxSession } from '../../lib/surfaces/adapters/ai.js'
import { anthropicTool, betaBashTool } from '../../lib/surfaces/adapters/anthropic.js'
import { openaiShell, openaiTool } from '../../lib/surfaces/adapters/openai.js'
import { contextFields } from '../../lib/tools/context.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'

afterAll(removeTempDirs)

const allowed = '(allowed: workingDir, cancel, sandbox, conversationId, toolCallId, session, onEvent, policy)'
const misspelt = { workingDir: '/', sandBox: 'restricted' } as { workingDir: string }
const message = `context.sandBox: unknown field; did you mean sandbox? ${allowed}`
const refusal = expect.objectContaining({ name: 'BashError', code: 'ERR_INVALID_INPUT', message })

describe('a field that is not known', () => {
  test.each([
    ['sandBox', 'did you mean sandbox?'],
    ['sand_box', 'did you mean sandbox?'],
    ['SANDBOX', 'did you mean sandbox?'],
    ['sanbdox', 'did you mean sandbox?'],
    ['signal', 'did you mean cancel?'],
    ['abortSignal', 'did you mean cancel?'],
    ['cancelSignal', 'did you mean cancel?'],
    ['cwd', 'did you mean workingDir?'],
    ['workingDirectory', 'did you mean workingDir?'],
    ['working_dir', 'did you mean workingDir?'],
    ['sesion', 'did you mean session?'],
    ['onOutput', 'did you mean onEvent?'],
    ['tool_use_id', 'did you mean toolCallId?'],
    ['timeout', 'timeout belongs in the options of the tool'],
    ['workspace', 'workspace belongs in the options of the tool'],
    ['env', 'env belongs in the options of the tool'],
    ['shellpath', 'shellPath belongs in the options of the tool'],
  ])('%s: %s', (name, hint) => {
    expect(() => contextFields({ workingDir: '/', [name]: 'x' })).toThrow(
      `context.${name}: unknown field; ${hint} ${allowed}`,
    )
  })

  test('that resembles none is refused without a suggestion', () => {
    expect(() => contextFields({ workingDir: '/', messages: [] })).toThrow(
      `context.messages: unknown field ${allowed}`,
    )
  })

  class Conversation {
    workingDir = '/'
    get sandBox() {
      return 'restricted'
    }
  }

  test.each([
    ['undefined', { workingDir: '/', sandBox: undefined }],
    ['inherited', Object.create({ sandBox: 'restricted' }, { workingDir: { value: '/' } })],
    [
      'a getter',
      {
        workingDir: '/',
        get sandBox() {
          return 'restricted'
        },
      },
    ],
    ['a getter of its class', new Conversation()],
  ])('is refused when it is %s', (_, context) => {
    expect(() => contextFields(context)).toThrow(refusal)
  })
})

describe('fields that are known', () => {
  class Conversation {
    readonly #mode = 'restricted'
    get workingDir() {
      return '/'
    }
    get sandbox() {
      return this.#mode
    }
    toString() {
      return 'a method is no field'
    }
  }

  test('may come from a class', () => {
    expect(contextFields(new Conversation())).toEqual({ workingDir: '/', sandbox: 'restricted' })
  })

  test('are read once', () => {
    const values = ['restricted', 'unrestricted']
    const context = {
      workingDir: '/',
      get sandbox() {
        return values.shift()
      },
    }

    expect(contextFields(context)).toEqual({ workingDir: '/', sandbox: 'restricted' })
    expect(values).toEqual(['unrestricted'])
  })
})

describe('no command runs with a context that is not understood', () => {
  const suite = createBashSuite()
  test('the exec tool has no sessions', async () => {
    const context = { workingDir: '/', session: new BashSession({ workingDir: '/' }) }
    expect((await createExecTool().execute({ command: 'true' }, context)).error).toMatch(
      /context\.session: belongs to the bash tool or the suite/,
    )
  })

  const command = () => {
    const file = join(tempDir(), 'ran')
    return { file, input: { command: `touch ${file}` } }
  }

  test.each([
    ['the bash tool', createBashTool()],
    ['Bash', suite.bash],
  ])('%s: an error, and no rejection', async (_, tool) => {
    const { file, input } = command()
    const result: BashResult = await tool.execute(input, misspelt)
    const events = []
    for await (const event of tool.stream(input, misspelt)) events.push(event)

    expect(result).toMatchObject({ status: 'error', error: { code: 'ERR_INVALID_INPUT', message } })
    expect(tool.toText(result)).toBe(`[system error: ${message}]`)
    expect(events).toMatchObject([{ type: 'result', result: { status: 'error', error: { message } } }])
    expect(() => tool.description(misspelt)).toThrow(refusal)
    expect(existsSync(file)).toBe(false)
  })

  test('the exec tool', async () => {
    const { file, input } = command()
    const tool = createExecTool()

    expect(await tool.execute(input, misspelt)).toMatchObject({
      exitCode: null,
      error: `invalid input: ${message}`,
    })
    expect(() => tool.description(misspelt)).toThrow(refusal)
    expect(existsSync(file)).toBe(false)
  })

  test.each([
    ['BashOutput', suite.bashOutput],
    ['KillBash', suite.killBash],
  ])('%s', async (_, tool) => {
    const result = await tool.execute({ bash_id: 'bash_aaaaaa' }, misspelt)

    expect(result).toMatchObject({ status: 'error', error: { code: 'ERR_INVALID_INPUT', message } })
    expect(() => tool.description(misspelt)).toThrow(refusal)
  })

  test.each<[string, () => unknown]>([
    ['aiTool', () => aiTool(createBashTool(), misspelt)],
    ['anthropicTool', () => anthropicTool(createBashTool(), misspelt)],
    ['openaiTool', () => openaiTool(createBashTool(), misspelt)],
    ['openaiShell', () => openaiShell(misspelt)],
  ])('%s: when it is made', (_, make) => {
    expect(make).toThrow(refusal)
  })

  test.each<[string, () => unknown]>([
    ['sandboxSession', () => sandboxSession('/', { sandBox: 'restricted' } as object)],
    ['betaBashTool', () => betaBashTool({ workdir: '/', sandBox: 'restricted' } as { workdir: string })],
  ])('%s, whose options are its context', (_, make) => {
    expect(make).toThrow(/^options\.sandBox: unknown field; did you mean sandbox\?/)
  })
})
