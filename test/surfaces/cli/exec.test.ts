// bashward run --profile exec: two streams, and a result of its own shape.
import { realpathSync } from 'node:fs'
import type { ExecResult } from '../../../lib/tools/exec-result.js'
import {
  killLeftovers,
  processesWith,
  uniqueSleep,
  waitForSleep,
  waitUntilGone,
} from '../../support/processes.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { bashward } from './in-process.js'
import { killPrograms, quotedBashward, seq, startBashward, startProgram, summary } from './program.js'

afterEach(async () => {
  await killPrograms()
  killLeftovers()
  removeTempDirs()
})

const exec = (...words: string[]) => bashward(['run', '--profile', 'exec', ...words])

describe('bashward run --profile exec', () => {
  test('keeps stdout and stderr apart', async () => {
    expect(await exec('echo out; echo err >&2; exit 3')).toEqual({
      code: 3,
      signal: null,
      stdout: 'out\n',
      stderr: 'err\n',
    })
  })

  test('shows both while the command still runs', async () => {
    const marker = uniqueSleep()
    const program = startBashward(['run', '--profile', 'exec', `echo out; echo err >&2; sleep ${marker}`])
    let stderr = ''
    program.process.stderr?.on('data', (piece: string) => {
      stderr += piece
    })
    await waitFor(() => program.stdout() === 'out\n' && stderr === 'err\n', { what: 'both lines' })
    await waitForSleep(marker)
  })

  test('bursts on both streams are complete', async () => {
    const { stdout, stderr } = await exec('seq 100000; seq 50000 >&2')

    expect(summary(stdout)).toEqual(summary(seq(100_000)))
    expect(summary(stderr)).toEqual(summary(seq(50_000)))
  })

  test('of longer output it gives what the tool gives', async () => {
    const { code, stdout, stderr } = await exec('seq 400000; echo more; printf end >&2')

    expect(code).toBe(0)
    expect(summary(stdout)).toEqual(summary(`${seq(400_000).slice(0, 1024 * 1024)}... (truncated)`))
    expect(stderr).toBe('end')
  })

  test('inherits the environment, and runs in the current directory', async () => {
    const cwd = realpathSync(tempDir())
    const options = { cwd, env: { MY_API_KEY: 'kept' } }
    const command = 'echo "$MY_API_KEY"; pwd'
    expect(await bashward(['run', '--profile', 'exec', command], options)).toMatchObject({
      stdout: `kept\n${cwd}\n`,
    })
  })

  test.each([
    [
      'a timeout',
      ['--timeout', '0.5', 'printf before; sleep 30'],
      'before',
      '[command timed out after 0.5s]\n',
    ],
    [
      'a command that bash does not find',
      ['no-such-command'],
      '',
      expect.stringMatching(/^bash: .*: command not found\n\[command not found: no-such-command\]\n$/),
    ],
    ['a signal', ['kill -9 $$'], '', '[command killed by SIGKILL]\n'],
    ['unfinished lines', ['printf half >&2; kill -9 $$'], '', 'half\n[command killed by SIGKILL]\n'],
  ])('says on stderr what went wrong: %s', async (_, words, stdout, stderr) => {
    expect(await exec(...words)).toMatchObject({ stdout, stderr })
  })

  test('--json prints its result', async () => {
    const { code, stdout, stderr } = await exec('--json', 'echo out; echo err >&2; exit 3')

    expect({ code, stderr }).toEqual({ code: 3, stderr: '' })
    expect(JSON.parse(stdout) as ExecResult).toEqual({ stdout: 'out\n', stderr: 'err\n', exitCode: 3 })
  })

  test('--json has the error', async () => {
    const { code, stdout } = await exec('--json', '--timeout', '0.2', 'echo partial; sleep 30')

    expect(code).toBe(124)
    expect(JSON.parse(stdout)).toEqual({
      stdout: 'partial\n',
      stderr: '',
      exitCode: null,
      error: 'command timed out after 0.2s',
    })
  })

  test('a signal kills the command and its daemons', async () => {
    const marker = uniqueSleep()
    const command = `echo partial; setsid -f sleep ${marker}; sleep ${marker}`
    const program = startBashward(['run', '--profile', 'exec', command])
    await waitForSleep(marker, 2)
    program.kill('SIGTERM')

    expect(await program.exited()).toEqual({
      code: 143,
      signal: null,
      stdout: 'partial\n',
      stderr: '[command cancelled]\n',
    })
    expect(processesWith(marker)).toEqual([])
  })

  test.each(['', ' >&2'])('a reader that goes away ends it: echo y%s', async (redirection) => {
    const marker = uniqueSleep()
    const loop = `while echo y${redirection}; do sleep 0.1; done`
    const run = `${quotedBashward} run --profile exec 'setsid -f sleep ${marker}; ${loop}'`
    const pipeline = `${run} 2>&1 | head -1; echo "\${PIPESTATUS[0]}"`

    expect(await startProgram('bash', ['--norc', '-c', pipeline]).exited()).toMatchObject({
      stdout: 'y\n141\n',
      stderr: '',
    })
    await waitUntilGone(marker)
  })
})
