// Real logs of builds and tests that failed: whether the line that matters survives the cut.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { createBashSuite, createBashTool, run } from '../../../lib/index.js'
import { tempStore } from '../../support/jobs.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

const directory = tempDir()
const context = { workingDir: directory }
const notice = '[selected from what was left out: lines that may tell of an error]'

afterAll(removeTempDirs)

const logs = [
  ['make', /error: .undeclared_identifier_here/],
  ['pytest', /assert 36 == 42/],
  ['npm', /AssertionError \[ERR_ASSERTION\]/],
  ['cargo', /error\[E0308\]: mismatched types/],
  ['cargo-test', /panicked at src/],
] as const

beforeAll(() => {
  for (const [name] of logs) {
    const packed = readFileSync(join(__dirname, `../../fixtures/logs/${name}.log.gz`))
    writeFileSync(join(directory, name), gunzipSync(packed))
  }
})

const suiteText = async (command: string, options = {}): Promise<string> => {
  const { bash } = createBashSuite({ jobs: tempStore(), ...options })
  const result = await bash.execute({ command }, context)
  if (result.savedOutput !== undefined) rmSync(result.savedOutput)
  return bash.toText(result)
}

test.each(logs)('%s: the suite gives the line that matters', async (name, line) => {
  const text = await suiteText(`cat ${name}; exit 1`)

  expect(text).toMatch(line)
  expect(text.length).toBeLessThan(30_250)
})

test('two of them would lose it', async () => {
  const lost = []
  for (const [name, line] of logs) {
    if (!line.test(await suiteText(`cat ${name}`, { errorLines: false }))) lost.push(name)
  }

  expect(lost).toEqual(['make', 'cargo-test'])
})

test('lines are given with their numbers, before what says that there is more', async () => {
  const command = 'seq 20000; echo "error: here"; seq 20000'
  const text = await suiteText(command, { saveOutput: false })

  expect(text).toMatch(
    /\n\n\[selected from what was left out: lines that may tell of an error\]\n20001: error: here\n\n\[output truncated: first \d+ and last \d+ of \d+ characters\]\n\n/,
  )
})

test('without a file, what is kept of either end is searched', async () => {
  const command = 'seq 100000; echo "error: here"; seq 100000'

  expect(await suiteText(command, { saveOutput: false })).toContain(`${notice}\n100001: error: here\n`)
})

test('the file of the whole output has those that memory has not', async () => {
  const command = 'seq 200000; echo "error: here"; seq 200000'

  expect(await suiteText(command)).toContain(`\n${notice}\n200001: error: here\n`)
  expect(await suiteText(command, { saveOutput: false })).not.toContain(notice)
})

test('without it, lines of the end are counted from there', async () => {
  const command = 'seq 500000; echo "error: here"; seq 5000'
  const { output } = await run(command, {
    cwd: '/',
    maxOutputChars: 4000,
    errorLines: true,
  })

  expect(output).toContain(`\n${notice}\n-5001: error: here\n`)
})

test('what is shown anyway is not selected', async () => {
  expect(await suiteText('echo "error: here"; seq 20000; echo "error: there"')).not.toContain(notice)
})

test('the bash tool gives them on request, beside its first and last 4 KiB', async () => {
  const command = 'seq 20000; echo "error: here"; seq 20000'
  const [off, on] = [createBashTool(), createBashTool({ errorLines: true })]

  expect((await off.execute({ command }, context)).output).not.toContain('error')
  expect((await on.execute({ command }, context)).output).toContain(
    `${notice}\n20001: error: here\n\n[snip]\n\n`,
  )
})

test("a pattern of one's own takes the place of the default", async () => {
  const command = 'seq 20000; echo "error: here"; echo "WARN mine"; seq 20000'
  const text = await suiteText(command, { errorLines: { pattern: '^WARN' } })

  expect(text).toContain(`${notice}\n20002: WARN mine\n\n`)
  expect(() => createBashTool({ errorLines: { pattern: '(' } })).toThrow(/^errorLines.pattern: /)
  expect(() => createBashTool({ errorLines: 'yes' as never })).toThrow(
    /^errorLines: must be a boolean or an object/,
  )
})

test('each of two streams has its own', async () => {
  const command = '(seq 20000; echo "error: out"; seq 20000); (seq 30000; echo "error: err"; seq 20000) >&2'
  const { stdout, stderr } = await run(command, { cwd: '/', streams: 'separate', errorLines: true })

  expect(stdout).toContain('20001: error: out')
  expect(stderr).toContain('30001: error: err')
})

test('secrets are taken out of them, too', async () => {
  process.env.BASHWARD_TEST_TOKEN = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
  try {
    const half = process.env.BASHWARD_TEST_TOKEN.slice(0, 20)
    const rest = process.env.BASHWARD_TEST_TOKEN.slice(20)
    const text = await suiteText(`seq 200000; printf 'error: %s%s\\n' ${half} ${rest}; seq 200000`)

    expect(text).toContain('\n200001: error: [removed: BASHWARD_TEST_TOKEN]\n')
  } finally {
    delete process.env.BASHWARD_TEST_TOKEN
  }
})

test('their numbers are those of the file, also behind a secret of several lines', async () => {
  process.env.BASHWARD_TEST_SECRET = 'x8Kq2vTz9Lm4\nRw7pYc3nHd6s\nBf5jGt1kVe0a'
  writeFileSync(join(directory, 'secret'), process.env.BASHWARD_TEST_SECRET)
  try {
    const text = await suiteText('seq 10000; cat secret; seq 10000; echo "error: here"; seq 20000')

    expect(text).toContain(`${notice}\n20003: error: here\n`)
  } finally {
    delete process.env.BASHWARD_TEST_SECRET
  }
})
