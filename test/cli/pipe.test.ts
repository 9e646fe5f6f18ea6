// Output into a pipe or a file: complete as far as it can be, and plain about what is missing.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cannotTest } from '../support/must-work.js'
import { killLeftovers, uniqueSleep, waitForSleep, waitUntilGone } from '../support/processes.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { waitFor } from '../support/wait-for.js'
import { bashward, killPrograms, quotedBashward, startBashward, startProgram } from './program.js'

afterEach(async () => {
  await killPrograms()
  killLeftovers()
  removeTempDirs()
})

const seq = (count: number): string => execFileSync('seq', [String(count)], { encoding: 'utf8' })
const shell = (script: string) => startProgram('bash', ['-c', script]).exited()

describe('output into a pipe', () => {
  test('comes while the command still runs', async () => {
    const marker = uniqueSleep()
    const program = startBashward(['run', `echo first; sleep ${marker}`])

    await waitFor(() => program.stdout() === 'first\n', { what: 'the first line' })
    await waitForSleep(marker)
    program.kill('SIGINT')
    expect((await program.exited()).stdout).toBe('first\n')
  })

  test('of many small pieces is complete', async () => {
    const { stdout } = await bashward(['run', 'for i in $(seq 100); do echo $i; sleep 0.01; done'])
    expect(stdout).toBe(seq(100))
  })

  test('of a single burst of 108 KiB is complete', async () => {
    expect(await bashward(['run', 'seq 20000'])).toMatchObject({ stdout: seq(20_000), stderr: '' })
  })

  test('of a burst with more after it is complete', async () => {
    expect(await bashward(['run', 'seq 20000; sleep 0.3; echo end'])).toMatchObject({
      stdout: `${seq(20_000)}end\n`,
      stderr: '',
    })
  })

  test('above 128 KiB is complete when it comes slowly enough', async () => {
    const { stdout, stderr } = await bashward(['run', 'for i in $(seq 10); do seq 4000; sleep 0.1; done'])

    expect(stdout).toBe(seq(4000).repeat(10))
    expect(stderr).toBe('')
  })

  test('of a flood says what is missing, and has the start and the end', async () => {
    const { code, stdout, stderr } = await bashward(['run', 'seq 400000; printf END'])

    expect(code).toBe(0)
    expect(stdout).toMatch(/^1\n2\n3\n/)
    expect(stdout).toMatch(/\n\[\.\.\. [\d.]+MB skipped \.\.\.\]\n/)
    expect(stdout).toMatch(/\n399999\n400000\nEND$/)
    expect(stderr).toMatch(/^\[output is not complete: [\d.]+MB of 2\.6MB skipped\]\n$/)
  })

  test('that is not text is marked as such', async () => {
    expect(await bashward(['run', "printf 'a\\0b\\377c'"])).toMatchObject({
      stdout: 'a\u2400b\uFFFDc',
      stderr: '[output is not text: invalid UTF-8 is shown as \uFFFD, NULs as \u2400]\n',
    })
  })

  test('comes before the status line when both go to the same pipe', async () => {
    const { stdout } = await shell(`${quotedBashward} run 'seq 20000; exit 3' 2>&1 | cat`)
    expect(stdout).toBe(`${seq(20_000)}[command failed: exit code 3]\n`)
  })
})

describe('output into a file', () => {
  test('is complete up to 128 KiB', async () => {
    const file = join(tempDir(), 'out')
    await shell(`${quotedBashward} run 'seq 20000' > '${file}'`)
    expect(readFileSync(file, 'utf8')).toBe(seq(20_000))
  })

  test('that cannot be written ends the command with a message', async () => {
    if (!existsSync('/dev/full')) return cannotTest('/dev/full is missing')
    const marker = uniqueSleep()
    const script = `${quotedBashward} run 'echo hello; sleep ${marker}' > /dev/full`
    const { code, stderr } = await shell(script)

    expect(code).toBe(125)
    expect(stderr).toMatch(/^bashward: the output cannot be written: ENOSPC/)
    await waitUntilGone(marker)
  })
})

describe('a reader that goes away', () => {
  test('ends the command and everything it started, without a word', async () => {
    const marker = uniqueSleep()
    const pipeline = `${quotedBashward} run 'setsid -f sleep ${marker}; yes' | head -1; echo "\${PIPESTATUS[0]}"`

    expect(await shell(pipeline)).toMatchObject({ stdout: 'y\n141\n', stderr: '' })
    await waitUntilGone(marker)
  })

  test('gives 141 also when the command has ended by itself', async () => {
    const program = startBashward(['run', 'echo hello'])
    program.process.stdout?.destroy()
    expect(await program.exited()).toMatchObject({ code: 141, stderr: '' })
  })

  test('is not waited for after a signal when it only stops reading', async () => {
    const program = startBashward(['run', 'yes'], { unread: true })
    await waitFor(() => (program.process.stdout?.readableLength ?? 0) > 0, { what: 'some output' })
    program.kill('SIGTERM')

    expect(await program.exited()).toMatchObject({ code: 143 })
  })
})
