// The agent loops of the SDKs with a tool that asks by itself: its question, its answer and their own end reach it. What an
// answer means: test/tools/verdicts/permit.test.ts.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Approve,
  type BashEvent,
  type BashResult,
  createBashTool,
  loadPolicy,
  type PolicyRule,
  type VerdictOptions,
} from '../../../lib/index.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { agentLoops } from './agent-loops.js'

afterEach(removeTempDirs)

describe.each(agentLoops)('%s', (_, loop) => {
  let workingDir: string
  beforeEach(() => {
    workingDir = tempDir()
  })

  const made = (name: string) => existsSync(join(workingDir, name))

  const run = (commands: string[], verdicts: VerdictOptions) =>
    loop(createBashTool({ verdicts: { reads: 'same', ...verdicts } }), { workingDir }, commands)

  test('what only reads runs unasked, and what a person approves after the answer', async () => {
    const asked: unknown[] = []
    const approve: Approve = async (request) => {
      asked.push([request.command, made('new')])
      return 'once'
    }

    expect(await run(['echo hi', 'touch new', 'touch new'], { approve })).toEqual([
      'hi\n',
      '[no output]',
      '[no output]',
    ])
    expect(asked).toEqual([
      ['touch new', false],
      ['touch new', true],
    ])
  })

  test('what a person denies does not run, and the model reads why', async () => {
    const approve: Approve = async () => ({ deny: 'not on a Friday' })
    const [text] = await run(['touch new'], { approve })

    expect(text).toContain('not on a Friday')
    expect(made('new')).toBe(false)
  })

  test('what was approved for always is not asked again', async () => {
    const rules: PolicyRule[] = []
    let asked = 0
    const tool = createBashTool({
      verdicts: {
        reads: 'same',
        approve: async () => {
          asked += 1
          return 'always'
        },
        onRemember: (remembered, context) => {
          if ('prefix' in remembered) rules.push(remembered)
          context.policy = loadPolicy({ rules })
        },
      },
    })
    await loop(tool, { workingDir }, ['mkdir one', 'mkdir two', 'touch three'])

    expect([asked, made('one'), made('two'), made('three')]).toEqual([2, true, true, true])
  })

  test('nothing runs when nobody can be asked', async () => {
    const [text, after] = await run(['touch new', 'echo hi'], {})

    expect(text).toMatch(/^\[needs approval: /)
    expect(after).toBe('hi\n')
    expect(made('new')).toBe(false)
  })

  test('nothing runs when the loop is aborted before the answer', async () => {
    const abort = new AbortController()
    let asking: AbortSignal | undefined
    const approve: Approve = (_, { signal }) => {
      asking = signal
      setImmediate(() => abort.abort())
      return new Promise(() => {})
    }
    let result: BashResult | undefined
    const onEvent = (event: BashEvent) => {
      if (event.type === 'result') result = event.result
    }
    const tool = createBashTool({ verdicts: { approve } })
    await loop(tool, { workingDir, onEvent }, ['touch new'], abort.signal).catch(() => {})
    // Some SDKs do not wait for their tools.
    const { status } = await waitFor(() => result, { what: 'the result of the call' })

    expect([status, asking?.aborted, made('new')]).toEqual(['cancelled', true, false])
  })
})
