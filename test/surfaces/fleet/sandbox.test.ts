// What a call may ask of a worker's policy: less, and never more, whatever the worker and the call say.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type CheckedPolicy,
  checkPolicyChanges,
  checkSandbox,
  domainsOf,
  type SandboxMode,
  type SandboxPolicy,
  sandboxOfMode,
} from '../../../lib/guard/sandbox/policy.js'
import { strictest } from '../../../lib/surfaces/fleet/worker/sandbox.js'
import { cannotTest } from '../../support/must-work.js'
import { whyNotRestricted } from '../../support/restricted.js'
import { endFleets, fleetTest } from './describe-fleet.js'
import { context, TestFleet } from './test-fleet.js'

endFleets()

const directory = '/srv/ws/c1'

interface Worker {
  sandbox: SandboxMode
  workspace?: Partial<SandboxPolicy>
}

const workers: Worker[] = [
  { sandbox: 'unrestricted' },
  { sandbox: 'restricted' },
  { sandbox: 'workspace' },
  { sandbox: 'workspace', workspace: { unreadable: [] } },
  { sandbox: 'workspace', workspace: { writable: ['/srv/shared'], unreadable: ['default', '/srv/secret'] } },
  { sandbox: 'workspace', workspace: { network: { domains: ['a.example', '*.b.example'] } } },
  { sandbox: 'workspace', workspace: { loopback: false, unixSockets: false, sharedMemory: true } },
  { sandbox: 'workspace', workspace: { protect: ['.git/hooks'] } },
  { sandbox: 'workspace', workspace: { hostCode: 'refuse' } },
]

/** Each field with every value that may mean something else, and all of them in one. */
const values: { [Name in keyof SandboxPolicy]-?: SandboxPolicy[Name][] } = {
  writable: [
    [],
    ['.'],
    [directory],
    ['/srv/shared'],
    ['/etc'],
    ['/srv/ws'],
    ['sub'],
    [`${directory}/sub`],
    ['~'],
  ],
  unreadable: [[], 'default', ['default', '/etc/passwd'], ['/srv/other']],
  protect: [[], 'default', ['Makefile']],
  network: [
    false,
    { domains: ['a.example'] },
    { domains: ['x.b.example'] },
    { domains: ['*.c.example'] },
    { domains: ['a.example:22'] },
  ],
  loopback: [true, false],
  unixSockets: [true, false],
  sharedMemory: [true, false],
  hostCode: ['report', 'refuse'],
}
const policies = Object.entries(values).flatMap(([name, each]) => each.map((value) => ({ [name]: value })))
const all = { writable: ['.'], network: { domains: ['a.example'] }, loopback: true, sharedMemory: true }
const asked: (SandboxMode | SandboxPolicy | undefined)[] = [
  ...[undefined, 'unrestricted', 'restricted', 'workspace'],
  ...[{}, ...policies, all, { ...all, unreadable: 'default' }],
] as (SandboxMode | SandboxPolicy | undefined)[]

/** What it comes to on that worker, where the directory is the conversation's; undefined: everything is allowed. */
const policyOf = ({ workspace }: Worker, sandbox: SandboxMode | SandboxPolicy): CheckedPolicy | undefined => {
  const checked = checkSandbox('sandbox', sandbox)
  const changes = checkPolicyChanges('workspace', workspace ?? {})
  const policy = typeof checked === 'string' ? sandboxOfMode(checked, changes).policy : checked
  if (policy === undefined) return undefined
  const own = checked === 'workspace' ? ['.', ...(workspace?.writable ?? [])] : policy.writable
  return { ...policy, writable: own.map((path) => (path === '.' ? directory : path)) }
}

/** Whether everything that one forbids the other forbids, too. */
const forbidsAll = (strict: CheckedPolicy | undefined, loose: CheckedPolicy | undefined): boolean => {
  if (loose === undefined) return true
  if (strict === undefined) return false
  const isWithin = (some: readonly string[], more: readonly string[]) =>
    some.every((each) => more.includes(each))
  return (
    isWithin(strict.writable, loose.writable) &&
    isWithin(loose.unreadable, strict.unreadable) &&
    (strict.writable.length === 0 || isWithin(loose.protect, strict.protect)) &&
    (strict.writable.length === 0 || loose.hostCode === 'report' || strict.hostCode === 'refuse') &&
    isWithin(domainsOf(strict), domainsOf(loose)) &&
    (['loopback', 'unixSockets', 'sharedMemory'] as const).every((flag) => loose[flag] || !strict[flag])
  )
}

describe.each(workers)('on a worker with %j', (worker) => {
  const own = policyOf(worker, worker.sandbox)

  test.each(asked)('a call that asks for %j has what both allow, or is refused', (wanted) => {
    const given = wanted === undefined ? worker.sandbox : policyOf(worker, wanted)
    let result: SandboxMode | SandboxPolicy
    try {
      result = strictest(worker as never, wanted, { directory, base: directory })
    } catch (error) {
      expect(error).toMatchObject({ code: 'ERR_INVALID_INPUT' })
      // Nobody is refused who asks for less, but for what is less only to somebody who knows the directories.
      if (typeof given === 'object' && given.writable.length > 0) return
      expect(
        typeof given === 'object' && forbidsAll({ ...given, unreadable: own?.unreadable ?? [] }, own),
      ).toBe(false)
      return
    }
    const got = policyOf(worker, result)

    expect(forbidsAll(got, own)).toBe(true)
    if (typeof given === 'object' || given === undefined) expect(forbidsAll(got, given)).toBe(true)
  })
})

test('the directory of a conversation is none for a call that runs further down, which a link may have replaced', () => {
  const worker = { sandbox: 'workspace', workspace: undefined } as never

  expect(strictest(worker, { writable: ['.'] }, { directory, base: directory })).toMatchObject({
    writable: [directory],
  })
  expect(() => strictest(worker, { writable: ['.'] }, { directory, base: `${directory}/sub` })).toThrow(
    'only be stricter',
  )
})

fleetTest(
  'a call in Restricted mode reads nothing that its worker in Workspace mode keeps from it',
  async () => {
    const obstacle = await whyNotRestricted()
    if (obstacle !== undefined) return cannotTest(obstacle)
    const fleet = await TestFleet.start({ workers: [] })
    const secret = join(fleet.directory, 'private')
    writeFileSync(secret, 'hidden\n')
    await fleet.worker('w1', ['--workspace', '--unreadable', secret])
    const bash = (await fleet.client()).tool()
    const command = `cat ${secret}`
    const results = [
      await bash.execute({ command }, context('c1')),
      await bash.execute({ command }, context('c1', { sandbox: 'restricted' })),
      await bash.execute({ command }, context('c1', { sandbox: { loopback: true } })),
      await bash.execute({ command: 'touch file' }, context('c1', { sandbox: 'restricted' })),
    ]

    expect(results.map(({ status, error }) => error?.message ?? status)).toEqual(Array(4).fill('failed'))
    expect(results.map(({ output }) => output).join()).not.toContain('hidden')
    expect(results.map(({ sandbox }) => sandbox)).toEqual(['workspace', 'custom', 'custom', 'custom'])
  },
)
