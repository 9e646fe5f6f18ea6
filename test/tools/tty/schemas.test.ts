// The option tty: off, it changes nothing and loads nothing; on, the tools take more.
import { execFileSync } from 'node:child_process'
import {
  type BashSuite,
  type BashSuiteOptions,
  CallLedger,
  createBashSuite,
  createBashTool,
} from '../../../lib/index.js'
import { packageRoot } from '../../support/as-user.js'
import { endJobs } from '../../support/jobs.js'
import { ttyCalls } from './tty-calls.js'

afterEach(endJobs)

const context = { workingDir: '/' }
const plain = (value: unknown) => JSON.parse(JSON.stringify(value))
const untyped = (options: object) => createBashSuite(options as BashSuiteOptions)

const loadedWith = (options: string): string[] => {
  const program = `
    const suite = require('bashward').createBashSuite(${options})
    suite.bash.description({ workingDir: '/' })
    const { sep } = require('node:path')
    console.log(JSON.stringify(Object.keys(require.cache).flatMap((file) => file.split(sep + 'dist' + sep)[1] ?? [])))`
  const words = ['--no-warnings', '--input-type=commonjs', '-e', program]
  const { BASHWARD_ENGINE, ...env } = process.env
  const where = { cwd: packageRoot, encoding: 'utf8', env } as const
  return JSON.parse(execFileSync(process.execPath, words, where)).sort()
}

test('a suite without it has three tools as they are, and loads nothing for a fourth', () => {
  const suites: BashSuite[] = [createBashSuite(), createBashSuite({ tty: false })]
  for (const suite of suites) {
    expect(Object.keys(suite)).toEqual(['bash', 'bashOutput', 'killBash'])
    expect(plain(suite)).toEqual(plain(createBashSuite()))
    expect(JSON.stringify(suite)).not.toContain('tty')
    expect(suite.bash.description(context)).not.toMatch(/tty|BashInput/)
    expect(suite.bash.description(context)).toContain('(there is no terminal)')
  }
  expect(loadedWith('')).toEqual(['bashward.js', 'index.js'])
})

test('a suite with it loads no emulator', () => {
  const loaded = loadedWith('{ tty: true }')
  expect(loaded).toContain('tools/tty/tools.js')
  expect(loaded.filter((name) => /screens|job-screen|permit|judge/.test(name))).toEqual([])
})

test('its tools take more', () => {
  const suite = createBashSuite({ tty: true })
  expect(Object.keys(suite)).toEqual(['bash', 'bashOutput', 'killBash', 'bashInput'])
  expect(Object.keys(suite.bash.inputSchema.properties)).toEqual([
    ...['command', 'timeout', 'description', 'run_in_background', 'tty'],
  ])
  expect(Object.keys(suite.bashOutput.inputSchema.properties).at(-1)).toBe('screen')
  expect(plain(suite.bashInput.inputSchema)).toEqual({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      bash_id: { type: 'string', description: expect.any(String) },
      text: { type: 'string', description: expect.any(String) },
      keys: { type: 'array', items: { type: 'string' }, description: expect.any(String) },
      submit: { type: 'boolean', description: expect.any(String) },
      wait_ms: { type: 'integer', minimum: 0, maximum: 60_000, description: expect.any(String) },
      screen: { type: 'boolean', description: expect.any(String) },
    },
    required: ['bash_id'],
    additionalProperties: false,
  })
  expect(suite.bash.description(context)).toMatch(/With tty .*BashInput/s)
  expect(suite.bash.description(context)).toContain('vim, watch, top and the like without tty')
  expect(suite.bashInput.judge).toBeUndefined()
})

test.each([
  [{ tty: { rows: 0 } }, 'tty.rows: must be an integer from 1 to 200 (got 0)'],
  [{ tty: 'yes' }, 'tty: must be an object (got "yes")'],
  [
    { tty: true, calls: new CallLedger() },
    'tty: must be left out with calls: what is typed would be typed twice (got {"rows":24,"cols":100})',
  ],
])('%j is refused', (options, message) => {
  expect(() => untyped(options)).toThrow(message)
})

test('a bash tool has none', () => {
  expect(() => createBashTool({ tty: true } as object)).toThrow('options.tty: unknown field')
})

test('what is no command in a terminal takes no text', async () => {
  const { suite, type } = ttyCalls()
  const { jobId = '' } = await suite.bash.execute({ command: 'sleep 300', run_in_background: true }, context)

  expect((await type(jobId, 'x')).text).toBe(
    `[system error: ${jobId} has no terminal: it was started without tty]`,
  )
  expect((await type('bash_000000', 'x')).text).toMatch(/^No background command with id bash_000000/)
})

test('what needs a terminal is told how to get one', async () => {
  const { suite } = ttyCalls()
  const result = await suite.bash.execute({ command: 'vim x' }, context)

  expect(suite.bash.toText(result)).toMatch(/^\[command rejected: needs-terminal\] .* Or run it with tty\.$/s)
})
