// What the text of a bash result says besides the output: what was cut, left running, not saved, or refused.

import {
  type BashResult,
  type BashStatus,
  blankResult,
  type Survivor,
} from '../../lib/commands/run/result.js'
import { bashText } from '../../lib/tools/bash-text.js'

const text = (status: BashStatus, fields: Partial<BashResult> = {}): string =>
  bashText({ ...blankResult('the command', status), ...fields })

const survivor = (pid: number, command: string, daemon = false): Survivor => ({ pid, command, daemon })

describe('truncated output', () => {
  const truncated = { truncated: true, outputBytes: 3 * 1024 * 1024, output: 'head\n\n[snip]\n\ntail' }
  const notice = '[output truncated in middle: got 3.0MB, max is 128.0KB]'

  test('the notice comes before it', () => {
    expect(text('completed', truncated)).toBe(`${notice}\nhead\n\n[snip]\n\ntail`)
  })

  test('the notice comes after the status line', () => {
    expect(text('failed', { ...truncated, exitCode: 1 })).toBe(
      `[command failed: exit code 1]\n${notice}\nhead\n\n[snip]\n\ntail`,
    )
  })

  test('the file with the whole output comes last', () => {
    const saved = { savedOutput: '/tmp/x.log', savedOutputBytes: truncated.outputBytes }

    expect(text('completed', { ...truncated, ...saved })).toBe(
      `${notice}\nhead\n\n[snip]\n\ntail\n[whole output saved: /tmp/x.log]`,
    )
  })

  test('a file that has a part says how much', () => {
    const saved = { savedOutput: '/tmp/x.log', savedOutputBytes: 1024 * 1024 }

    expect(text('completed', { ...truncated, ...saved })).toMatch(
      /\n\[first 1\.0MB of the output saved: \/tmp\/x\.log\]$/,
    )
  })

  test('an incomplete file says how much it has, and why no more', () => {
    const savedOutputError = 'write /tmp/x.log: ENOSPC (no space left on device)'
    const saved = { savedOutput: '/tmp/x.log', savedOutputBytes: 1024 * 1024, savedOutputError }
    const lastLine = text('completed', { ...truncated, ...saved })
      .split('\n')
      .at(-1)

    expect(lastLine).toContain('first 1.0MB')
    expect(lastLine).toContain(savedOutputError)
  })

  test('a file that could not be written says why', () => {
    const savedOutputError = 'write /tmp/x.log: EACCES (permission denied)'

    expect(text('completed', { ...truncated, savedOutputError })).toMatch(
      /\n\[output not saved: write \/tmp\/x\.log: EACCES \(permission denied\)\]$/,
    )
  })
})

describe('survivors', () => {
  test('a last line names them and says how to stop them', () => {
    const survivors = [survivor(12, 'npm run dev'), survivor(34, 'sleep 300')]

    expect(text('completed', { output: 'started\n', survivors })).toBe(
      'started\n[still running: 12 (npm run dev), 34 (sleep 300); to stop: kill 12 34]',
    )
  })

  test('it is a line of its own after output without a line break', () => {
    expect(text('completed', { output: 'started', survivors: [survivor(12, 'sleep 300')] })).toBe(
      'started\n[still running: 12 (sleep 300); to stop: kill 12]',
    )
  })

  test('without output it follows [no output]', () => {
    expect(text('completed', { survivors: [survivor(12, 'sleep 300')] })).toBe(
      '[no output]\n[still running: 12 (sleep 300); to stop: kill 12]',
    )
  })

  test('that are a job name it and the file where their output goes on', () => {
    const survivors = [survivor(4711, 'sleep 300')]
    const job = { jobId: 'bash_k3v9x2', pgid: 4710, outputFile: '/jobs/bash_k3v9x2/output' }

    expect(text('completed', { output: 'done\n', survivors, ...job })).toBe(
      'done\n[still running as job bash_k3v9x2: 4711 (sleep 300); output goes on in /jobs/bash_k3v9x2/output; to stop: kill -9 -4710]',
    )
  })

  test('the file with the whole output comes before them', () => {
    const saved = { savedOutput: '/tmp/x.log', savedOutputBytes: 1, outputBytes: 1 }

    expect(text('completed', { output: 'x', ...saved, survivors: [survivor(12, 'sleep 300')] })).toBe(
      'x\n[whole output saved: /tmp/x.log]\n[still running: 12 (sleep 300); to stop: kill 12]',
    )
  })

  test('after a failure it is the last line as well', () => {
    expect(text('failed', { exitCode: 1, survivors: [survivor(12, 'sleep 300')] })).toBe(
      '[command failed: exit code 1]\n[still running: 12 (sleep 300); to stop: kill 12]',
    )
  })

  test('where only their group is known, that is to be stopped: bash itself has ended', () => {
    const survivors = [survivor(12, '[processes of this group that /proc does not show]')]

    expect(text('completed', { output: 'x\n', survivors, pid: 12, pgid: 12 })).toMatch(
      /; to stop: kill -- -12\]$/,
    )
  })

  test('daemons are named as such', () => {
    expect(text('completed', { survivors: [survivor(12, 'sshd', true), survivor(34, 'sleep 300')] })).toBe(
      '[no output]\n[still running: 12 (daemon: sshd), 34 (sleep 300); to stop: kill 12 34]',
    )
  })

  test('the file of the job is named only where something prints into it', () => {
    const job = { pid: 11, pgid: 11, jobId: 'bash_k3v9x2', outputFile: '/jobs/output' }
    const daemon = survivor(12, 'sshd', true)

    expect(text('completed', { output: 'x\n', survivors: [daemon], ...job })).toBe(
      'x\n[still running as job bash_k3v9x2: 12 (daemon: sshd); to stop: kill -9 -11]',
    )
    expect(text('completed', { survivors: [daemon, survivor(34, 'sleep 300')], ...job })).toContain(
      '; output goes on in /jobs/output; ',
    )
  })

  test('a command of several lines does not break the line', () => {
    const survivors = [survivor(12, 'bash -c sleep 300\n: done')]
    const lastLine = text('completed', { output: 'x\n', survivors }).split('\n').at(-1)

    expect(lastLine).toMatch(/^\[still running: 12 \(bash -c sleep 300.*: done\); to stop: kill 12\]$/)
  })
})

