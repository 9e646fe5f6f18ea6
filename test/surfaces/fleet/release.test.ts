// Releases that stop half-way, and those that come too late: a conversation is there as it was, or it is gone.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { conversationName } from '../../../lib/surfaces/fleet/names.js'
import { cannotTest } from '../../support/must-work.js'
import { processesWith, uniqueSleep, waitForSleep } from '../../support/processes.js'
import { waitFor } from '../../support/wait-for.js'
import { endFleets, fleetTest } from './describe-fleet.js'
import { Sender } from './forged-sender.js'
import { context, TestFleet } from './test-fleet.js'

endFleets()

const name = conversationName(undefined, 'c1')
const release = { operation: 'release', tool: 'KillBash', input: null } as const

/** What a conversation has on the disk of w1, by the directories of all of them. */
const left = (fleet: TestFleet): string[] => {
  const state = fleet.state('w1')
  const places = [
    fleet.workspaces('w1'),
    ...['output', 'jobs', 'sessions', 'held'].map((part) => join(state, part)),
  ]
  return places.filter((place) => existsSync(join(place, name)))
}

const used = async () => {
  const fleet = await TestFleet.start({ workers: [] })
  const worker = await fleet.worker('w1')
  const client = await fleet.client()
  const { bash } = client.suite()
  await bash.execute({ command: 'x=1; touch file' }, context('c1'))
  return { fleet, worker, client, bash }
}

fleetTest('a release whose client was killed before Redis heard of it is ended by the next one', async () => {
  const { fleet, client, bash } = await used()
  const answer = await (await Sender.of(fleet)).control(release)
  const refused = await bash.execute({ command: fleet.noting('a') }, context('c1'))
  const again = await client.release('c1')
  const next = await bash.execute({ command: 'echo "${x-nothing}"; ls' }, context('c1'))

  expect([answer, again]).toEqual(['ran', true])
  expect(refused.error).toMatchObject({
    code: 'ERR_FENCED',
    message: expect.stringContaining('release it once more'),
  })
  expect(next).toMatchObject({ status: 'completed', output: 'nothing\n' })
  expect(fleet.runs('a')).toBe(0)
})

fleetTest('a release whose worker was killed goes on when it is there again', async () => {
  const { fleet, worker, client, bash } = await used()
  const marker = uniqueSleep()
  await bash.execute({ command: `sleep ${marker}; true`, run_in_background: true }, context('c1'))
  await waitForSleep(marker)
  worker.kill('SIGKILL')
  await worker.exited()
  // As a release leaves it that stops after its first step: its record is on the disk, and nothing else is done.
  const [binding = ''] = await fleet.redis.client.keys('bw:conv:*')
  const epoch = (await fleet.redis.client.hget(binding, 'epoch')) ?? ''
  const { Holdings } = await import('../../../lib/surfaces/fleet/worker/holdings.js')
  const { Tombstones } = await import('../../../lib/surfaces/fleet/worker/tombstones.js')
  const state = fleet.state('w1')
  new Holdings(join(state, 'held'), new Tombstones(join(state, 'released'))).release(name, epoch)
  await fleet.worker('w1')
  await waitFor(() => left(fleet).length === 0, { what: 'nothing to be left' })

  expect(processesWith(marker)).toEqual([])
  expect(await client.release('c1')).toBe(true)
  expect(await bash.execute({ command: 'ls' }, context('c1'))).toMatchObject({
    status: 'completed',
    output: '',
  })
})

fleetTest(
  'what a release cannot remove is told, is nobody’s meanwhile, and goes with the next one',
  async () => {
    const { fleet, client, bash } = await used()
    const directory = join(fleet.workspaces('w1'), name)
    // Deeper than is removed.
    const deep = `for i in {1..210}; do mkdir d; cd d; done`
    if ((await bash.execute({ command: deep }, context('c1'))).status !== 'completed')
      return cannotTest('no depth')
    const failed = await client.release('c1').catch((error) => error)
    const refused = await bash.execute({ command: fleet.noting('a') }, context('c1'))
    // Somebody helps.
    const { rmSync } = await import('node:fs')
    rmSync(directory, { recursive: true })

    expect(failed).toMatchObject({
      code: 'ERR_INTERNAL',
      message: expect.stringContaining('released once more'),
    })
    expect(refused.error?.code).toBe('ERR_FENCED')
    expect(await client.release('c1')).toBe(true)
    expect(left(fleet)).toEqual([])
    expect((await bash.execute({ command: 'ls' }, context('c1'))).output).toBe('')
    expect(fleet.runs('a')).toBe(0)
  },
)

fleetTest('a release of an earlier binding removes nothing, also when Redis went back in time', async () => {
  const { fleet, client, bash } = await used()
  const sender = await Sender.of(fleet)
  const [binding = ''] = await fleet.redis.client.keys('bw:conv:*')
  const before = await fleet.redis.client.hgetall(binding)
  await client.release('c1')
  await bash.execute({ command: 'touch newer' }, context('c1'))
  const stale = await sender.control(release)
  await fleet.redis.client.hset(binding, before)
  const afterwards = await sender.control(release)

  expect([stale, afterwards]).toEqual(['ERR_FENCED', 'ERR_FENCED'])
  expect(readdirSync(join(fleet.workspaces('w1'), name))).toEqual(['newer'])
})

fleetTest('a call that comes while a release runs begins with nothing of what was there', async () => {
  const { fleet, client } = await used()
  const directory = join(fleet.workspaces('w1'), name)
  // Takes a while to remove.
  for (let each = 0; each < 500; each += 1) {
    mkdirSync(join(directory, `d${each}`))
    writeFileSync(join(directory, `d${each}`, 'file'), '')
  }
  const released = client.release('c1').catch(() => false)
  const other = (await fleet.client()).tool()
  const command = "ls | grep -c '^d'; touch new"
  const results = await Promise.all([1, 2, 3, 4].map(() => other.execute({ command }, context('c1'))))
  await released
  const counts = results.filter(({ error }) => error === undefined).map(({ output }) => output)

  // Before the release all of it is there, and after it nothing.
  expect(counts.filter((count) => !['0\n', '500\n'].includes(count))).toEqual([])
})
