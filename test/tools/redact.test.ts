// No way out of a tool leads past the values that its commands were not given.
import { readFileSync } from 'node:fs'
import { createBashTool, createExecTool, run } from '../../lib/index.js'
import { endJobs, tempStore } from '../support/jobs.js'
import { killLeftovers, uniqueSleep } from '../support/processes.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { suiteCalls } from './suite/suite-calls.js'

const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
const mark = '[removed: BASHWARD_TEST_TOKEN]'
/** Two halves: no command has all of it. */
const print = `printf '%s%s\\n' ${secret.slice(0, 20)} ${secret.slice(20)}`

beforeAll(() => {
  process.env.BASHWARD_TEST_TOKEN = secret
})
afterAll(() => {
  delete process.env.BASHWARD_TEST_TOKEN
})
afterEach(killLeftovers)
afterEach(endJobs)
afterAll(removeTempDirs)

const context = { workingDir: '/' }

describe('the bash tool', () => {
  test('takes it out of its result and its events', async () => {
    const events: unknown[] = []
    const bash = createBashTool({ jobs: tempStore() })
    const onEvent = (event: unknown) => events.push(event)
    const result = await bash.execute({ command: `${print}; ${print}` }, { ...context, onEvent })

    expect(result).toMatchObject({ output: `${mark}\n${mark}\n`, redacted: { BASHWARD_TEST_TOKEN: 2 } })
    expect(result.outputBytes).toBe(2 * (secret.length + 1))
    expect(JSON.stringify(events)).not.toContain(secret)
    expect(JSON.stringify(events)).toContain(mark)
  })

  test('takes it out of the command lines of what is left running', async () => {
    const bash = createBashTool({ jobs: tempStore() })
    const command = `s=$(${print}); bash -c 'sleep ${uniqueSleep()}; :' $s & echo`
    const result = await bash.execute({ command }, context)

    expect(result.survivors.map(({ command }) => command).join()).toContain(mark)
    expect(JSON.stringify(result)).not.toContain(secret)
  })

  test('keeps no piece of it where long output is cut', async () => {
    const filler = 'yes | head -c 131060'
    const command = `${filler}; ${print}; yes | head -c 9000; ${print}; yes | head -c 4080`
    const { output } = await createBashTool({ jobs: tempStore() }).execute({ command }, context)

    expect(output).not.toContain(secret.slice(0, 4))
    expect(output).not.toContain(secret.slice(-4))
  })

  test('saves output as it came', async () => {
    const directory = tempDir()
    const bash = createBashTool({ jobs: tempStore(), saveOutput: { directory } })
    const { savedOutput = '' } = await bash.execute({ command: `seq 100000; ${print}` }, context)

    expect(readFileSync(savedOutput, 'utf8')).toContain(secret)
  })

  test('leaves it in on request, and what its commands have', async () => {
    const tools = [createBashTool({ redact: false }), createBashTool({ env: { allow: ['BASHWARD_*'] } })]
    for (const bash of tools) {
      const result = await bash.execute({ command: print }, context)

      expect(result.output).toBe(`${secret}\n`)
      expect(result.redacted).toBeUndefined()
    }
  })

  test('knows other tokens by their shape on request', async () => {
    const bash = createBashTool({ redact: { tokens: true } })
    const { output } = await bash.execute({ command: `echo glpat-${'aB3'.repeat(8)}` }, context)

    expect(output).toBe('[removed: forge-token]\n')
  })

  test('refuses what it does not know', () => {
    expect(() => createBashTool({ redact: 'yes' as never })).toThrow(
      /^redact: must be a boolean or an object \(got "yes"\)$/,
    )
    expect(() => createBashTool({ redact: { token: true } as never })).toThrow(/redact.*token/)
  })
})

test('the suite takes it out of background commands, also those that are filtered', async () => {
  const { start, ended, bashOutput } = suiteCalls()
  const id = await start(print)

  expect((await ended(id)).result).toMatchObject({
    output: `${mark}\n`,
    redacted: { BASHWARD_TEST_TOKEN: 1 },
  })
  expect((await bashOutput({ bash_id: id, filter: 'ghp' })).result.output).toBe('')
})

test('the suite leaves it in where its commands have it', async () => {
  const { start, ended } = suiteCalls({ env: { allow: ['BASHWARD_*'] } })

  expect((await ended(await start(print))).result.output).toBe(`${secret}\n`)
})

test('the exec tool, which gives everything, takes out what it is told to withhold', async () => {
  const denying = createExecTool({ env: { deny: ['BASHWARD_*'] } })

  expect(await denying.execute({ command: `${print} >&2` }, context)).toMatchObject({
    stderr: `${mark}\n`,
    redacted: { BASHWARD_TEST_TOKEN: 1 },
  })
  expect((await createExecTool().execute({ command: print }, context)).stdout).toBe(`${secret}\n`)
})

test('run() does so in each of two streams', async () => {
  const command = `${print}; ${print} >&2`
  const { stdout, stderr, stdoutBytes } = await run(command, { cwd: '/', streams: 'separate' })

  expect([stdout, stderr]).toEqual([`${mark}\n`, `${mark}\n`])
  expect(stdoutBytes).toBe(secret.length + 1)
})
