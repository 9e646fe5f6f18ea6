// What is in the background of a terminal, and one that was hung up.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { leaveNothing, textOf, waitForOutput } from '../../commands/jobs-live/live-jobs.js'
import { cannotTest, onlyRootCanTest } from '../../support/must-work.js'
import { tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { closeTerminals, startTerminal } from './live-terminal.js'

afterEach(async () => {
  closeTerminals()
  await leaveNothing()
})

const lacks = (program: string): boolean => spawnSync(program, ['--version']).error !== undefined
const timeoutMs = 30_000

test('what is stopped because it reads from the background is told', async () => {
  const { terminal } = await startTerminal('set -m; cat & wait $!; sleep 300')
  expect(await terminal.wait({ timeoutMs })).toMatchObject({
    reason: 'input',
    verdict: 'stopped',
    program: 'cat',
  })
})

test('what was stopped in the background does not hide that the foreground computes', async () => {
  const { terminal, outputFile } = await startTerminal(
    'set -m; cat & wait $!; printf go; while :; do :; done',
  )
  await waitForOutput(outputFile, 'go')
  expect(await terminal.wait({ timeoutMs: 500 })).toMatchObject({ reason: 'deadline', verdict: 'busy' })
})

test('an answer to a program that has ended is not typed into the next one', async () => {
  const { terminal, outputFile } = await startTerminal(
    `stty raw -echo; printf '\\e[6n'; sleep .1; cat -v; exit`,
  )
  expect(await terminal.wait({ timeoutMs })).toMatchObject({ reason: 'input', verdict: 'keys' })
  await terminal.write('typed', { submit: false })
  await waitForOutput(outputFile, 'typed')
  expect(textOf(outputFile)).not.toContain('1;1R')
})

test('a terminal that was hung up is still one, and says that nobody can be typed to', async () => {
  if (lacks('python3')) return cannotTest('there is no python3')
  if (process.getuid?.() !== 0) return onlyRootCanTest('only root can hang up a terminal')
  const done = join(tempDir(), 'done')
  const hangUp = `python3 -c 'import fcntl; fcntl.ioctl(0, 0x5437)'`
  const { terminal } = await startTerminal(`trap "" HUP; ${hangUp}; : >${done}; exec sleep 300`)
  await waitFor(() => existsSync(done), { what: 'the hang-up' })
  expect(await terminal.state()).toMatchObject({ rows: 24, cols: 100 })
  terminal.close()
  // A connection that comes later gets another descriptor than the master's.
  expect(await terminal.state()).toMatchObject({ rows: 24, cols: 100 })
  await expect(terminal.write('x')).rejects.toMatchObject({ code: 'ERR_TERMINAL' })
})
