// run() with `tty`: a job with a terminal, its variables, and what does not go with it.
import { constants } from 'node:os'
import { startFailure } from '../../../lib/commands/run/start-failure.js'
import { type RunOptions, run } from '../../../lib/index.js'
import { type Completion, Outcome } from '../../../lib/processes/engine/completion.js'
import type { CommandRequest } from '../../../lib/processes/engine/request.js'
import { leaveNothing, textOf, waitForOutput } from '../../commands/jobs-live/live-jobs.js'
import { testRestricted } from '../../support/restricted.js'
import { closeTerminals, startTerminal } from './live-terminal.js'

afterEach(async () => {
  closeTerminals()
  await leaveNothing()
})

const printed = async (command: string, options: Partial<RunOptions> = {}): Promise<string> => {
  const { outputFile } = await startTerminal(command, options)
  await waitForOutput(outputFile, '[background process')
  return textOf(outputFile).replace(/\n\n\[background process.*/, '')
}

test('the command runs as a job that has a terminal, and its record says so', async () => {
  const { id, store } = await startTerminal('sleep 300', { tty: { cols: 132 } })
  const { status, record } = await store.get(id)
  expect(status).toBe('running')
  expect(record?.terminal).toEqual({ rows: 24, cols: 132 })
})

test('it has the variables of a terminal, and not those that keep programs from asking', async () => {
  const names = ['TERM', 'LINES', 'COLUMNS', 'NO_COLOR', 'PAGER', 'GIT_EDITOR', 'GIT_TERMINAL_PROMPT']
  const shown = names.map((name) => `${name}=\${${name}-unset}`).join(' ')
  const saved = { ...process.env }
  Object.assign(process.env, { TERM: 'dumb', LINES: '5', COLUMNS: '7', NO_COLOR: '1' })
  for (const name of names.slice(4)) delete process.env[name]
  try {
    expect(await printed(`echo ${shown}`, { tty: { cols: 200 } })).toBe(
      'TERM=xterm-256color LINES=unset COLUMNS=unset NO_COLOR=unset PAGER=unset GIT_EDITOR=unset GIT_TERMINAL_PROMPT=unset\r\n',
    )
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in saved)) delete process.env[name]
    Object.assign(process.env, saved)
  }
})

test('what the caller sets goes before', async () => {
  expect(await printed('echo $TERM $LINES', { env: { set: { TERM: 'vt100', LINES: '9' } } })).toBe(
    'vt100 9\r\n',
  )
})

testRestricted('a restricted command has its own terminal and nothing else of /dev/pts', async () => {
  const command =
    'echo mine >/dev/tty; echo mine >$(tty); for t in /dev/pts/[0-9]*; do [ $t = $(tty) ] || : >$t; done'
  const output = await printed(command, { sandbox: 'restricted' })
  expect(output).toMatch(/^mine\r\nmine\r\n/)
  expect(output.replace(/.*Permission denied\r\n/g, '')).toBe('mine\r\nmine\r\n')
})

test('its time limit is the job’s', async () => {
  expect(await printed('sleep 300', { timeout: 300, termGraceMs: 100 })).toBe('')
})

test('a start that was cancelled before starts nothing', async () => {
  expect(await run('true', { cwd: '/', tty: true, cancelSignal: AbortSignal.abort() })).toMatchObject({
    status: 'cancelled',
  })
})

test.each([
  ['ENODEV', constants.errno.ENODEV, /: this container has no devpts: mount one at \/dev\/pts$/],
  ['ENOENT', constants.errno.ENOENT, /: this container has no devpts: mount one at \/dev\/pts$/],
  ['ENOSPC', constants.errno.ENOSPC, /: there are as many terminals as kernel\.pty\.max allows$/],
  ['EMFILE', constants.errno.EMFILE, /^open terminal: EMFILE [^:]*$/],
])('a terminal that cannot be opened is an error that says why: %s', (_, errno, message) => {
  const completion = { outcome: Outcome.notStarted, step: 'open terminal', errno } as Completion
  expect(startFailure({} as CommandRequest, completion)).toMatchObject({
    code: 'ERR_TERMINAL',
    step: 'open terminal',
    errno,
    message: expect.stringMatching(message),
  })
})

test.each([
  [{ tty: 7 }, /^tty: /],
  [{ tty: { rows: 0 } }, /^tty\.rows: /],
  [{ tty: { cols: 501 } }, /^tty\.cols: /],
  [{ tty: true, input: 'x' }, /^input: must be left out with tty/],
  [{ tty: true, streams: 'separate' }, /^streams: must be left out with tty/],
  [{ tty: true, backgroundAfter: 1000 }, /^backgroundAfter: must be left out with tty/],
  [{ tty: true, survivors: 'kill' }, /^survivors: must be left out with tty/],
  [{ tty: true, normalizeOutput: true }, /^normalizeOutput: must be left out with tty/],
  [{ tty: true, maxOutputChars: 5000 }, /^maxOutputChars: must be left out with tty/],
  [{ tty: true, onOutput: () => {} }, /^onOutput: must be left out with tty/],
])('%p is refused', async (options, message) => {
  await expect(run('true', { cwd: '/', ...options } as RunOptions)).rejects.toMatchObject({
    code: 'ERR_INVALID_INPUT',
    message: expect.stringMatching(message),
  })
})
