// Calls with a ledger: each starts once, and is answered whenever it is sent.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type BashResult,
  BashSession,
  CallLedger,
  createBashTool,
  createExecTool,
} from '../../../lib/index.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { LedgerCalls } from './ledger-call.js'

afterEach(removeTempDirs)

const text = createBashTool().toText

/** Below its directory: the address of a socket is short. */
const leaveSocket = `const { basename, dirname } = require('path')
process.chdir(dirname(process.argv[1]))
require('net').createServer().listen(basename(process.argv[1]), () => process.exit())`

const markOf = ({ marks }: LedgerCalls): string => marks()[0] ?? ''
describe('an id that was used', () => {
  test.each<[string, (calls: LedgerCalls) => Promise<BashResult>]>([
    ['for another command', async (calls) => await calls.send('a', 'echo other')],
    ['in another directory', async (calls) => await calls.send('a', 'echo out', { workingDir: '/usr' })],
    ['in another mode', async (calls) => await calls.send('a', 'echo out', { sandbox: 'restricted' })],
    ['in the background', async (calls) => await calls.send('a', 'echo out', {}, 'background')],
    [
      'with a session',
      async (calls) => await calls.send('a', 'echo out', { session: new BashSession({ workingDir: '/' }) }),
    ],
  ])('%s is refused, and nothing runs', async (_, other) => {
    const calls = new LedgerCalls()
    await calls.send('a', 'echo out')
    const refused = await other(calls)

    expect(refused).toMatchObject({ status: 'error', error: { code: 'ERR_CALL_ID_REUSED' } })
    expect(text(refused)).toMatch(
      /^\[system error: this call id has been used for another request .*not run\]$/,
    )
    expect(calls.runs('a')).toBe(1)
  })

  test('by another conversation, or another tenant, is another id', async () => {
    const calls = new LedgerCalls()
    const { directory } = calls.ledger
    const others = new LedgerCalls({ directory, tenant: 'other' })
    await calls.send('a', 'echo 1')
    const inOther = await calls.send('a', 'echo 2', { conversationId: 'c' })
    const ofOther = await others.send('a', 'echo 3')

    expect([inOther.output, ofOther.output]).toEqual(['2\n', '3\n'])
  })

  test('cannot lead out of the directory', async () => {
    const calls = new LedgerCalls()
    const id = '../../../escape'
    const bash = createBashTool({ calls: calls.ledger })
    await bash.execute({ command: 'true' }, { workingDir: '/', toolCallId: id, conversationId: '/etc' })
    expect(calls.marks()).toHaveLength(1)
    expect(await calls.ledger.status({ callId: id, conversationId: '/etc' })).toMatchObject({
      status: 'result',
    })
  })
})

describe('an id is not used up by a call that', () => {
  test('a safety rule refused', async () => {
    const calls = new LedgerCalls()
    expect(await calls.send('a', 'vim')).toMatchObject({ status: 'rejected' })
    expect(await calls.ledger.status({ callId: 'a' })).toEqual({ status: 'never' })
    expect(await calls.send('a', 'echo out')).toMatchObject({ status: 'completed' })
  })

  test('was cancelled before it began', async () => {
    const calls = new LedgerCalls()
    const cancelled = await calls.send('a', 'echo out', { cancel: AbortSignal.abort() })
    expect(cancelled.status).toBe('cancelled')
    expect(await calls.send('a', 'echo out')).toMatchObject({ status: 'completed' })
  })

  test('could not be marked', async () => {
    const calls = new LedgerCalls()
    await calls.send('first', 'true')
    const name = join(calls.ledger.directory, 'x'.repeat(10))
    mkdirSync(name)
    const elsewhere = new CallLedger({ directory: join(name, 'y'.repeat(200), 'z') })
    const bash = createBashTool({ calls: elsewhere })
    const context = { workingDir: '/', toolCallId: 'a' }
    // Replaced by a file when it has been looked at: as if the disk failed just then.
    const running = bash.execute({ command: `echo ran > ${calls.runsFile}` }, context)
    rmSync(name, { recursive: true })
    writeFileSync(name, '')
    const result = await running

    expect(['ERR_NOT_STARTED', 'ERR_CALL_DIRECTORY']).toContain(result.error?.code)
    expect(calls.runs('ran')).toBe(0)
  })
})

