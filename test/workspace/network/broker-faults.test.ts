// Each system call that is made for a command's sockets fails, and goes on to fail: nobody else's server is reached, and
// each of the command's own, and each host, either is or there is an error.
import { killHosts } from '../../support/host.js'
import { cannotTest } from '../../support/must-work.js'
import { killLeftovers } from '../../support/processes.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { users, whyNoWorkspace } from '../workspace-hosts.js'
import { type Case, casesOf, lastingFaults } from './fault-table.js'
import { closeServices, ownKinds, programs, type Trial, type TrialOptions, tryFaults } from './fault-trial.js'
import { closeServers } from './local-servers.js'

afterEach(killHosts)
afterEach(killLeftovers)
afterEach(closeServices)
afterEach(closeServers)
afterAll(removeTempDirs)

const attempts = [...ownKinds, 'allowed'] as const

const hasWorked = ({ lines }: Trial, name: string): boolean => ['ok', 'page'].includes(lines[name] ?? '')

/** Undefined where it cannot be tried. */
const trialOf = async (options: TrialOptions): Promise<Trial | undefined> => {
  const own = programs()
  const reason = own === undefined ? 'there is no C compiler' : await whyNoWorkspace()
  if (own !== undefined && reason === undefined) return await tryFaults(own, options)
  cannotTest(reason ?? '')
  return undefined
}

/** What holds whatever fails. */
const expectNothingWrong = ({ result, lines, arrivals }: Trial): void => {
  expect(arrivals).toMatchObject({ foreign: 0, foreignLocal: 0, denied: 0 })
  const outside = Object.entries(lines).filter(([name]) => name.startsWith('foreign'))
  expect(outside.filter(([, outcome]) => outcome === 'ok')).toEqual([])
  expect(lines.denied ?? '').not.toBe('denied')
  const own = ownKinds.map((kind) => lines[kind]).filter((outcome) => outcome !== undefined)
  // Reached, or the call that failed; never a success without a connection.
  for (const outcome of own) expect(outcome).toMatch(/^(ok|\w+: .+)$/)
  expect(['page', '', undefined]).toContain(lines.allowed)
  expect(arrivals.allowed).toBe(lines.allowed === 'page' ? 1 : 0)
  if (result.thrown === undefined) return
  expect(result.thrown).toMatchObject({ name: 'BashError', code: expect.stringMatching(/^ERR_SANDBOX_/) })
  if (result.thrown.code === 'ERR_SANDBOX_SETUP') expect(result.thrown.step).toMatch(/\w/)
}

const tryCase = async ({ faults, strikes }: Case, ordinaryUser: boolean): Promise<void> => {
  const trial = await trialOf({ faults, ordinaryUser })
  if (trial === undefined) return
  expectNothingWrong(trial)
  const { result } = trial
  if (strikes === 'refused') {
    expect(result).toMatchObject({ thrown: { code: 'ERR_SANDBOX_SETUP' } })
  } else if (strikes === 'killed') {
    expect(result).toMatchObject({ status: 'error', error: { code: expect.stringMatching(/_LOST$/) } })
  } else {
    expect(result.status).toBe('completed')
    expect(strikes.filter((name) => hasWorked(trial, name))).toEqual([])
    if (strikes.length === 0) expect(ownKinds.filter((kind) => !hasWorked(trial, kind))).toEqual([])
  }
}

describe.each(users)('as $user', ({ ordinaryUser }) => {
  const named = casesOf(ordinaryUser).map((its): [string, Case] => [
    its.faults.map((fault) => fault.join(': ')).join(', '),
    its,
  ])
  test.each(named)('%s', (_, its) => tryCase(its, ordinaryUser), 60_000)

  test('without a fault, all is reached that may be', async () => {
    const trial = await trialOf({ ordinaryUser })
    if (trial === undefined) return
    expectNothingWrong(trial)

    expect(trial.result.status).toBe('completed')
    expect(attempts.filter((name) => !hasWorked(trial, name))).toEqual([])
  })

  test('without a sandbox, all is reached', async () => {
    const trial = await trialOf({ ordinaryUser, sandbox: 'unrestricted' })
    if (trial === undefined) return

    expect(trial.arrivals).toEqual({ foreign: 2, foreignLocal: 1, allowed: 1, denied: 1 })
    expect(attempts.filter((name) => !hasWorked(trial, name))).toEqual([])
  })

  test('what makes as many sockets as it can, where few files may be open, comes to nobody else', async () => {
    const kinds = ['many', ...ownKinds]
    const trial = await trialOf({ ordinaryUser, kinds, prefix: ['prlimit', '--nofile=128:128'] })
    if (trial === undefined) return
    expectNothingWrong(trial)

    expect(trial.result.status).toBe('completed')
    expect(trial.lines.many).toMatch(/^(socket|bind): /)
  })

  test('what made many sockets, where few files may be open, leaves room for others', async () => {
    const kinds = ['many', 'tcp', 'tcp6', 'local', 'bound_again'] as const
    const trial = await trialOf({ ordinaryUser, kinds, prefix: ['prlimit', '--nofile=128:128'] })
    if (trial === undefined) return
    expectNothingWrong(trial)

    expect([...kinds.slice(1), 'allowed'].filter((name) => !hasWorked(trial, name))).toEqual([])
  })

  test('where there are no descriptors for any, none is reached', async () => {
    const faults = [
      ['a TCP socket', 'EMFILE'],
      ['a TCP socket over IPv6', 'EMFILE'],
      ['a local socket', 'EMFILE'],
      ['opening a file', 'EMFILE'],
    ] as const
    await tryCase(
      { faults, strikes: [...ownKinds.filter((kind) => kind !== 'routes'), 'allowed'] },
      ordinaryUser,
    )
  })
})

test.each(lastingFaults)(
  '%s: %s lasts no longer than the timeout',
  async (call, error) => {
    const trial = await trialOf({ faults: [[call, error]], timeout: 5_000 })
    if (trial === undefined) return
    expectNothingWrong(trial)

    expect(trial.result.status).toBe('timed_out')
  },
  60_000,
)

test.each(['a local socket', 'a thread of its own', 'eventfd2'])(
  '%s: ENFILE, found out before: Workspace mode is refused',
  async (call) => {
    const trial = await trialOf({ faults: [[call, 'ENFILE']], fromStart: true })
    if (trial === undefined) return
    expectNothingWrong(trial)

    expect(trial.result).toMatchObject({ thrown: { code: 'ERR_SANDBOX_UNAVAILABLE' } })
  },
)
