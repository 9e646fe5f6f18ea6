// Output into a pipe or a file: complete, the same whatever the timing, and if something must be missing, it says so.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cannotTest } from '../../support/must-work.js'
import {
  killLeftovers,
  processesWith,
  uniqueSleep,
  waitForSleep,
  waitUntilGone,
} from '../../support/processes.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import {
  bashward,
  killPrograms,
  quotedBashward,
  seq,
  startBashward,
  startProgram,
  summary,
} from './program.js'

afterEach(async () => {
  await killPrograms()
  killLeftovers()
  removeTempDirs()
})

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

  test('of a flood is complete', async () => {
    const { code, stdout, stderr } = await bashward(['run', 'seq 400000; printf END'])

    expect(code).toBe(0)
    expect(summary(stdout)).toEqual(summary(`${seq(400_000)}END`))
    expect(stderr).toBe('')
  })

  test('of bursts and pauses is complete', async () => {
    const { stdout } = await bashward([
      'run',
      'for i in 1 2 3 4; do seq 30000; sleep 0.1; echo $i; sleep 0.1; done',
    ])
    const expected = [1, 2, 3, 4].map((i) => `${seq(30_000)}${i}\n`).join('')
    expect(summary(stdout)).toEqual(summary(expected))
  })

  test('of a flood comes while the command still runs, all of it', async () => {
    const marker = uniqueSleep()
    const expected = `${seq(100_000)}waiting\n`
    const program = startBashward(['run', `seq 100000; echo waiting; sleep ${marker}`])

    await waitFor(() => program.stdout() === expected, { what: 'all of the output' })
    expect(processesWith(marker)).not.toEqual([])
    program.kill('SIGINT')
    expect(summary((await program.exited()).stdout)).toEqual(summary(expected))
  })

  test('of a flood is complete for a reader who begins late', async () => {
    const { stdout } = await shell(`${quotedBashward} run 'seq 1000000' | { sleep 1; md5sum; }`)
    expect(stdout).toBe(execFileSync('bash', ['--norc', '-c', 'seq 1000000 | md5sum'], { encoding: 'utf8' }))
  })

  test('of a flood that is not text has every byte replaced once', async () => {
    const command = "head -c 300000 /dev/zero; printf 'a\\377b'; yes zwölf | head -50000"
    const { stdout, stderr } = await bashward(['run', command])

    const expected = `${'\u2400'.repeat(300_000)}a\uFFFDb${'zwölf\n'.repeat(50_000)}`
    expect(summary(stdout)).toEqual(summary(expected))
    expect(stderr).toMatch(/^\[output is not text/)
  })

  test('of a flood is complete when the command fails, and at a timeout', async () => {
    const failed = await bashward(['run', 'seq 100000; exit 3'])
    expect(summary(failed.stdout)).toEqual(summary(seq(100_000)))
    expect(failed.stderr).toBe('[command failed: exit code 3]\n')

    const late = await bashward(['run', '--timeout', '2', 'seq 100000; sleep 30'])
    expect(summary(late.stdout)).toEqual(summary(seq(100_000)))
    expect(late.stderr).toMatch(/^\[command timed out after 2s\]\n(?:\[when it timed out: [^\n]*\]\n)?$/)
  })

  test('that is not text is marked as such', async () => {
    expect(await bashward(['run', "printf 'a\\0b\\377c'"])).toMatchObject({
      stdout: 'a\u2400b\uFFFDc',
      stderr:
        '[output is not text: invalid UTF-8 is shown as \uFFFD, NULs as \u2400; for its bytes: | xxd or | base64]\n',
    })
  })

  test('comes before the status line when both go to the same pipe', async () => {
    const { stdout } = await shell(`${quotedBashward} run 'seq 20000; exit 3' 2>&1 | cat`)
    expect(stdout).toBe(`${seq(20_000)}[command failed: exit code 3]\n`)
  })
})

describe('output into a file', () => {
  test('is complete', async () => {
    const file = join(tempDir(), 'out')
    await shell(`${quotedBashward} run 'seq 100000' > '${file}'`)
    expect(summary(readFileSync(file, 'utf8'))).toEqual(summary(seq(100_000)))
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

test.each(['jobs', 'jobs --json', 'doctor', "check --json 'ls'", '--help'])(
  'what %s prints into a file that cannot be written is missed',
  async (words) => {
    if (!existsSync('/dev/full')) return cannotTest('/dev/full is missing')
    const { code, stderr } = await shell(`${quotedBashward} ${words} > /dev/full`)

    expect(code).toBe(125)
    expect(stderr).toMatch(/^bashward: the output cannot be written: ENOSPC/m)
  },
)

describe('the file for long output', () => {
  const flood = 'seq 400000'

  test.each([
    ['a success', flood],
    ['a failure', `${flood}; exit 3`],
    ['output that was shown as it came', 'for i in $(seq 15); do seq 4000; sleep 0.1; done'],
  ])('is gone after %s', async (_, command) => {
    const TMPDIR = tempDir()
    const { stdout } = await bashward(['run', command], { env: { TMPDIR } })

    expect(stdout.length).toBeGreaterThan(128 * 1024)
    expect(readdirSync(TMPDIR)).toEqual([])
  })

  test('is gone after the reader', async () => {
    const TMPDIR = tempDir()
    const script = `${quotedBashward} run 'seq 10000000' | head -1`
    await startProgram('bash', ['--norc', '-c', script], { env: { TMPDIR } }).exited()
    expect(readdirSync(TMPDIR)).toEqual([])
  })

  test('is gone after a first and a second signal', async () => {
    const TMPDIR = tempDir()
    const marker = uniqueSleep()
    const command = `trap '' TERM; ${flood}; sleep ${marker}`
    const program = startBashward(['run', command], { env: { TMPDIR } })
    await waitForSleep(marker)
    expect(readdirSync(TMPDIR)).toHaveLength(1)
    await waitFor(
      () => {
        program.kill('SIGINT')
        return program.process.exitCode !== null
      },
      { what: 'the program to end' },
    )
    expect(readdirSync(TMPDIR)).toEqual([])
    await waitUntilGone(marker)
  })

  test('is not needed for short output', async () => {
    expect(await bashward(['run', 'seq 20000'], { env: { TMPDIR: '/no/such/directory' } })).toMatchObject({
      stdout: seq(20_000),
      stderr: '',
    })
  })

  test('says so when it cannot be made and output is missing', async () => {
    const { code, stdout, stderr } = await bashward(['run', flood], { env: { TMPDIR: '/no/such/directory' } })

    expect(code).toBe(0)
    expect(seq(400_000).startsWith(stdout)).toBe(true)
    expect(stderr).toMatch(
      /^\[output is not complete: these are the first [\d.]+K?B of 2\.6MB; ENOENT.*\/no\/such\/directory.*\]\n$/,
    )
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

  test('is not waited for either when it stops reading at the end', async () => {
    const done = join(tempDir(), 'done')
    const program = startBashward(['run', `seq 1000000; touch '${done}'`], { unread: true })
    await waitFor(() => existsSync(done), { what: 'the end of the command' })
    program.kill('SIGINT')

    expect(await program.exited()).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('[output is not complete: '),
    })
  })
})
