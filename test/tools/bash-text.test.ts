// The text of each kind of result, including kinds that no command of this version gives.

import { type BashResult, type BashStatus, blankResult } from '../../lib/commands/run/result.js'
import { bashText } from '../../lib/tools/bash-text.js'

const text = (status: BashStatus, fields: Partial<BashResult> = {}): string =>
  bashText({ ...blankResult('the command', status), ...fields })

describe('completed', () => {
  test.each([
    ['output as it is', 'a\n b \n\n', 'a\n b \n\n'],
    ['output without a line break at its end', 'a', 'a'],
    ['no output', '', '[no output]'],
    ['a line break is output', '\n', '\n'],
    ['output that looks like a status line', '[no output]', '\\[no output]'],
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

  test('when it had just become a job: where the rest of its output is', () => {
    const fields = { output: 'partial\n', jobId: 'bash_k3v9x2', outputFile: '/jobs/bash_k3v9x2/output' }

    expect(text('cancelled', fields)).toBe(
      '[command cancelled]\npartial\n[it had become background job bash_k3v9x2 before it was killed: all that it printed is in /jobs/bash_k3v9x2/output]',
    )
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
