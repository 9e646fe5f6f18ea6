// The option maxOutputChars: so many characters whole, of more as many, and no step between the two.
import { readFileSync, rmSync } from 'node:fs'
import { createBashTool, createExecTool, run } from '../../lib/index.js'
import { endJobs, tempStore } from '../support/jobs.js'
import { removeTempDirs } from '../support/temp-dir.js'
import { suiteCalls } from './suite/suite-calls.js'

afterEach(endJobs)
afterAll(removeTempDirs)

const context = { workingDir: '/' }
const maxOutputChars = 2000
const notice = /\n\n\[output truncated: first \d+ and last \d+ of \d+ characters\]\n\n/

const bash = createBashTool({ jobs: tempStore(), maxOutputChars })
const textOf = async (command: string) => bash.toText(await bash.execute({ command }, context))

test('up to that output is given whole', async () => {
  const text = await textOf('printf "%02000d" 1')

  expect(text).toHaveLength(maxOutputChars)
})

test('longer output is as long as that, however long it is', async () => {
  for (const count of [600, 2000, 30_000, 300_000]) {
    const text = await textOf(`seq ${count}`)

    expect(text.replace(notice, '').length).toBeGreaterThan(maxOutputChars - 20)
    expect(text.replace(notice, '').length).toBeLessThanOrEqual(maxOutputChars)
    expect(text.endsWith(`\n${count}\n`)).toBe(true)
  }
})

test('a cut leaves whole lines', async () => {
  const [first = '', last = ''] = (await textOf('seq 100000 300000')).split(notice)

  expect(`${first}${last}`.split('\n').filter((line) => line !== '' && !/^\d{6}$/.test(line))).toEqual([])
})

test('characters are counted, not bytes', async () => {
  const text = await textOf("printf 'é%.0s' {1..1999}")

  expect(text).toBe('é'.repeat(1999))
})

test('the whole output is saved from the first character that is left out', async () => {
  const saving = createBashTool({ jobs: tempStore(), maxOutputChars, saveOutput: true })
  const whole = await saving.execute({ command: 'printf "é%.0s" {1..1500}' }, context)
  const { savedOutput = '', truncated } = await saving.execute({ command: 'printf "%02001d" 1' }, context)

  expect([whole.truncated, whole.savedOutput]).toEqual([false, undefined])
  expect(truncated).toBe(true)
  expect(readFileSync(savedOutput, 'utf8')).toHaveLength(2001)
  rmSync(savedOutput)
})

test('the exec tool bounds each stream', async () => {
  const exec = createExecTool({ maxOutputChars })
  const { stdout, stderr } = await exec.execute({ command: 'seq 10000; seq 3 >&2' }, context)

  expect(stdout.length).toBeLessThan(maxOutputChars + 100)
  expect(stdout).toMatch(notice)
  expect(stderr).toBe('1\n2\n3\n')
  expect(exec.description(context)).toContain('at most 2000 characters')
})

test('run() does as well, and renders first', async () => {
  const command = 'for i in {1..3000}; do printf "\\r%d" $i; done; echo'
  const { output } = await run(command, { cwd: '/', maxOutputChars, normalizeOutput: true })

  expect(output).toBe('3000\n')
})

test('so do Bash and BashOutput of the suite', async () => {
  const calls = suiteCalls({ maxOutputChars, saveOutput: false })
  const id = await calls.start('seq 10000')
  const texts = [(await calls.ended(id)).text, (await calls.bash({ command: 'seq 10000' })).text]

  for (const text of texts) expect(text.length).toBeLessThan(maxOutputChars + 250)
  expect(calls.suite.bash.description(context)).toContain('at most 2000 characters')
})

test.each([999, 1_000_001, 1.5, '2000'])('%p is refused', (value) => {
  expect(() => createBashTool({ maxOutputChars: value as number })).toThrow(
    /^maxOutputChars: must be an integer from 1000 to 1000000 characters/,
  )
})

test('without it the ends of lines that 128 KiB cut are kept', async () => {
  const plain = createBashTool({ jobs: tempStore() })
  const { output } = await plain.execute({ command: 'seq 400000' }, context)
  const [first = '', last = ''] = output.split('\n\n[snip]\n\n')

  expect(first.endsWith('\n1041')).toBe(true)
  expect(last).toMatch(/^\d{6}\n/)
})
