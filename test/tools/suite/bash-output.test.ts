import { type BashOutputResult, createBashTool, JobStore } from '../../../lib/index.js'
import { jobsDirectory, writeJob } from '../../commands/jobs/job-files.js'
import { endJobs, tempStore } from '../../support/jobs.js'
import { killLeftovers, uniqueSleep } from '../../support/processes.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { context, suiteCalls } from './suite-calls.js'

afterEach(killLeftovers)
afterEach(endJobs)
afterAll(removeTempDirs)

describe('the accumulated output (REQ-SUITE-004)', () => {
  test('of a running command is what it has printed so far', async () => {
    const { start, outputWith, bashOutput } = suiteCalls()
    const id = await start(`echo out; echo err >&2; sleep ${uniqueSleep()}`)
    await outputWith(id, 'err\n')

    expect(await bashOutput({ bash_id: id })).toEqual({
      text: '[running]\nout\nerr\n[to read what follows: offset 8]',
      result: {
        status: 'running',
        output: 'out\nerr\n',
        truncated: false,
        binary: false,
        exitCode: null,
        signal: null,
        outputBytes: 8,
        nextOffset: 8,
        droppedBytes: 0,
        unsearchedBytes: 0,
      },
    })
  })

  test('of a command that has ended is all it has printed, without the status line of the file', async () => {
    const { start, ended } = suiteCalls()

    expect(await ended(await start('sleep 0.3 && echo done'))).toMatchObject({
      text: '[completed]\ndone\n',
      result: { status: 'completed', exitCode: 0, output: 'done\n', outputBytes: 5 },
    })
  })

  test('is the same for every reader, however often it is read', async () => {
    const { start, ended, bashOutput } = suiteCalls()
    const id = await start('seq 3')
    const { result } = await ended(id)

    for (let i = 0; i < 3; i += 1) expect((await bashOutput({ bash_id: id })).result).toEqual(result)
  })

  test('has escape sequences removed and progress rendered', async () => {
    const { start, ended } = suiteCalls()
    const id = await start("printf '\\e[31mred\\e[0m\\n10%%\\r100%%\\n'")

    expect((await ended(id)).text).toBe('[completed]\nred\n100%\n')
  })

  test('of more than 30,000 characters is its first and last part', async () => {
    const { start, ended } = suiteCalls()
    const { result, text } = await ended(await start('seq 10000'))

    expect(result).toMatchObject({ truncated: true, outputBytes: 48_894, nextOffset: 48_894 })
    expect(text).toMatch(
      /^\[completed\]\n1\n2\n.*\n\n\[output truncated: first 15000 and last 15000 of 48894 characters\]\n\n.*\n9999\n10000\n\[to read what was left out: a filter, or an offset below 48894\]$/s,
    )
  })

  test('of a failed command in the background comes with its exit code', async () => {
    const { start, ended } = suiteCalls()

    expect(await ended(await start('echo out; exit 7'))).toMatchObject({
      text: '[failed: exit code 7]\nout\n',
      result: { status: 'failed', exitCode: 7 },
    })
  })

  test('binary output is marked', async () => {
    const { start, ended } = suiteCalls()

    expect(await ended(await start("printf 'a\\0b'"))).toMatchObject({
      result: { binary: true },
      text: '[completed]\na\u2400b\n[output is not text: invalid UTF-8 is shown as \uFFFD, NULs as \u2400; for its bytes: | xxd or | base64]',
    })
  })
})

describe('the first line says how the command is', () => {
  test.each([
    ['completed, without output', 'true', '[completed]'],
    ['failed', 'exit 1', '[failed: exit code 1]'],
    ['killed by itself', 'kill -SEGV $$', '[killed: SIGSEGV]'],
  ])('%s', async (_, command, expected) => {
    const { start, ended } = suiteCalls()

    expect((await ended(await start(command))).text).toBe(expected)
  })

  test('running, without output', async () => {
    const { start, bashOutput } = suiteCalls()

    expect((await bashOutput({ bash_id: await start(`sleep ${uniqueSleep()}`) })).text).toBe('[running]')
  })

  test('timed out', async () => {
    const jobs = tempStore()
    const tool = createBashTool({ jobs, timeouts: { background: 300 } })
    const { jobId = '' } = await tool.execute({ command: 'echo on; sleep 30', mode: 'background' }, context)

    expect((await suiteCalls({ jobs }).ended(jobId)).text).toBe('[timed out]\non\n')
  })

  test('lost: its supervisor has vanished', async () => {
    const directory = jobsDirectory()
    writeJob(directory, 'bash_aaaaaa', { output: 'so far\n' })
    const { bashOutput } = suiteCalls({ jobs: new JobStore({ directory }) })

    expect((await bashOutput({ bash_id: 'bash_aaaaaa' })).text).toBe(
      '[lost]\nso far\n[its supervisor has ended without recording how the job did]',
    )
  })
})

