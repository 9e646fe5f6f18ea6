// The settings of a terminal belong to its programs: restoring the echo, for one, would show what `read -s` hides.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { leaveNothing, waitForOutput } from '../../commands/jobs-live/live-jobs.js'
import { tempDir } from '../../support/temp-dir.js'
import { closeTerminals, startTerminal } from './live-terminal.js'

afterEach(async () => {
  closeTerminals()
  await leaveNothing()
})

const timeoutMs = 30_000

/** The settings before and after a program has read a line, which was looked at, asked about, resized and typed to. */
const settingsAround = async (change: string): Promise<[string, string]> => {
  const place = tempDir()
  const { terminal, outputFile } = await startTerminal(
    `stty -echo -iutf8 quit ^X; stty -g > before; head -n 1 >/dev/null; ${change} stty -g > after; echo done; sleep 300`,
    { cwd: place },
  )
  const prompt = await terminal.wait({ timeoutMs })
  expect(prompt).toMatchObject({ verdict: 'password', echo: false })
  await terminal.resize({ rows: 30, cols: 90 })
  await terminal.state()
  await terminal.screen()
  await terminal.writeSecret('open sesame', { prompt: await terminal.wait({ timeoutMs }) })
  await waitForOutput(outputFile, 'done')
  return [readFileSync(join(place, 'before'), 'utf8'), readFileSync(join(place, 'after'), 'utf8')]
}

test('nothing that is done to a terminal changes its settings', async () => {
  const [before, after] = await settingsAround('')
  expect(after).toBe(before)
})

test('a program that changes them has what it wants', async () => {
  const [before, after] = await settingsAround('stty echo;')
  expect(after).not.toBe(before)
})
