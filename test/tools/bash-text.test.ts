// The text of each kind of result, also of those that no command of this version can give.
import { blankResult } from '../../lib/engine/result.js'
import type { BashResult, BashStatus, Survivor } from '../../lib/result.js'
import { bashText } from '../../lib/tools/bash-text.js'

const text = (status: BashStatus, fields: Partial<BashResult> = {}): string =>
  bashText({ ...blankResult('the command', status), ...fields })

const survivor = (pid: number, command: string, daemon = false): Survivor => ({ pid, command, daemon })

describe('completed', () => {
  test.each([
    ['output as it is', 'a\n b \n\n', 'a\n b \n\n'],
    ['output without a line break at its end', 'a', 'a'],
    ['no output', '', '[no output]'],
    ['a line break is output', '\n', '\n'],
    ['output that looks like a status line', '[no output]', '[no output]'],
  ])('%s', (_, output, expected) => {
    expect(text('completed', { output, exitCode: 0 })).toBe(expected)
  })
})

describe('failed', () => {
  test('the exit code, then the output', () => {
    expect(text('failed', { exitCode: 2, output: 'no such thing\n' })).toBe(
      '[command failed: exit code 2]\nno such thing\n',
    )
  })

  test('no output: the line is ended all the same', () => {
    expect(text('failed', { exitCode: 1 })).toBe('[command failed: exit code 1]\n')
  })

  test('output that begins with line breaks keeps them', () => {
    expect(text('failed', { exitCode: 1, output: '\n\nx' })).toBe('[command failed: exit code 1]\n\n\nx')
  })

  test('the signal that ended it', () => {
    expect(text('failed', { signal: 'SIGSEGV', output: 'x\n' })).toBe(
      '[command failed: killed by SIGSEGV]\nx\n',
    )
  })

  test.each<[string, Partial<BashResult>, string]>([
    [
      'CPU time, bash itself',
      { signal: 'SIGXCPU', limit: 'cpu', limitValue: 60 },
      'CPU time limit of 60s reached',
    ],
    ['CPU time, a child', { exitCode: 152, limit: 'cpu', limitValue: 1 }, 'CPU time limit of 1s reached'],
    [
      'file size',
      { exitCode: 153, limit: 'fileSize', limitValue: 3 * 1024 * 1024 },
      'file size limit of 3.0MB reached',
    ],
    [
      'the scratch directory',
      { signal: 'SIGKILL', limit: 'scratch', limitValue: 256 * 1024 * 1024 },
      'scratch directory limit of 256.0MB reached',
    ],
    [
      'memory',
      { signal: 'SIGKILL', limit: 'memory', limitValue: 512 * 1024 * 1024 },
      'memory limit of 512.0MB reached',
    ],
    [
      'processes',
      { exitCode: 254, limit: 'processes', limitValue: 100 },
      'exit code 254, limit of 100 processes reached',
    ],
  ])('the limit that ended it: %s', (_, fields, expected) => {
    expect(text('failed', { ...fields, output: 'x\n' })).toBe(`[command failed: ${expected}]\nx\n`)
  })
})

describe('timed_out', () => {
  test.each([
    [30_000, '30s'],
    [900_000, '900s'],
    [1500, '1.5s'],
    [1, '0.001s'],
    [86_400_000, '86400s'],
  ])('after %d ms', (timeoutMs, expected) => {
    expect(text('timed_out', { timeoutMs, output: 'partial' })).toBe(
      `[command timed out after ${expected}]\npartial`,
    )
  })

  test('no output', () => {
    expect(text('timed_out', { timeoutMs: 30_000 })).toBe('[command timed out after 30s]\n')
  })

  test('an exit code that came of the kill is not mentioned', () => {
    expect(text('timed_out', { timeoutMs: 30_000, exitCode: 3, signal: null })).toBe(
      '[command timed out after 30s]\n',
    )
  })
})

describe('cancelled', () => {
  test('with partial output', () => {
    expect(text('cancelled', { output: 'partial\n' })).toBe('[command cancelled]\npartial\n')
  })

  test('without', () => {
    expect(text('cancelled')).toBe('[command cancelled]\n')
  })
})

describe('what did not run', () => {
  test('rejected', () => {
    const rejection = { rule: 'git-add-blind', match: { start: 8, end: 10, text: '-A' } }
    const error = { code: 'ERR_COMMAND_REJECTED', message: 'use git add with the files that you changed' }

    expect(text('rejected', { rejection, error })).toBe(
      '[command rejected: git-add-blind] use git add with the files that you changed',
    )
  })

  test('invalid', () => {
    const message = 'mode: must be one of default, slow, background (got "fast")'

    expect(text('invalid', { error: { code: 'ERR_INVALID_INPUT', message } })).toBe(
      `[invalid input: ${message}]`,
    )
  })

  test('system error', () => {
    const message = 'chdir /nope: ENOENT (no such file or directory)'

    expect(text('error', { error: { code: 'ERR_WORKING_DIR', message } })).toBe(`[system error: ${message}]`)
  })

  test('no sandbox', () => {
    const message = 'Landlock needs Linux 5.13'

    expect(text('error', { error: { code: 'ERR_SANDBOX_UNAVAILABLE', message } })).toBe(
      `[sandbox unavailable: ${message}]`,
    )
  })
})

test('a system error during a run is followed by the output so far', () => {
  const error = { code: 'ERR_SUPERVISOR_LOST', message: 'the supervisor was killed' }

  expect(text('error', { error, output: 'so far' })).toBe('[system error: the supervisor was killed]\nso far')
})

test('background: pid, output file and how to stop it, a line each', () => {
  expect(text('background', { pid: 12, pgid: 12, outputFile: '/tmp/job/output' })).toBe(
    '<pid>12</pid>\n<output_file>/tmp/job/output</output_file>\n<reminder>To stop: kill -9 -12</reminder>',
  )
})

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
    const job = { jobId: 'bash_k3v9x2', outputFile: '/jobs/bash_k3v9x2/output' }

    expect(text('completed', { output: 'done\n', survivors, ...job })).toBe(
      'done\n[still running as job bash_k3v9x2: 4711 (sleep 300); output goes on in /jobs/bash_k3v9x2/output; to stop: kill 4711]',
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

  test('daemons are not mentioned', () => {
    expect(text('completed', { survivors: [survivor(12, 'sshd', true), survivor(34, 'sleep 300')] })).toBe(
      '[no output]\n[still running: 34 (sleep 300); to stop: kill 34]',
    )
  })

  test('daemons alone leave the text as it is', () => {
    const survivors = [survivor(12, 'sshd', true)]

    expect(text('completed', { output: 'x\n', survivors })).toBe('x\n')
    expect(text('completed', { survivors })).toBe('[no output]')
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
