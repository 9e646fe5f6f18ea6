// Every tool refuses what a safety rule refuses: it does not run, no job begins, and the model is told why.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  type BashResult,
  createBashSuite,
  createBashTool,
  createExecTool,
  type JobStore,
} from '../../lib/index.js'
import { createLimitedBash } from '../../lib/surfaces/mcp/bash.js'
import { createTerminalTool } from '../../lib/tools/terminal-tool.js'
import { endJobs, tempStore } from '../support/jobs.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { noTouch, refused, rejected } from './refused-command.js'

afterEach(endJobs)
afterAll(removeTempDirs)

/** What is used of a tool here. */
interface AnyTool {
  execute(input: object, context: { workingDir: string; sandbox?: 'restricted' }): Promise<object>
  toText(result: object): string
}

const server = (jobs: JobStore) => {
  const timeouts = { default: 30_000, slow: 900_000, background: 86_400_000 }
  const tool = createLimitedBash({ jobs, answerWithinMs: 40_000, scratch: false, safety: true, timeouts })
  const onJob = () => {
    throw new Error('a job was started')
  }
  return {
    ...tool,
    execute: (input: object, context: object) => tool.execute(input, context as never, onJob),
  }
}

const modes = [{ mode: 'default' }, { mode: 'slow' }, { mode: 'background' }]
const tools: [string, (jobs: JobStore) => object, object[]][] = [
  ['the bash tool', (jobs) => createBashTool({ jobs }), modes],
  ['that of the MCP server', server, modes],
  [
    'that of the suite',
    (jobs) => createBashSuite({ jobs }).bash,
    [{ run_in_background: false }, { run_in_background: true }],
  ],
  ['that with a terminal', (jobs) => createTerminalTool({ jobs }, { rows: 24, cols: 100 }), [{}]],
]
const calls = tools.flatMap(([name, make, inputs]) => inputs.map((input) => [name, input, make] as const))

describe.each(calls)('%s, called with %j,', (_, input, make) => {
  test.each([{}, { sandbox: 'restricted' as const }])('does not run it, in the mode %j', async (mode) => {
    const [jobs, workingDir] = [tempStore(), tempDir()]
    const tool = make(jobs) as AnyTool
    const command = `touch made; ${refused}`
    const result = (await tool.execute({ command, ...input }, { workingDir, ...mode })) as BashResult

    expect(result).toMatchObject({ ...rejected, command, display: command, ...mode })
    expect(tool.toText(result)).toBe(`[command rejected: git-add-blind] ${result.error?.message}`)
    expect([existsSync(join(workingDir, 'made')), await jobs.list()]).toEqual([false, []])
  })
})

describe('the suite', () => {
  const suiteIn = (workingDir: string, options = {}) => {
    const { bash } = createBashSuite(options)
    return async (command: string) => await bash.execute({ command }, { workingDir })
  }

  test('checks in the directory of its session', async () => {
    const dir = tempDir()
    const ask = suiteIn(dir, { env: { set: { HOME: join(dir, 'home') } } })
    await ask('mkdir sub; cd sub')

    expect((await ask('rm -rf home')).status).toBe('completed')
    expect((await ask('cd ..; rm -rf home')).status).toBe('rejected')
  })

  test('with safety: false, does not check', async () => {
    expect((await suiteIn(tempDir(), { safety: false })(`${refused}; true`)).status).toBe('completed')
  })
})

describe('the exec tool', () => {
  test('refuses, with the rule and the reason as the error', async () => {
    const dir = tempDir()
    const tool = createExecTool()
    const result = await tool.execute({ command: `touch made; ${refused}` }, { workingDir: dir })

    expect(result).toEqual({
      stdout: '',
      stderr: '',
      exitCode: null,
      error: expect.stringMatching(/^command rejected: git-add-blind: \S/),
    })
    expect(existsSync(join(dir, 'made'))).toBe(false)
  })

  test('says what went wrong when a rule of the host fails', async () => {
    const broken = { ...noTouch, applies: () => { throw new Error('broken') } } // biome-ignore format: one line
    const tool = createExecTool({ safety: { rules: { add: [broken] } } })
    const { exitCode, error } = await tool.execute({ command: 'true' }, { workingDir: '/' })

    expect([exitCode, error]).toEqual([null, expect.stringContaining('broken')])
  })

  test('with safety: false, does not check', async () => {
    const tool = createExecTool({ safety: false })
    const result = await tool.execute({ command: `${refused}; echo "it ran"` }, { workingDir: tempDir() })

    expect(result).toMatchObject({ stdout: 'it ran\n', exitCode: 0 })
  })
})
