// The exec tool's result, of whatever the engine may give.
import fc from 'fast-check'
import type { RunResult } from '../../lib/commands/run/build-result.js'
import { type BashStatus, blankResult } from '../../lib/commands/run/result.js'
import { execExitStatus, execText, toExecResult } from '../../lib/tools/exec-result.js'

const printed = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    'bash: line 1: x: command not found\n',
    'bash: x: Permission denied',
    'bash: fork: Cannot allocate memory\n',
    '{"exitCode":0}\n',
    'x'.repeat(200_000),
  ),
)

interface Ending extends Partial<RunResult> {
  status: BashStatus
}
const error = fc.record({ code: fc.constant('ERR_SPAWN'), message: fc.string() })
const ending: fc.Arbitrary<Ending> = fc.oneof(
  fc.constant<Ending>({ status: 'completed', exitCode: 0 }),
  fc
    .oneof(fc.constantFrom(126, 127), fc.integer({ min: 1, max: 255 }))
    .map((exitCode): Ending => ({ status: 'failed', exitCode })),
  fc.constantFrom('SIGKILL', 'SIGSEGV', 'signal 35').map((signal): Ending => ({ status: 'failed', signal })),
  // Bash may have ended in its own way on being terminated.
  fc
    .record({
      status: fc.constantFrom('timed_out' as const, 'cancelled' as const),
      exitCode: fc.option(fc.nat(255)),
    })
    .map((fields): Ending => ({ ...fields, timeoutMs: 500 })),
  error.map((error): Ending => ({ status: 'error', error })),
  error.map((error): Ending => ({ status: 'invalid', error })),
  error.map(
    (error): Ending => ({
      status: 'rejected',
      error,
      rejection: { rule: 'a-rule', match: { start: 0, end: 1, text: 'x' } },
    }),
  ),
)

const result = fc
  .record({
    ending,
    stdout: printed,
    stderr: printed,
    denied: fc.option(fc.constant('files are read-only'), { nil: undefined }),
  })
  .map(
    ({ ending, stdout, stderr, denied }): RunResult => ({
      ...blankResult('the command', ending.status),
      ...ending,
      stdout,
      stderr,
      ...(denied !== undefined && ending.status === 'failed' && { denied }),
    }),
  )

test('what was printed stays as it is, whatever it looks like', () => {
  fc.assert(
    fc.property(result, (result) => {
      const { stdout, stderr } = toExecResult(result)
      expect({ stdout, stderr }).toEqual({ stdout: result.stdout, stderr: result.stderr })
    }),
    { numRuns: 500 },
  )
})

test('there is an exit code when the command ran to its end, and an error when it did not', () => {
  fc.assert(
    fc.property(result, (result) => {
      const { exitCode, error } = toExecResult(result)
      const ended = result.status === 'completed' || result.status === 'failed'
      expect(exitCode !== null).toBe(ended)
      if (!ended) expect(typeof error).toBe('string')
      if (result.status === 'completed') expect([exitCode, error]).toEqual([0, undefined])
      if (result.status === 'failed') expect(exitCode).toBeGreaterThan(0)
      if (exitCode !== null) expect(exitCode).toBeLessThanOrEqual(255)
    }),
    { numRuns: 500 },
  )
})

test('the text is JSON of the same, with the fields in order', () => {
  fc.assert(
    fc.property(result, (result) => {
      const parsed = JSON.parse(execText(toExecResult(result)))
      expect(parsed).toEqual(toExecResult(result))
      expect(['stdout', 'stderr', 'exitCode', 'error'].filter((name) => name in parsed)).toEqual(
        Object.keys(parsed),
      )
    }),
    { numRuns: 500 },
  )
})

describe('the exit status of a result without an exit code', () => {
  test.each([
    ['cancelled', 130],
    ['timed_out', 124],
    ['rejected', 126],
    ['invalid', 125],
    ['error', 125],
  ] as const)('%s is %d', (status, expected) => {
    expect(execExitStatus(toExecResult(blankResult('true', status)))).toBe(expected)
  })
})
