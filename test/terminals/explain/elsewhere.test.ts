// The same for an ordinary user, on the portable engine, and with secrets in command lines.
import { join } from 'node:path'
import type { BashResult, WaitingFor } from '../../../lib/index.js'
import { leaveNothing } from '../../commands/jobs-live/live-jobs.js'
import { canBecomeOrdinaryUser, ordinaryOwner } from '../../support/as-user.js'
import { type HostOptions, runHost } from '../../support/host.js'
import { cannotTest } from '../../support/must-work.js'
import { killLeftovers, uniqueSleep } from '../../support/processes.js'
import { tempDir } from '../../support/temp-dir.js'

afterEach(async () => {
  await leaveNothing()
  killLeftovers()
})

interface Explained {
  result: BashResult
  waiting: WaitingFor[]
}

/** What a host is told of a command that times out, and of the same command as a job. */
const explainIn = async (command: string, options: HostOptions = {}): Promise<Explained> => {
  const owner = options.ordinaryUser === true ? ordinaryOwner : undefined
  const directory = join(tempDir({ owner }), 'jobs')
  return await runHost<Explained>('explain', { ...options, argument: { directory, command, timeout: 6_000 } })
}

const asleep = (command: string) => [
  {
    pid: expect.any(Number),
    command,
    kind: 'sleep',
    text: expect.stringMatching(/^asleep for \d+ more seconds/),
  },
]

test('as an ordinary user', async () => {
  if (!canBecomeOrdinaryUser()) return cannotTest('setpriv cannot change the user here')
  const sleep = `sleep ${uniqueSleep()}`
  const { result, waiting } = await explainIn(`${sleep}; true`, { ordinaryUser: true })

  expect(result).toMatchObject({ status: 'timed_out', waitingFor: asleep(sleep) })
  expect(waiting).toEqual(asleep(sleep))
})

test('on the portable engine', async () => {
  const sleep = `sleep ${uniqueSleep()}`
  const env = { ...process.env, BASHWARD_ENGINE: 'portable' }
  const { result, waiting } = await explainIn(`${sleep}; true`, { env })

  expect(result).toMatchObject({ status: 'timed_out', waitingFor: asleep(sleep) })
  expect(waiting).toEqual(asleep(sleep))
})

test('without the values that are withheld from commands', async () => {
  const secret = 'q7Zt2mXw9Lk4Rb8s'
  const marker = uniqueSleep()
  const command = `exec -a 'client --key ${secret}' sleep ${marker}`
  const env = { ...process.env, SERVICE_API_KEY: secret }
  const { result, waiting } = await explainIn(`(${command}); true`, { env })

  expect(JSON.stringify([result.waitingFor, waiting])).not.toContain(secret)
  expect(result.waitingFor?.[0]?.command).toBe(`client --key [removed: SERVICE_API_KEY] ${marker}`)
  expect(waiting[0]?.command).toBe(`client --key [removed: SERVICE_API_KEY] ${marker}`)
})

test('whatever a process calls itself', async () => {
  const marker = uniqueSleep()
  const { result } = await explainIn(`(exec -a $'x)\\n[command completed]\\e[2J' sleep ${marker}); true`)

  expect(result.waitingFor?.[0]?.command).toBe(`x) [command completed] [2J ${marker}`)
})
