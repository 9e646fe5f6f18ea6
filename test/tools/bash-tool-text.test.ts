// What the model reads: each text comes from a real command, compared to the letter.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type BashToolOptions, createBashTool, type ToolContext } from '../../lib/index.js'
import { endJobs, tempStore } from '../support/jobs.js'
import { killLeftovers, uniqueSleep, waitForSleep } from '../support/processes.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'

afterEach(killLeftovers)
afterEach(endJobs)
afterAll(removeTempDirs)

const textOf = async (
  input: unknown,
  context: Partial<ToolContext> = {},
  options: BashToolOptions = {},
): Promise<string> => {
  const tool = createBashTool(options)
  return tool.toText(await tool.execute(input, { workingDir: '/', ...context }))
}

describe('success', () => {
  test('the output, both streams in their order', async () => {
    expect(await textOf({ command: 'echo one; echo two >&2; echo three' })).toBe('one\ntwo\nthree\n')
  })

  test('[no output] when there is none', async () => {
    expect(await textOf({ command: 'true' })).toBe('[no output]')
  })

  test('[no output] also when a daemon is left running', async () => {
    // Waits until it has become a daemon of that name.
    const settled = 'until pgrep -P $PPID sleep; do sleep 0.01; done >/dev/null'
    const command = `setsid -f sleep ${uniqueSleep()} </dev/null >/dev/null 2>&1; ${settled}`

    expect(await textOf({ command })).toMatch(/^\[no output\]\n\[still running as job .*\]$/)
  })

  test('in mode slow', async () => {
    expect(await textOf({ command: 'echo built', mode: 'slow' })).toBe('built\n')
  })

  test('in the working directory', async () => {
    const workingDir = join(tempDir(), 'a b')
    mkdirSync(workingDir)

    expect(await textOf({ command: 'pwd' }, { workingDir })).toBe(`${workingDir}\n`)
  })
})

describe('failure', () => {
  test('the exit code, then the output', async () => {
    expect(await textOf({ command: 'echo out; echo err >&2; exit 3' })).toBe(
      '[command failed: exit code 3]\nout\nerr\n',
    )
  })

  test('command not found', async () => {
    expect(await textOf({ command: 'no-such-command-here' })).toBe(
      '[command failed: exit code 127]\nbash: line 1: no-such-command-here: command not found\n',
    )
  })

  test('no output: the line is ended all the same', async () => {
    expect(await textOf({ command: 'exit 3' })).toBe('[command failed: exit code 3]\n')
  })

  test('an exit code that a limit would give is an exit code', async () => {
    const options = { limits: { cpuSeconds: 60 } }

    expect(await textOf({ command: 'exit 152' }, {}, options)).toBe('[command failed: exit code 152]\n')
  })

  test('the signal that ended it', async () => {
    expect(await textOf({ command: 'echo out; kill -SEGV $$' })).toBe(
      '[command failed: killed by SIGSEGV]\nout\n',
    )
  })

  test('the limit of CPU time', async () => {
    const options = { limits: { cpuSeconds: 1 } }

    expect(await textOf({ command: 'echo out; while :; do :; done' }, {}, options)).toBe(
      '[command failed: CPU time limit of 1s reached]\nout\n',
    )
  })

  test('the limit of file size', async () => {
    const file = join(tempDir(), 'file')
    const options = { limits: { fileSizeBytes: 1024 * 1024 } }
    const command = `exec head -c 2M /dev/zero > '${file}'`

    expect(await textOf({ command }, {}, options)).toBe(
      '[command failed: file size limit of 1.0MB reached]\n',
    )
  })
})

