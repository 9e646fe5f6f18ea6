// What becomes of a call when something comes between it and its mark: with marks that the test makes.
import { writeFileSync } from 'node:fs'
import { BashError, describeError } from '../../../lib/base/errors.js'
import { markStep } from '../../../lib/commands/calls/mark.js'
import { type OnceCall, runOnce } from '../../../lib/commands/calls/run-once.js'
import { type BashResult, type BashStatus, blankResult } from '../../../lib/commands/run/result.js'
import { CallLedger, type CallLedgerOptions } from '../../../lib/index.js'
import type { MarkPlan } from '../../../lib/processes/engine/request.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterEach(removeTempDirs)

const command = 'the command'
const outcome = (status: BashStatus, more: Partial<BashResult> = {}): BashResult => ({
  ...blankResult(command, status, 'unrestricted'),
  ...more,
})

/** FNV-1a, as the supervisor computes it. */
const checksum = (line: string): number => {
  let hash = 2166136261
  for (const letter of line) hash = Math.imul(hash ^ letter.charCodeAt(0), 16777619)
  return hash >>> 0
}

/** What a supervisor does; `end` as in `'ended 0'`, with a status as wait(2) gives it. */
const makeMark = ({ text }: MarkPlan, end?: string, change: object = {}): void => {
  const at = text.indexOf('\n')
  const record = JSON.stringify({ ...JSON.parse(text.slice(0, text.lastIndexOf('}', at) + 1)), ...change })
  const line = `end ${end} 0 - `
  writeFileSync(
    text.slice(at + 1),
    `${record.padEnd(511)}\n${end === undefined ? '' : `${line}${checksum(line)}\n`}`.padEnd(1024),
    { flag: 'wx' },
  )
}

const setUp = (options: CallLedgerOptions = {}) => {
  const ledger = new CallLedger({ directory: tempDir(), ...options })
  const call = (session: OnceCall['request']['session'] = null): OnceCall => ({
    ledger,
    identity: { callId: 'a' },
    request: { tool: 'bash', input: { command }, workingDir: '/', sandbox: undefined, session },
    command,
    sandbox: 'unrestricted',
    cancel: undefined,
    failed: (error) => outcome('error', { error: describeError(error) }),
    jobFields: async () => ({}),
  })
  const send = async (perform: (mark: MarkPlan) => Promise<BashResult>, session?: string) =>
    await runOnce(call(session), perform)
  const again = async (session?: string) =>
    await send(async () => {
      throw new Error('it runs again')
    }, session)
  return { ledger, send, again, status: async () => await ledger.status({ callId: 'a' }) }
}

/** The mark is made, and the engine says so. */
const marked = (mark: MarkPlan, end?: string): void => {
  makeMark(mark, end)
  mark.onMade(undefined)
}

describe('an end that was recorded before', () => {
  test.each([
    ['a cancel', 'cancelled', 'ended 0', { status: 'completed', exitCode: 0, signal: null }],
    ['a cancel, of a failure', 'cancelled', 'ended 768', { status: 'failed', exitCode: 3, signal: null }],
    [
      'a cancel, by a signal',
      'cancelled',
      'ended 11',
      { status: 'failed', exitCode: null, signal: 'SIGSEGV' },
    ],
    ['a timeout', 'timed_out', 'ended 0', { status: 'completed', exitCode: 0, signal: null }],
  ] as const)('%s is what counts, now and later', async (_, status, end, expected) => {
    const { send, again } = setUp()
    const first = await send(async (mark) => {
      marked(mark, end)
      return outcome(status, { output: 'out\n', timeoutMs: 5 })
    })

    expect(first).toMatchObject({ ...expected, output: 'out\n' })
    expect(first).not.toHaveProperty('timeoutMs')
    expect(await again()).toEqual({ ...JSON.parse(JSON.stringify(first)), replayed: true })
  })

  test('says what its session has lost', async () => {
    const { send } = setUp()
    const cancelled = async (mark: MarkPlan) => {
      marked(mark, 'ended 0')
      return outcome('cancelled')
    }
    expect(await send(cancelled, '/')).toMatchObject({
      status: 'completed',
      sessionUnsaved: 'cd, export and the like of this call were lost at its cancel',
    })
  })

  test.each(['timed_out', 'cancelled'] as const)('is one of a %s command', async (kind) => {
    const { send } = setUp()
    const result = await send(async (mark) => {
      marked(mark, `${kind} 15`)
      return outcome(kind, { signal: 'SIGTERM' })
    })
    expect(result).toMatchObject({ status: kind, signal: 'SIGTERM' })
  })
})

describe('a supervisor that is lost', () => {
  const lost = new BashError('ERR_SUPERVISOR_LOST', 'killed')

  test('after its mark was made, and before it could say so, has used the id up', async () => {
    const { send, again } = setUp()
    const first = await send(async (mark) => {
      makeMark(mark)
      throw lost
    })

    expect(first).toMatchObject({ status: 'error', error: { code: 'ERR_SUPERVISOR_LOST' } })
    expect(await again()).toEqual({ ...JSON.parse(JSON.stringify(first)), replayed: true })
  })

  test('before its mark was made has not', async () => {
    const { send, status } = setUp()
    await expect(
      send(async () => {
        throw lost
      }),
    ).rejects.toBe(lost)
    expect(await status()).toEqual({ status: 'never' })
  })
})

describe('what another process has started meanwhile is the answer', () => {
  const others = (mark: MarkPlan) => makeMark(mark, 'ended 768', { nonce: 'other' })

  test.each<[string, () => Promise<BashResult>]>([
    ['to a call that was rejected here', async () => outcome('rejected')],
    ['to a call that was cancelled here', async () => outcome('cancelled')],
    [
      'to a call whose supervisor was lost',
      async () => outcome('error', { error: { code: 'ERR_SUPERVISOR_LOST', message: '' } }),
    ],
    [
      'to a call that found the mark',
      () => Promise.reject(new BashError('ERR_NOT_STARTED', 'x', { step: markStep, errno: 17 })),
    ],
    ['to a call that could not start here', () => Promise.reject(new BashError('ERR_WORKING_DIR', 'x'))],
  ])('%s', async (_, own) => {
    const { send } = setUp()
    const result = await send(async (mark) => {
      others(mark)
      return await own()
    })
    expect(result).toMatchObject({ status: 'failed', exitCode: 3, outputLost: true, replayed: true })
  })

  test('and, of another request, a refusal', async () => {
    const { send } = setUp()
    const rejected = async (mark: MarkPlan) => {
      makeMark(mark, 'ended 0', { nonce: 'other', digest: 'other' })
      return outcome('rejected')
    }
    await expect(send(rejected)).rejects.toMatchObject({ code: 'ERR_CALL_ID_REUSED' })
  })
})

test('a mark that could not be made leaves the id as it was', async () => {
  const { send, status } = setUp()
  const full = new BashError('ERR_NOT_STARTED', 'make call mark: ENOSPC', { step: markStep, errno: 28 })
  await expect(send(() => Promise.reject(full))).rejects.toMatchObject({
    code: 'ERR_NOT_STARTED',
    message: 'the command did not start, and nothing of it has run: make call mark: ENOSPC',
    step: markStep,
    errno: 28,
  })
  expect(await status()).toEqual({ status: 'never' })
})

test('a mark that is removed while the call runs costs no result', async () => {
  const { send } = setUp()
  const result = await send(async (mark) => {
    mark.onMade(undefined)
    return outcome('completed', { output: 'out\n' })
  })
  expect(result).toMatchObject({ status: 'completed', output: 'out\n' })
  expect(result).not.toHaveProperty('replayed')
})