describe('survivors in Restricted mode', () => {
  const survivors = [survivor(12, 'sleep 300')]
  const restricted = { sandbox: 'restricted', survivors } as const

  test('are ended by the command that the job store carries out', () => {
    expect(text('completed', { ...restricted, jobId: 'bash_k3v9x2', pgid: 4711 })).toMatch(
      /still running as job bash_k3v9x2: 12 \(sleep 300\); to stop: kill -9 -4711\]$/,
    )
  })

  test('that are no job cannot be ended by a command, and none is named', () => {
    expect(text('completed', { ...restricted, pgid: 4711 })).toBe(
      '[no output]\n[still running: 12 (sleep 300)]',
    )
  })
})

test('a scratch directory that was filled after the end of bash is named too', () => {
  expect(text('completed', { output: 'x\n', limit: 'scratch', limitValue: 1024 ** 2 })).toBe(
    'x\n[scratch directory limit of 1.0MB reached: what still ran was killed]',
  )
})

test('a session whose state could not be saved says why', () => {
  const sessionUnsaved = 'the shell was ended before it could save its state'

  expect(text('timed_out', { timeoutMs: 30_000, output: 'x', sessionUnsaved, denied: 'no' })).toBe(
    `[command timed out after 30s]\nx\n[session state not saved: ${sessionUnsaved}]\n[sandbox: no]`,
  )
})

describe('output that is not text', () => {
  const notice =
    '[output is not text: invalid UTF-8 is shown as \uFFFD, NULs as \u2400; for its bytes: | xxd or | base64]'

  test('a line behind it says so, before other lines', () => {
    expect(text('failed', { exitCode: 1, output: 'a\u2400', binary: true, denied: 'no' })).toBe(
      `[command failed: exit code 1]\na\u2400\n${notice}\n[sandbox: no]`,
    )
  })
})

describe('denied by the sandbox', () => {
  const denied = 'network is blocked in Restricted mode'

  test('a last line says what was', () => {
    expect(text('failed', { exitCode: 6, output: 'curl: (6) no host\n', denied })).toBe(
      '[command failed: exit code 6]\ncurl: (6) no host\n[sandbox: network is blocked in Restricted mode]',
    )
  })

  test('it is a line of its own after output without a line break', () => {
    expect(text('completed', { output: 'x', denied })).toBe(`x\n[sandbox: ${denied}]`)
  })

  test('it is the last line also after survivors', () => {
    expect(text('completed', { denied, survivors: [survivor(12, 'sleep 300')] })).toBe(
      `[no output]\n[still running: 12 (sleep 300); to stop: kill 12]\n[sandbox: ${denied}]`,
    )
  })
})
