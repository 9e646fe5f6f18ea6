// Which calls are forgotten, and when.
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { uptime } from 'node:os'
import { join } from 'node:path'
import { bootId } from '../../../lib/base/util/process-identity.js'
import { isOlderThan, type MarkRecord } from '../../../lib/commands/calls/mark.js'
import type { BashResult } from '../../../lib/index.js'
import { provenEngine } from '../../../lib/processes/engine/choose.js'
import { killHosts, runHost } from '../../support/host.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { LedgerCalls } from './ledger-call.js'

afterEach(killHosts)
afterEach(removeTempDirs)

const dayMs = 24 * 60 * 60 * 1000

/** All but what those who clean up lock. */
const filesOf = ({ ledger }: LedgerCalls) =>
  readdirSync(ledger.directory)
    .filter((name) => name !== 'clean-up.lock')
    .sort()

/** As if the calls were so old. */
const age = (
  calls: LedgerCalls,
  days: number,
  change: Partial<MarkRecord> = { bootId: 'an earlier one' },
) => {
  for (const name of filesOf(calls).filter((name) => !name.includes('.'))) {
    const path = join(calls.ledger.directory, name)
    const text = readFileSync(path, 'latin1')
    const record = JSON.parse(text.slice(0, text.lastIndexOf('}', 511) + 1))
    const old = { ...record, ...change, createdAt: Date.now() - days * dayMs }
    writeFileSync(path, `${JSON.stringify(old).padEnd(511)}\n${text.slice(512)}`, 'latin1')
  }
}

const truncateTo = (path: string, size: number) => {
  writeFileSync(path, '')
  truncateSync(path, size)
}

describe('cleanUp()', () => {
  test('forgets calls that are older than 7 days, with their results', async () => {
    const calls = new LedgerCalls()
    await calls.send('a', 'echo out')
    age(calls, 6)
    expect(await calls.ledger.cleanUp()).toBe(0)
    age(calls, 8)
    expect(await calls.ledger.cleanUp()).toBe(1)
    expect(filesOf(calls)).toEqual([])
    expect(await calls.send('a', 'echo out')).not.toHaveProperty('replayed')
  })

  test('forgets none of this boot that is old by the clock alone', async () => {
    const calls = new LedgerCalls()
    await calls.send('a', 'echo out')
    age(calls, 8, {})
    expect(await calls.ledger.cleanUp()).toBe(0)
    expect(await calls.send('a', 'echo out')).toMatchObject({ output: 'out\n', replayed: true })
  })

  test('forgets no call that runs', async () => {
    const calls = new LedgerCalls()
    const running = calls.send('a', `until [ -e ${calls.directory}/go ]; do sleep 0.02; done`)
    await waitFor(() => calls.runs('a'), { what: 'the command to run' })
    age(calls, 8)
    expect(await calls.ledger.cleanUp()).toBe(0)
    writeFileSync(join(calls.directory, 'go'), '')
    await running
    expect(await calls.ledger.cleanUp()).toBe(1)
  })

  test('forgets no mark that it cannot read', async () => {
    const calls = new LedgerCalls()
    await calls.send('a', 'echo out')
    const [mark = ''] = filesOf(calls)
    writeFileSync(join(calls.ledger.directory, mark), 'garbage')
    expect(await calls.ledger.cleanUp()).toBe(0)
    expect(filesOf(calls)).toContain(mark)
  })

  test('forgets other calls where a link that leads nowhere has the name of a mark', async () => {
    const calls = new LedgerCalls()
    await calls.send('a', 'echo out')
    age(calls, 8)
    for (const first of ['0', 'f']) symlinkSync('nowhere', join(calls.ledger.directory, first.repeat(64)))
    expect(await calls.ledger.cleanUp()).toBe(1)
  })

  test('takes the oldest output beyond 256 MiB, and no outcome', async () => {
    const calls = new LedgerCalls()
    await calls.send('a', 'echo a; exit 3')
    const [oldest = ''] = calls.marks()
    await calls.send('b', 'echo b')
    const younger = calls.marks().find((path) => path !== oldest) ?? ''
    // As if a third one had all the room that the younger one leaves: the file is sparse.
    const third = join(calls.ledger.directory, 'f'.repeat(64))
    truncateTo(third, 256 * 1024 * 1024 + 1024 - (statSync(younger).size - 1024))
    const twoDaysAgo = (Date.now() - 2 * dayMs) / 1000
    utimesSync(oldest, twoDaysAgo, twoDaysAgo)
    await calls.ledger.cleanUp()

    expect(await calls.send('b', 'echo b')).toMatchObject({ output: 'b\n', replayed: true })
    expect(await calls.send('a', 'echo a; exit 3')).toMatchObject({
      exitCode: 3,
      outputLost: true,
      replayed: true,
    })
  })

  test('takes what a killed process has left, after an hour', async () => {
    const calls = new LedgerCalls()
    await calls.send('a', 'true')
    const before = filesOf(calls)
    const { directory } = calls.ledger
    for (const name of ['x.old.tmp', 'x.young.tmp']) writeFileSync(join(directory, name), '')
    const hourAgo = Date.now() / 1000 - 3601
    utimesSync(join(directory, 'x.old.tmp'), hourAgo, hourAgo)
    await calls.ledger.cleanUp()

    expect(filesOf(calls)).toEqual([...before, 'x.young.tmp'].sort())
  })

  test('does nothing while another process does it', async () => {
    const calls = new LedgerCalls()
    await calls.send('a', 'true')
    age(calls, 8)
    const { engine } = await provenEngine()
    const unlock = engine.lockFile(join(calls.ledger.directory, 'clean-up.lock'))
    expect(await calls.ledger.cleanUp()).toBe(0)
    if (typeof unlock === 'function') unlock()
    expect(await calls.ledger.cleanUp()).toBe(1)
  })

  test('of a ledger that was never used does nothing', async () => {
    expect(await new LedgerCalls().ledger.cleanUp()).toBe(0)
  })

  test('leaves alone what is not its own', async () => {
    const calls = new LedgerCalls()
    await calls.send('a', 'true')
    const { directory } = calls.ledger
    mkdirSync(join(directory, 'a'.repeat(64)))
    writeFileSync(join(directory, 'notes'), '')
    expect(await calls.ledger.cleanUp()).toBe(0)
    expect(filesOf(calls)).toEqual(expect.arrayContaining(['a'.repeat(64), 'notes']))
  })
})