test('a shell that cannot be executed is remembered as not started', async () => {
  const calls = new LedgerCalls({}, { shellPath: '/nowhere/bash' })
  const first = await calls.send('a', 'echo out')
  const second = await calls.send('a', 'echo out')
  calls.loseOutput()
  const third = await calls.send('a', 'echo out')

  expect(first.error?.code).toBe('ERR_SPAWN')
  expect(second).toMatchObject({ error: first.error, replayed: true })
  expect(third).toMatchObject({ status: 'error', error: { code: 'ERR_NOT_STARTED' }, replayed: true })
  expect(calls.runs('a')).toBe(0)
})

describe('what a command printed', () => {
  test.each([
    ['is gone', 'echo out; exit 3', 'failed', 3, '[command failed: exit code 3]\n'],
    ['is gone, of a success', 'echo out', 'completed', 0, ''],
  ])('%s: how it ended is known', async (_, command, status, exitCode, headline) => {
    const calls = new LedgerCalls()
    await calls.send('a', command)
    calls.loseOutput()
    const again = await calls.send('a', command)

    expect(again).toMatchObject({ status, exitCode, output: '', outputLost: true, replayed: true })
    expect(text(again)).toBe(`${headline}[it has run; what it printed was not kept]`)
    expect(calls.runs('a')).toBe(1)
  })

  test('is gone, of a timeout: that is known', async () => {
    const calls = new LedgerCalls({}, { timeouts: { default: 300 } })
    const exec = createExecTool({ calls: calls.ledger, timeout: 300 })
    const context = { workingDir: '/', toolCallId: 'b' }
    await Promise.all([calls.send('a', 'sleep 60'), exec.execute({ command: 'sleep 60' }, context)])
    calls.loseOutput()

    const again = await calls.send('a', 'sleep 60')
    expect(again).toMatchObject({ status: 'timed_out', signal: 'SIGTERM', outputLost: true })
    expect(text(again)).toBe('[command timed out]\n[it has run; what it printed was not kept]')
    const { error } = await exec.execute({ command: 'sleep 60' }, context)
    expect(error).toBe('command timed out')
  })

  test('is not kept when it is too long', async () => {
    const { ledger } = new LedgerCalls()
    const exec = createExecTool({ calls: ledger })
    const command = 'head -c 300000 /dev/zero | tr "\\0" x'
    const context = { workingDir: '/', toolCallId: 'a' }
    const [first, second] = [
      await exec.execute({ command }, context),
      await exec.execute({ command }, context),
    ]

    expect(first.stdout).toHaveLength(300_000)
    expect(second).toEqual({
      stdout: '',
      stderr: '',
      exitCode: 0,
      error: 'the command has run; what it printed was not kept',
    })
  })
})

describe('the status of a call', () => {
  test('is never, started, result', async () => {
    const calls = new LedgerCalls()
    const status = async () => await calls.ledger.status({ callId: 'a' })
    expect(await status()).toEqual({ status: 'never' })
    const { directory } = calls
    const running = calls.send('a', `until [ -e ${directory}/go ]; do sleep 0.02; done; echo out`)
    await waitFor(() => calls.runs('a'), { what: 'the command to run' })
    expect(await status()).toEqual({ status: 'started' })
    writeFileSync(join(directory, 'go'), '')
    await running
    expect(await status()).toMatchObject({
      status: 'result',
      result: { status: 'completed', output: 'out\n', replayed: true },
    })
  })

  test('is unknown when its mark says nothing of an end', async () => {
    const calls = new LedgerCalls()
    await calls.send('a', 'true')
    const path = markOf(calls)
    writeFileSync(path, readFileSync(path).fill(' ', 512))
    const again = await calls.send('a', 'true')

    expect(await calls.ledger.status({ callId: 'a' })).toEqual({ status: 'unknown' })
    expect(again).toMatchObject({ status: 'error', error: { code: 'ERR_WORKER_LOST' } })
    expect(text(again)).toMatch(/It may have run, in part or whole; look before you repeat it\]$/)
    expect(calls.runs('a')).toBe(1)
  })

  test.each([
    ['a link', (path: string) => symlinkSync('/nowhere', path)],
    ['a FIFO', (path: string) => execFileSync('mkfifo', [path])],
    ['a socket', (path: string) => execFileSync(process.execPath, ['-e', leaveSocket, path])],
  ])('is unknown where %s stands in the place of its mark', async (_, make) => {
    const calls = new LedgerCalls()
    await calls.send('a', 'true')
    const path = markOf(calls)
    rmSync(path)
    make(path)

    expect(await calls.ledger.status({ callId: 'a' })).toEqual({ status: 'unknown' })
    expect(await calls.ledger.attach({ callId: 'a' })).toMatchObject({ error: { code: 'ERR_WORKER_LOST' } })
    expect(await calls.send('a', 'true')).toMatchObject({ error: { code: 'ERR_WORKER_LOST' } })
  })

  test('is unknown when its mark is damaged', async () => {
    const calls = new LedgerCalls()
    await calls.send('a', 'true')
    writeFileSync(markOf(calls), 'garbage')

    expect(await calls.ledger.status({ callId: 'a' })).toEqual({ status: 'unknown' })
    expect(await calls.send('a', 'true')).toMatchObject({ error: { code: 'ERR_WORKER_LOST' } })
    expect(calls.runs('a')).toBe(1)
  })
})

