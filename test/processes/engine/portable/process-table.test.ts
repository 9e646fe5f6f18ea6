import { spawn } from 'node:child_process'
import { startTimeFromPs } from '../../../../lib/base/util/process-identity.js'
import { fromPs, livingMembers } from '../../../../lib/processes/engine/portable/process-table.js'
import { killLeftovers, uniqueSleep, waitForSleep } from '../../../support/processes.js'

afterEach(killLeftovers)

/** A shell that leads a session, with a child in its group and one in a group of its own. */
const startGroup = async () => {
  const marker = uniqueSleep()
  const command = `sleep ${marker} & set -m; sleep ${marker} & wait`
  const { pid = 0 } = spawn('bash', ['-c', command], { detached: true, stdio: 'ignore' })
  const sleeps = (await waitForSleep(marker, 2)).map((sleep) => sleep.pid)
  return { pid, sleeps, marker }
}

test('/proc tells the members of a session, with their commands', async () => {
  const { pid, sleeps, marker } = await startGroup()
  const members = livingMembers(pid)

  expect(members.map((member) => member.pid).sort()).toEqual([pid, ...sleeps].sort())
  expect(members.filter(({ command }) => command === `sleep ${marker}`)).toHaveLength(2)
  expect(new Set(members.map(({ pgid }) => pgid)).size).toBe(2)
})

test('ps tells the members of a group', async () => {
  const { pid, sleeps, marker } = await startGroup()
  const members = fromPs(pid)

  expect(members).toHaveLength(2)
  expect(members).toContainEqual({ pid: expect.any(Number), pgid: pid, command: `sleep ${marker}` })
  expect([pid, ...sleeps]).toEqual(expect.arrayContaining(members.map((member) => member.pid)))
})

test('ps tells when a process started, and nothing of one that there is not', () => {
  const startedAt = startTimeFromPs(process.pid) ?? 0

  expect(Math.abs(startedAt - (Date.now() / 1000 - process.uptime()))).toBeLessThan(60)
  expect(startTimeFromPs(2 ** 22 + 1)).toBeUndefined()
})