describe('a call is older than 7 days', () => {
  const now = uptime() * 1000
  const record = (change: Partial<MarkRecord>): MarkRecord => ({
    digest: '',
    nonce: '',
    createdAt: Date.now() - 8 * dayMs,
    bootId: bootId(),
    bootedMs: now,
    ...change,
  })

  test.each<[string, boolean, Partial<MarkRecord>]>([
    ['not by the clock alone, on the same boot', false, {}],
    ['on the same boot when so much time has passed', true, { bootedMs: now - 8 * dayMs }],
    ['not by the passed time alone', false, { bootedMs: now - 8 * dayMs, createdAt: Date.now() }],
    ['of another boot by the clock', true, { bootId: 'another' }],
    ['not when the clock was set back', false, { bootId: 'another', createdAt: Date.now() + dayMs }],
    ['not where it may be of this boot', false, { bootId: null }],
    ['where it cannot be of this boot', true, { bootId: null, bootedMs: now + dayMs }],
  ])('%s: %j', (_, expected, change) => {
    expect(isOlderThan(record(change), 7 * dayMs)).toBe(expected)
  })
})

test('a clock that is 8 days ahead makes nobody forget a call of this boot', async () => {
  const directory = tempDir()
  const calls = [{ id: 'a', command: `echo a >> ${directory}/runs; echo out` }]
  const [first] = await runHost<BashResult[]>('calls', { argument: { directory, calls } })
  const aheadMs = 8 * 24 * 60 * 60 * 1000
  const later = await runHost<unknown[]>('calls', { argument: { directory, calls, aheadMs } })

  expect(first).toMatchObject({ status: 'completed', output: 'out\n' })
  expect(later).toEqual([expect.objectContaining({ output: 'out\n', replayed: true }), 0])
  expect(readFileSync(join(directory, 'runs'), 'utf8')).toBe('a\n')
})