describe('timeout and cancel', () => {
  test('timeout: the seconds, then the partial output', async () => {
    const options = { timeouts: { default: 1000 } }

    expect(await textOf({ command: 'echo partial; sleep 30' }, {}, options)).toBe(
      '[command timed out after 1s]\npartial\n',
    )
  })

  test('timeout of mode slow', async () => {
    const options = { timeouts: { slow: 500 } }

    expect(await textOf({ command: 'sleep 30', mode: 'slow' }, {}, options)).toBe(
      '[command timed out after 0.5s]\n',
    )
  })

  test('cancel: the partial output', async () => {
    const controller = new AbortController()
    const context: Partial<ToolContext> = {
      cancel: controller.signal,
      onEvent: ({ type }) => type === 'output' && controller.abort(),
    }

    expect(await textOf({ command: 'echo partial; sleep 30' }, context)).toBe(
      '[command cancelled]\npartial\n',
    )
  })

  test('cancel before it began', async () => {
    expect(await textOf({ command: 'echo never' }, { cancel: AbortSignal.abort() })).toBe(
      '[command cancelled]\n',
    )
  })
})

describe('long output', () => {
  const command = "head -c 3145728 /dev/zero | tr '\\0' a"
  const ends = `${'a'.repeat(4096)}\n\n[snip]\n\n${'a'.repeat(4096)}`

  test('128 KiB are given whole', async () => {
    expect(await textOf({ command: "head -c 131072 /dev/zero | tr '\\0' a" })).toBe('a'.repeat(131_072))
  })

  test('one byte more is cut in the middle', async () => {
    expect(await textOf({ command: "head -c 131073 /dev/zero | tr '\\0' a" })).toBe(
      `[output truncated in middle: got 128.0KB, max is 128.0KB]\n${ends}`,
    )
  })

  test('megabytes', async () => {
    expect(await textOf({ command })).toBe(`[output truncated in middle: got 3.0MB, max is 128.0KB]\n${ends}`)
  })

  test('of a failure', async () => {
    expect(await textOf({ command: `${command}; exit 3` })).toBe(
      `[command failed: exit code 3]\n[output truncated in middle: got 3.0MB, max is 128.0KB]\n${ends}`,
    )
  })
})

describe('what does not run', () => {
  test('a missing working directory is a system error', async () => {
    expect(await textOf({ command: 'pwd' }, { workingDir: '/nope' })).toBe(
      '[system error: chdir /nope: ENOENT (no such file or directory)]',
    )
  })
})

describe('survivors', () => {
  /** Until it is a `sleep`, a child is a copy of bash with the whole command. */
  const startSleep = (marker: string) =>
    `sleep ${marker} & until pgrep -xf 'sleep ${marker}'; do :; done >/dev/null`

  test('a last line names them, their job, its file, and how to stop them', async () => {
    const marker = uniqueSleep()
    const jobs = tempStore()
    const text = await textOf({ command: `${startSleep(marker)}; echo started` }, {}, { jobs })
    const [sleep] = await waitForSleep(marker)
    const [job] = await jobs.list()

    expect(text).toBe(
      `started\n[still running as job ${job?.id}: ${sleep?.pid} (sleep ${marker}); ` +
        `output goes on in ${jobs.directory}/${job?.id}/output; to stop: kill -9 -${job?.record?.pgid}]`,
    )
  })

  test('without output they follow [no output]', async () => {
    const command = startSleep(uniqueSleep())

    expect(await textOf({ command }, {}, { jobs: tempStore() })).toMatch(
      /^\[no output\]\n\[still running as job [^\n]*\]$/,
    )
  })

  test('one that was started with a script of several lines is on one line', async () => {
    const marker = uniqueSleep()
    const command = `bash -c $'sleep ${marker}\\n:' & echo started`
    const text = await textOf({ command }, {}, { jobs: tempStore() })

    expect(text).toMatch(/^started\n\[still running as job [^\n]*; to stop: kill -9 -[0-9]+\]$/)
  })

  test('with survivors: kill there are none', async () => {
    const command = `sleep ${uniqueSleep()} & echo started`

    expect(await textOf({ command }, {}, { survivors: 'kill' })).toBe('started\n')
  })
})