describe('offset', () => {
  test('pages through what a running command prints, without a gap and without repeating', async () => {
    const { start, store, bashOutput } = suiteCalls()
    const id = await start('for ((i = 0; i < 200; i++)); do echo "line é $i"; sleep 0.005; done')
    let offset = 0
    let read = ''
    let reads = 0
    let status: BashOutputResult['status'] = 'running'
    while (status === 'running') {
      const { result } = await bashOutput({ bash_id: id, offset })
      read += result.output
      offset = result.nextOffset
      status = result.status
      reads += 1
      await store.wait(id, { timeoutMs: 50 })
    }

    expect(status).toBe('completed')
    expect(reads).toBeGreaterThan(2)
    expect(read).toBe(Array.from({ length: 200 }, (_, i) => `line é ${i}\n`).join(''))
  })

  test('is what the text of a running command gives to go on with', async () => {
    const { start, outputWith, bashOutput } = suiteCalls()
    const id = await start(`echo one; sleep 1; echo two; sleep ${uniqueSleep()}`)
    await outputWith(id, 'one')
    const { text } = await bashOutput({ bash_id: id })
    const offset = Number(/\[to read what follows: offset (\d+)\]$/.exec(text)?.[1])
    await outputWith(id, 'two')

    expect((await bashOutput({ bash_id: id, offset })).text).toMatch(/^\[running\]\n(?:one\n)?two\n/)
  })

  test('at the end gives nothing, and stays there', async () => {
    const { start, ended, bashOutput } = suiteCalls()
    const id = await start('echo done')
    const { result } = await ended(id)

    expect((await bashOutput({ bash_id: id, offset: result.nextOffset })).text).toBe('[completed]')
    expect((await bashOutput({ bash_id: id, offset: 1_000_000 })).result).toMatchObject({
      output: '',
      nextOffset: result.nextOffset,
    })
  })
})

describe('an id that is unknown (REQ-SUITE-004)', () => {
  test('names those that run', async () => {
    const { start, bashOutput, ended } = suiteCalls()
    const running = [await start(`sleep ${uniqueSleep()}`), await start(`sleep ${uniqueSleep()}`)]
    await ended(await start('true'))
    const { result, text } = await bashOutput({ bash_id: 'bash_zzzzzz' })
    const [, named = ''] = /^No background command with id bash_zzzzzz \(running: (.*)\)$/.exec(text) ?? []

    expect(named.split(', ').sort()).toEqual(running.sort())
    expect(result).toMatchObject({ status: 'error', output: '', error: { code: 'ERR_JOB_NOT_FOUND' } })
  })

  test.each(['bash_1', '1', '', 'no such id', '../../etc/passwd', 'bash_AAAAAA', `bash_${'a'.repeat(500)}`])(
    '%j',
    async (id) => {
      const { result, text } = await suiteCalls().bashOutput({ bash_id: id })

      expect(text).toMatch(/^No background command with id .* \(running: none\)$/)
      expect(text.length).toBeLessThan(250)
      expect(result.error?.code).toBe('ERR_JOB_NOT_FOUND')
    },
  )

  test('because it has expired', async () => {
    const jobs = tempStore()
    const { start, ended, bashOutput } = suiteCalls({ jobs })
    const id = await start('true')
    await ended(id)
    // Another one: that of the tool removes on its own what has expired, when it starts a job.
    const expiring = new JobStore({ directory: jobs.directory, maxAgeMs: 0, maxJobs: 0 })

    expect(await expiring.cleanUp()).toEqual([id])
    expect((await bashOutput({ bash_id: id })).text).toBe(
      `No background command with id ${id} (running: none)`,
    )
  })
})

describe('a call', () => {
  test('a cancelled one is an error, and not a rejection', async () => {
    const { suite, start } = suiteCalls()
    const id = await start('true')
    const cancel = AbortSignal.abort()

    expect(await suite.bashOutput.execute({ bash_id: id }, { ...context, cancel })).toMatchObject({
      status: 'error',
    })
  })

  test('has one event, its result, also as a stream', async () => {
    const { suite, start, ended } = suiteCalls()
    const id = await start('echo done')
    const { result } = await ended(id)
    const events: unknown[] = []
    await suite.bashOutput.execute({ bash_id: id }, { ...context, onEvent: (event) => events.push(event) })
    for await (const event of suite.bashOutput.stream({ bash_id: id }, context)) events.push(event)

    expect(events).toEqual([
      { type: 'result', result },
      { type: 'result', result },
    ])
  })
})
