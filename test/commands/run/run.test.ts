// What run() resolves with, for each way in which a command can end.
import { symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { BashResult, SeparateStreams } from '../../../lib/commands/run/result.js'
import { run } from '../../../lib/index.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterAll(removeTempDirs)

const milliseconds = expect.any(Number)
const usage = { userMs: milliseconds, systemMs: milliseconds, maxRssBytes: expect.any(Number) }

/** What is the same in the results of all plain commands. */
const plain: Omit<BashResult, 'status' | 'command' | 'display' | 'output' | 'outputBytes' | 'exitCode'> = {
  signal: null,
  durationMs: milliseconds,
  truncated: false,
  binary: false,
  sandbox: 'unrestricted',
  enforced: [],
  survivors: [],
  usage,
  removedEnv: expect.any(Array),
}

describe('the fields of a result', () => {
  test('success', async () => {
    const command = 'echo hello'

    expect(await run(command, { cwd: '/' })).toEqual({
      ...plain,
      status: 'completed',
      command,
      display: command,
      output: 'hello\n',
      outputBytes: 6,
      exitCode: 0,
    })
  })

  test('failure', async () => {
    const command = 'echo hello; exit 255'

    expect(await run(command, { cwd: '/' })).toEqual({
      ...plain,
      status: 'failed',
      command,
      display: command,
      output: 'hello\n',
      outputBytes: 6,
      exitCode: 255,
    })
  })

  test.each(['SIGSEGV', 'SIGKILL', 'SIGTERM', 'SIGABRT', 'SIGUSR1'])('ended by %s', async (signal) => {
    const command = `echo hello; kill -${signal.slice(3)} $$`

    expect(await run(command, { cwd: '/' })).toEqual({
      ...plain,
      status: 'failed',
      command,
      display: command,
      output: 'hello\n',
      outputBytes: 6,
      exitCode: null,
      signal,
    })
  })

  test('a child ended by a signal is 128 + its number, and no signal of the command', async () => {
    const result = await run("bash -c 'kill -KILL $$'; exit $?", { cwd: '/' })

    expect(result).toMatchObject({ status: 'failed', exitCode: 137, signal: null })
  })

  test('timeout', async () => {
    const command = 'echo hello; sleep 30; echo never'

    expect(await run(command, { cwd: '/', timeout: 1000 })).toEqual({
      ...plain,
      status: 'timed_out',
      command,
      display: command,
      output: 'hello\n',
      outputBytes: 6,
      exitCode: null,
      signal: 'SIGTERM',
      timeoutMs: 1000,
    })
  })

  test('a timeout is one also when the command ends well at SIGTERM', async () => {
    const command = "trap 'exit 0' TERM; while :; do sleep 0.01; done"

    expect(await run(command, { cwd: '/', timeout: 1000 })).toMatchObject({
      status: 'timed_out',
      exitCode: 0,
      signal: null,
    })
  })

  test('output of several megabytes: counted, cut, and flagged', async () => {
    const result = await run("head -c 3145728 /dev/zero | tr '\\0' a", { cwd: '/' })

    expect(result).toMatchObject({
      status: 'completed',
      outputBytes: 3_145_728,
      truncated: true,
      binary: false,
    })
    expect(result.output).toBe(`${'a'.repeat(4096)}\n\n[snip]\n\n${'a'.repeat(4096)}`)
  })

  test('a result is plain data', async () => {
    const result = await run('echo hello; sleep 30 & exit 3', { cwd: '/', survivors: 'kill' })

    expect(JSON.parse(JSON.stringify(result))).toEqual(result)
  })

  test('the duration is that of the call', async () => {
    const { durationMs } = await run('sleep 0.2', { cwd: '/' })

    expect(durationMs).toBeGreaterThanOrEqual(200)
    expect(durationMs).toBeLessThan(30_000)
  })
})

describe('usage', () => {
  test('a busy loop in bash uses CPU time in user mode', async () => {
    const { usage } = await run('for ((i = 0; i < 40000; i++)); do :; done', { cwd: '/' })

    expect(usage?.userMs).toBeGreaterThan(1)
  })

  test('that of children counts', async () => {
    const { usage } = await run("bash -c 'for ((i = 0; i < 40000; i++)); do :; done'; true", { cwd: '/' })

    expect(usage?.userMs).toBeGreaterThan(1)
  })

  test('memory is that of the largest process', async () => {
    const { usage } = await run('head -c 20000000 /dev/zero | tail -n 1 | wc -c', { cwd: '/' })

    expect(usage?.maxRssBytes).toBeGreaterThan(20_000_000)
    expect(usage?.maxRssBytes).toBeLessThan(1_000_000_000)
  })

  test('a killed command has used something as well', async () => {
    const controller = new AbortController()
    const { status, usage } = await run('for ((i = 0; i < 40000; i++)); do :; done; echo worked; sleep 300', {
      cwd: '/',
      cancelSignal: controller.signal,
      onOutput: () => controller.abort(),
    })

    expect(status).toBe('cancelled')
    expect(usage?.userMs).toBeGreaterThan(1)
  })
})

describe('separate streams', () => {
  const separately = (command: string) => run(command, { cwd: '/', streams: 'separate' })

  test('each has its text and its bytes, and output is the one after the other', async () => {
    expect(await separately('echo err >&2; echo out; echo é >&2')).toMatchObject<
      Partial<BashResult & SeparateStreams>
    >({
      status: 'completed',
      stdout: 'out\n',
      stdoutBytes: 4,
      stderr: 'err\né\n',
      stderrBytes: 7,
      output: 'out\nerr\né\n',
      outputBytes: 11,
    })
  })

  test('merged ones have no such fields', async () => {
    const result = await run('true', { cwd: '/' })

    for (const field of ['stdout', 'stderr', 'stdoutBytes', 'stderrBytes'])
      expect(result).not.toHaveProperty(field)
  })

  test('a silent command has two empty ones', async () => {
    expect(await separately('true')).toMatchObject({ stdout: '', stderr: '', output: '', outputBytes: 0 })
  })

  test('each is cut by itself', async () => {
    const result = await separately('head -c 200000 /dev/zero | tr "\\0" e >&2; echo out')

    expect(result).toMatchObject({ stdout: 'out\n', stderrBytes: 200_000, truncated: true })
    expect(result.stderr).toBe(`${'e'.repeat(4096)}\n\n[snip]\n\n${'e'.repeat(4096)}`)
  })

  test('a stream that the command closes does not disturb the other', async () => {
    expect(await separately('exec 2>&-; echo out; exec >&-; exit 4')).toMatchObject({
      exitCode: 4,
      stdout: 'out\n',
      stderr: '',
    })
  })
})

describe('where a command runs', () => {
  test('in cwd', async () => {
    const cwd = tempDir()

    expect((await run('pwd', { cwd })).output).toBe(`${cwd}\n`)
  })

  test('in a relative cwd, taken from the working directory of the process', async () => {
    const cwd = tempDir()

    expect((await run('pwd', { cwd: relative(process.cwd(), cwd) })).output).toBe(`${cwd}\n`)
  })

  test('in what a symbolic link leads to', async () => {
    const [link, target] = [join(tempDir(), 'link'), tempDir()]
    symlinkSync(target, link)

    expect((await run('pwd -P', { cwd: link })).output).toBe(`${target}\n`)
  })

  test('with the shell of shellPath', async () => {
    const shellPath = join(tempDir(), 'my bash')
    writeFileSync(shellPath, '#!/bin/sh\nfor last; do :; done; echo "$1 $last"\n', { mode: 0o755 })

    expect((await run('some command', { cwd: '/', shellPath })).output).toBe('-c some command\n')
  })
})
