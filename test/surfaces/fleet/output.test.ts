// Live output with what is left out, and the whole of it in pieces.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { waitFor } from '../../support/wait-for.js'
import { endFleets, fleetTest } from './describe-fleet.js'
import { context, TestFleet } from './test-fleet.js'

endFleets()

/** What was shown, and what was told as missing. */
const listener = () => {
  const seen = { bytes: 0, dropped: 0 }
  const onEvent = (event: { type: string; text?: string; dropped?: number }) => {
    if (event.type !== 'output') return
    seen.bytes += Buffer.byteLength(event.text ?? '')
    seen.dropped += event.dropped ?? 0
  }
  return { seen, onEvent }
}

describe.each([
  ['at once', `head -c 10000000 /dev/zero | tr '\\0' x`, []],
  ['in pieces', `for i in {1..50}; do head -c 20000 /dev/zero | tr '\\0' x; sleep 0.02; done`, []],
  [
    'with a small budget',
    `for i in {1..50}; do head -c 20000 /dev/zero | tr '\\0' x; sleep 0.02; done`,
    ['--live-rate', '20000'],
  ],
])('output that comes %s', (name, command, args) => {
  fleetTest('is shown in part, and the sum of what is shown and dropped is exact', async () => {
    const fleet = await TestFleet.start({ args })
    const { seen, onEvent } = listener()
    const result = await (await fleet.client()).tool().execute({ command }, context('c1', { onEvent }))

    expect(result.status).toBe('completed')
    expect(seen.bytes).toBeGreaterThan(0)
    expect(seen.bytes + seen.dropped).toBe(result.outputBytes)
    // A slow machine may miss some.
    if (name === 'in pieces') expect(seen.bytes).toBeGreaterThan(seen.dropped)
    else expect(seen.dropped).toBeGreaterThan(0)
  })
})

fleetTest('nobody who does not listen is sent any', async () => {
  const fleet = await TestFleet.start()
  await (await fleet.client()).tool().execute({ command: 'echo secret' }, context('c1'))
  const [stream = ''] = await fleet.redis.client.keys('{bw:in:*}:out')

  expect(JSON.stringify(await fleet.redis.client.xrange(stream, '-', '+'))).not.toContain('secret')
})

describe('output()', () => {
  fleetTest('gives the whole of what a result has only a part of, piece by piece', async () => {
    const fleet = await TestFleet.start()
    const client = await fleet.client()
    const command = 'seq 1000000'
    const result = await client.tool().execute({ command }, context('c1'))
    const hash = createHash('sha256')
    let offset = 0
    for (;;) {
      const piece = await client.output('c1', result.savedOutput ?? '', { offset })
      if (piece.data.length === 0) break
      expect(piece.size).toBe(result.outputBytes)
      hash.update(piece.data)
      offset = piece.nextOffset
    }
    const expected = Array.from({ length: 1_000_000 }, (_, index) => `${index + 1}\n`).join('')

    expect(result).toMatchObject({ truncated: true, outputBytes: expected.length })
    expect(offset).toBe(expected.length)
    expect(hash.digest('hex')).toBe(createHash('sha256').update(expected).digest('hex'))
  })

  fleetTest('is not held up by a pipe in place of the file', async () => {
    const fleet = await TestFleet.start()
    const client = await fleet.client()
    const { savedOutput = '' } = await client.tool().execute({ command: 'seq 1000000' }, context('c1'))
    rmSync(savedOutput)
    execFileSync('mkfifo', [savedOutput])
    // More than there are threads for it.
    const pieces = Array.from({ length: 8 }, () => client.output('c1', savedOutput).catch(({ code }) => code))

    expect(await Promise.all(pieces)).toEqual(Array(8).fill('ERR_JOB_NOT_FOUND'))
  })

  fleetTest('reads a job while it runs', async () => {
    const fleet = await TestFleet.start()
    const client = await fleet.client()
    const { bash, bashOutput } = client.suite()
    const job = await bash.execute(
      { command: 'echo hello; sleep 600', run_in_background: true },
      context('c1'),
    )
    const id = job.jobId ?? ''
    await bashOutput.execute({ bash_id: id, until: 'hello' }, context('c1'))
    const { data, nextOffset } = await client.output('c1', id, { offset: 1, maxBytes: 3 })

    expect([data.toString(), nextOffset]).toEqual(['ell', 4])
    await client.release('c1')
  })

  fleetTest('gives nothing of another conversation, and no other file', async () => {
    const fleet = await TestFleet.start()
    const client = await fleet.client()
    const result = await client.tool().execute({ command: 'seq 100000' }, context('c1'))
    await client.tool().execute({ command: 'true' }, context('c2'))
    const saved = result.savedOutput ?? ''
    const link = `ln -s /etc/passwd '${saved.replace(/[^/]+$/, '')}bashward-output-0123456789abcdef.log'`
    await client.tool().execute({ command: link }, context('c1'))
    const asked = [
      client.output('c2', saved),
      client.output('c1', '/etc/passwd'),
      client.output('c1', '../../../../etc/passwd'),
      client.output('c1', '/x/bashward-output-0123456789abcdef.log'),
      client.output('c1', 'bash_unknown'),
      client.output('c1', saved, { offset: -1 }),
      client.output('c1', saved, { maxBytes: 262145 }),
    ]
    const codes = (await Promise.allSettled(asked)).map(
      (each) => each.status === 'rejected' && each.reason.code,
    )

    expect(codes.slice(0, 3)).toEqual(Array(3).fill('ERR_JOB_NOT_FOUND'))
    expect(codes[3]).toMatch(/^ERR_/)
    expect(codes.slice(4)).toEqual(['ERR_JOB_NOT_FOUND', 'ERR_INVALID_INPUT', 'ERR_INVALID_INPUT'])
  })
})

fleetTest('attach() that is cancelled ends at once, and is sent nothing more', async () => {
  const fleet = await TestFleet.start()
  const redis = fleet.redis.client
  const one = await fleet.client()
  const [first = ''] = await redis.keys('{bw:in:*}:out')
  const other = await fleet.client()
  const second = (await redis.keys('{bw:in:*}:out')).find((key) => key !== first) ?? ''
  const call = context('c1', { onEvent: () => {} })
  const loop = `until [ -e ${fleet.directory}/go-a ]; do echo tick; sleep 0.05; done`
  const running = one.tool().execute({ command: fleet.noting('a', loop) }, call)
  await fleet.begun('a')
  const cancel = new AbortController()
  let isShown = false
  const onEvent = () => {
    isShown = true
  }
  const attached = other.attach('c1', call.toolCallId, { cancel: cancel.signal, onEvent })
  attached.catch(() => {})
  await waitFor(() => isShown, { what: 'output' })
  cancel.abort()

  await expect(attached).rejects.toMatchObject({ code: 'ERR_CANCELLED' })
  await waitFor(async () => (await redis.llen('{bw:w1}:ctl:active')) === 0, {
    what: 'its worker to hear of it',
  })
  const last = async (key: string) => (await redis.xrevrange(key, '+', '-', 'COUNT', 1))[0]?.[0]
  const before = await last(second)
  const shown = new Set<string | undefined>()
  await waitFor(async () => shown.add(await last(first)).size > 3, { what: 'more output' })
  expect(await last(second)).toBe(before)
  fleet.go('a')
  expect((await running).status).toBe('completed')
})
