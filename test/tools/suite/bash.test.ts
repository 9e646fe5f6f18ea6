// The suite's Bash: REQ-SUITE-001 to 003, and the edge cases of foreground commands.
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { type BashEvent, createBashSuite, JobStore } from '../../../lib/index.js'
import { endJobs, waitForStatusLine } from '../../support/jobs.js'
import { isAlive, killLeftovers, processesWith, uniqueSleep } from '../../support/processes.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { context, suiteCalls } from './suite-calls.js'

afterEach(killLeftovers)
afterEach(endJobs)
afterAll(removeTempDirs)

const textOf = async (input: unknown): Promise<string> => (await suiteCalls().bash(input)).text
const letters = (count: number): string => `head -c ${count} /dev/zero | tr '\\0' a`

describe('a foreground command (REQ-SUITE-001)', () => {
  test('gives stdout and stderr in their order', async () => {
    expect(await textOf({ command: 'echo one; echo two >&2; echo three' })).toBe('one\ntwo\nthree\n')
  })

  test('may have a description, which changes nothing', async () => {
    expect(await textOf({ command: 'echo hello', description: 'Says hello' })).toBe('hello\n')
  })

  test('without output says so', async () => {
    expect(await textOf({ command: 'true' })).toBe('[no output]')
  })

  test('that fails gives its exit code and its output', async () => {
    expect(await textOf({ command: 'echo out; exit 3' })).toBe('[command failed: exit code 3]\nout\n')
  })

  test('that is ended by a signal says which', async () => {
    expect(await textOf({ command: 'kill -SEGV $$' })).toBe('[command failed: killed by SIGSEGV]\n')
  })

  test('runs in the working directory of the conversation', async () => {
    const { bash } = createBashSuite()

    expect((await bash.execute({ command: 'pwd' }, { workingDir: '/usr' })).output).toBe('/usr\n')
  })

  test('with `run_in_background: false` is one', async () => {
    expect(await textOf({ command: 'echo on', run_in_background: false })).toBe('on\n')
  })

  test('that leaves processes running gives them a bash_id', async () => {
    const { bash, bashOutput } = suiteCalls()
    const { result, text } = await bash({
      command: `(sleep 1; echo later; sleep ${uniqueSleep()}) & echo now`,
    })

    expect(text).toMatch(/^now\n\[still running as job bash_[a-z0-9]+: /)
    expect((await bashOutput({ bash_id: result.jobId })).result.status).toBe('running')
  })
})

describe('the timeout (REQ-SUITE-002)', () => {
  test('ends the command, and gives the partial output', async () => {
    const marker = uniqueSleep()

    expect(await textOf({ command: `echo partial; sleep ${marker}`, timeout: 500 })).toMatch(
      /^\[command timed out after 0\.5s\]\npartial\n\[session state not saved: .*\]$/,
    )
    expect(processesWith(marker)).toEqual([])
  })

  test.each([1, 600_000])('may be %d ms', async (timeout) => {
    const { result } = await suiteCalls().bash({ command: 'true', timeout })

    expect(['completed', 'timed_out']).toContain(result.status)
  })

  test('is that of a background command as well, which has 24 hours without one', async () => {
    const { start, store, suite } = suiteCalls()
    const input = { command: `sleep ${uniqueSleep()}`, timeout: 300, run_in_background: true }
    const { jobId = '', outputFile } = await suite.bash.execute(input, context)
    const id = await start('true')

    expect((await store.get(jobId)).record?.timeoutMs).toBe(300)
    expect(await waitForStatusLine(outputFile)).toMatch(/\[background process timed out after 300ms\]$/)
    expect((await store.get(id)).record?.timeoutMs).toBe(86_400_000)
  })
})

describe('in the background (REQ-SUITE-003)', () => {
  test('a bash_id comes at once, and how to go on', async () => {
    const marker = uniqueSleep()
    const { result, text } = await suiteCalls().bash({ command: `sleep ${marker}`, run_in_background: true })

    expect(text).toBe(
      [
        `<bash_id>${result.jobId}</bash_id>`,
        `<pid>${result.pid}</pid>`,
        `<output_file>${result.outputFile}</output_file>`,
        '<reminder>To read its output: BashOutput. To stop: KillBash</reminder>',
      ].join('\n'),
    )
    expect(result).toMatchObject({
      status: 'background',
      jobId: expect.stringMatching(/^bash_[a-z0-9]{6,8}$/),
    })
    expect(result.durationMs).toBeLessThan(10_000)
    expect(isAlive(result.pid ?? 0)).toBe(true)
  })

  test('the command is the leader of its process group and session', async () => {
    const { store, ended, suite } = suiteCalls()
    const input = { command: 'ps -o pid=,pgid=,sid= -p $$', run_in_background: true }
    const { jobId = '', pid, pgid } = await suite.bash.execute(input, context)
    const { result } = await ended(jobId)

    expect(result.output.trim().split(/\s+/).map(Number)).toEqual([pid, pid, pid])
    expect(pgid).toBe(pid)
    expect((await store.get(jobId)).record?.pgid).toBe(pid)
  })

  test('the file has the bytes as they were printed; BashOutput shows them rendered', async () => {
    const { store, start, ended } = suiteCalls()
    const id = await start("printf '\\e[31mred\\e[0m\\n'")
    const { outputFile } = await store.get(id)

    expect(await waitForStatusLine(outputFile)).toBe('\x1b[31mred\x1b[0m\n\n\n[background process completed]')
    expect((await ended(id)).text).toBe('[completed]\nred\n')
  })

  test('no directory for jobs is a clear error', async () => {
    const { bash } = createBashSuite({ jobs: new JobStore({ directory: '/proc/bashward/jobs' }) })
    const result = await bash.execute({ command: 'true', run_in_background: true }, context)

    expect(result).toMatchObject({ status: 'error', error: { code: 'ERR_JOB_DIRECTORY' } })
    expect(bash.toText(result)).toMatch(/^\[system error: mkdir \/proc\/bashward\/jobs/)
  })
})

describe('output truncation (REQ-SUITE-008)', () => {
  test('30,000 characters are given whole', async () => {
    expect(await textOf({ command: letters(30_000) })).toBe('a'.repeat(30_000))
  })

  test('of one more the first and the last 15,000 are given, and it says so', async () => {
    const half = 'a'.repeat(15_000)

    expect((await suiteCalls({ saveOutput: false }).bash({ command: letters(30_001) })).text).toBe(
      `${half}\n\n[output truncated: first 15000 and last 15000 of 30001 characters]\n\n${half}`,
    )
  })

  test('of megabytes too, and the bytes are counted', async () => {
    const { result, text } = await suiteCalls().bash({ command: 'seq 1000000' })

    expect(result).toMatchObject({ status: 'completed', truncated: true, outputBytes: 6_888_896 })
    expect(text).toMatch(
      /^1\n2\n3\n.*\n\n\[output truncated: first 15000 and last 15000 of 68888\d\d characters\]\n\n.*\n999999\n1000000\n\[/s,
    )
  })

  test('the whole of it is in a file, which is named', async () => {
    const { result, text } = await suiteCalls().bash({ command: 'seq 10000' })
    const { savedOutput = '', savedOutputBytes } = result

    expect(text).toContain(`\n[whole output saved: ${savedOutput}]`)
    expect(readFileSync(savedOutput, 'utf8')).toBe(execFileSync('seq', ['10000'], { encoding: 'utf8' }))
    expect(savedOutputBytes).toBe(48_894)
    rmSync(savedOutput)
  })

  test('the file has 64 MiB at most', async () => {
    const { result, text } = await suiteCalls({ saveOutput: undefined }).bash({
      command: 'yes | head -c 70000000',
    })
    const { savedOutput = '', savedOutputBytes } = result

    expect(savedOutputBytes).toBe(64 * 1024 * 1024)
    expect(text).toContain(`\n[first 64.0MB of the output saved: ${savedOutput}]`)
    rmSync(savedOutput)
  })

  test('what is given whole leaves no file', async () => {
    const { result } = await suiteCalls({ maxOutputChars: 48_894 }).bash({ command: 'seq 10000' })

    expect(result).toMatchObject({ truncated: false, outputBytes: 48_894 })
    expect(result.savedOutput).toBeUndefined()
  })

  test('characters are counted, not bytes', async () => {
    const command = "printf 'é%.0s' {1..30000}"

    expect(await textOf({ command })).toBe('é'.repeat(30_000))
  })

  test('of a failure: the exit code comes first', async () => {
    expect(await textOf({ command: `${letters(40_000)}; exit 3` })).toMatch(
      /^\[command failed: exit code 3\]\na{15000}\n\n\[output truncated: first 15000 and last 15000 of 40000 characters\]/,
    )
  })
})

describe('ANSI codes and progress (REQ-SUITE-007)', () => {
  test.each([
    ['colours', "printf '\\e[1;31mred\\e[0m text\\n'", 'red text\n'],
    ['a hyperlink', "printf '\\e]8;;https://example.org\\e\\\\link\\e]8;;\\e\\\\\\n'", 'link\n'],
    ['a colour code in two writes', "printf 'a \\e[3'; sleep .2; printf '1mred\\e[0m\\n'", 'a red\n'],
    ['progress', 'for i in $(seq 100); do printf "\\r%d%%" $i; done; echo', '100%\n'],
    ['carriage returns at the ends of lines', "printf 'one\\r\\ntwo\\r\\n'", 'one\ntwo\n'],
  ])('%s: what a terminal would show', async (_, command, expected) => {
    expect(await textOf({ command })).toBe(expected)
  })

  test('progress of more than 30,000 characters is one line', async () => {
    const { result } = await suiteCalls().bash({
      command: 'for ((i = 1; i <= 8000; i++)); do printf "\\r%d of 8000" $i; done; echo; echo done',
    })

    expect(result).toMatchObject({ output: '8000 of 8000\ndone\n', truncated: false })
    expect(result.outputBytes).toBeGreaterThan(30_000)
  })

  test('live output is rendered as well', async () => {
    const events: BashEvent[] = []
    await suiteCalls().suite.bash.execute(
      { command: "printf '\\e[31mred\\e[0m\\n'" },
      { ...context, onEvent: (event) => events.push(event) },
    )

    expect(events.map((event) => (event.type === 'output' ? event.text : event.type))).toEqual([
      'start',
      'red\n',
      'result',
    ])
  })
})

describe('wrong context', () => {
  test('a missing working directory is a system error', async () => {
    const { bash } = createBashSuite()
    const result = await bash.execute({ command: 'pwd' }, { workingDir: '/nope' })

    expect(result).toMatchObject({ status: 'error', error: { code: 'ERR_WORKING_DIR' } })
    expect(bash.toText(result)).toMatch(
      /^\[system error: .*chdir \/nope: ENOENT \(no such file or directory\).*\]$/,
    )
  })
})