describe('attach()', () => {
  test('gives the result of a call that runs, and of one that ran; nothing of another', async () => {
    const calls = new LedgerCalls()
    const running = calls.send('a', 'sleep 0.3; echo out')
    await waitFor(() => calls.runs('a'), { what: 'the command to run' })
    const attached = await calls.ledger.attach({ callId: 'a' })
    await running

    expect(attached).toMatchObject({ status: 'completed', output: 'out\n', replayed: true })
    expect(await calls.ledger.attach({ callId: 'a' })).toEqual(attached)
    expect(await calls.ledger.attach({ callId: 'b' })).toBeUndefined()
  })

  test('that is cancelled lets the call go on', async () => {
    const calls = new LedgerCalls()
    const running = calls.send('a', 'sleep 0.5; echo out')
    await waitFor(() => calls.runs('a'), { what: 'the command to run' })
    const attached = calls.ledger.attach({ callId: 'a' }, { cancel: AbortSignal.timeout(50) })

    await expect(attached).rejects.toMatchObject({ code: 'ERR_CANCELLED' })
    expect(await running).toMatchObject({ status: 'completed' })
  })
})

describe('beforeResult', () => {
  test('is called before the result is kept, and not for an answer of the ledger', async () => {
    const seen: unknown[] = []
    const calls: LedgerCalls = new LedgerCalls({
      beforeResult: ({ output }, call) => {
        seen.push(output, call, statSync(markOf(calls)).size)
      },
    })
    await calls.send('a', 'echo out', { conversationId: 'c' })
    await calls.send('a', 'echo out', { conversationId: 'c' })

    expect(seen).toEqual(['out\n', { callId: 'a', conversationId: 'c' }, 1024])
  })

  test('that throws costs no result', async () => {
    const calls = new LedgerCalls({ beforeResult: () => Promise.reject(new Error('no room')) })
    expect(await calls.send('a', 'echo out')).toMatchObject({ output: 'out\n', sessionUnsaved: 'no room' })
  })
})

describe('what is refused', () => {
  test('a call without an id, or with one that is not well-formed', async () => {
    const { ledger } = new LedgerCalls()
    const bash = createBashTool({ calls: ledger })
    const send = async (context: object) =>
      (await bash.execute({ command: 'true' }, { workingDir: '/', ...context })).error

    expect(await send({})).toEqual({
      code: 'ERR_INVALID_INPUT',
      message: 'context.toolCallId: is needed: this tool starts each call once, by its id (got undefined)',
    })
    expect(await send({ toolCallId: '' })).toMatchObject({ code: 'ERR_INVALID_INPUT' })
    expect(await send({ toolCallId: '\udc00' })).toMatchObject({ code: 'ERR_INVALID_INPUT' })
    expect(await send({ toolCallId: 'x'.repeat(1025) })).toMatchObject({ code: 'ERR_INVALID_INPUT' })
    for (const conversationId of ['', '\udc00']) {
      expect(await send({ toolCallId: 'a', conversationId })).toMatchObject({ code: 'ERR_INVALID_INPUT' })
    }
  })

  test.each([
    [{ directory: 'relative' }, 'options.directory: must be an absolute path'],
    [{ tenant: '' }, 'options.tenant: must be a string of 1 to 1024 bytes'],
    [{ durable: 1 }, 'options.durable: must be a boolean'],
    [{ beforeResult: 1 }, 'options.beforeResult: must be a function'],
    [{ other: 1 }, 'options.other: unknown field'],
  ])('options %#', (options, message) => {
    const construct = () => new CallLedger({ directory: tempDir(), ...options } as never)
    expect(construct).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_INPUT', message: expect.stringContaining(message) }),
    )
  })

  test('what is no ledger', () => {
    expect(() => createBashTool({ calls: {} as never })).toThrow('calls: must be a CallLedger')
  })
})
