// Requests about jobs, calls and conversations: like commands, none begins late, twice, or after it was taken back.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { conversationName } from '../../../lib/surfaces/fleet/names.js'
import type { FleetRequest } from '../../../lib/surfaces/fleet/request.js'
import { processesWith, uniqueSleep, waitForSleep } from '../../support/processes.js'
import { endFleets, fleetTest } from './describe-fleet.js'
import { Sender } from './forged-sender.js'
import { context, TestFleet } from './test-fleet.js'

endFleets()

const late = { notAfter: Date.now() - 60_000 }

/** A conversation with a job. */
const withJob = async () => {
  const sender = await Sender.of(await TestFleet.start())
  const client = await sender.fleet.client()
  const tools = client.suite()
  const marker = uniqueSleep()
  const command = `echo one; until [ -e more ]; do sleep 0.02; done; echo two; sleep ${marker}; true`
  const job = await tools.bash.execute({ command, run_in_background: true }, context('c1'))
  const id = job.jobId ?? ''
  const kill = { tool: 'KillBash', input: { bash_id: id } } as const satisfies Partial<FleetRequest>
  return { ...tools, sender, client, marker, id, kill }
}

describe('KillBash', () => {
  fleetTest('kills nothing after its time, or when it was taken back', async () => {
    const { sender, client, marker, kill, killBash, id } = await withJob()
    const answers = [
      await sender.control({ ...kill, ...late }),
      await sender.control(kill, async (sending) => {
        await sender.fleet.redis.client.set(`{bw:w1}:cancel:${sending}`, sending)
      }),
    ]
    await client.tool().execute({ command: 'touch more' }, context('c1'))
    await waitForSleep(marker)

    expect(answers).toEqual(['ERR_DEADLINE', 'ERR_CANCELLED'])
    expect((await killBash.execute({ bash_id: id }, context('c1'))).status).toBe('killed')
    expect(processesWith(marker)).toEqual([])
  })
})

describe('release', () => {
  fleetTest('removes nothing after its time', async () => {
    const sender = await Sender.of(await TestFleet.start())
    const { fleet } = sender
    await (await fleet.client()).tool().execute({ command: 'touch file' }, context('c1'))
    const answer = await sender.control({ operation: 'release', tool: 'KillBash', input: null, ...late })

    expect(answer).toBe('ERR_DEADLINE')
    expect(existsSync(join(fleet.workspaces('w1'), conversationName(undefined, 'c1'), 'file'))).toBe(true)
  })

  fleetTest('that was refused stays so, whoever sends its bytes again', async () => {
    const sender = await Sender.of(await TestFleet.start())
    const { fleet } = sender
    const running = (await fleet.client()).tool().execute({ command: fleet.waiting('a') }, context('c1'))
    await fleet.begun('a')
    const sending = 'c'.repeat(32)
    const request = { operation: 'release', tool: 'KillBash', input: null, sending } as const
    const first = await sender.control(request)
    fleet.go('a')
    await running
    await fleet.redis.client.del(`{bw:w1}:ans:${sending}`)
    const again = await sender.control(request)
    const next = await (await fleet.client()).tool().execute({ command: 'ls' }, context('c1'))

    expect([first, again]).toEqual(['ERR_BUSY', 'not answered'])
    expect(next.status).toBe('completed')
  })
})
