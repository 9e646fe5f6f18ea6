// Each system call of what answers a command's calls fails, and goes on to fail: nothing outside is changed, no call is
// said to have been made that was not, and the command gets an error, or none is run.
import { chmodSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ordinaryOwner } from '../support/as-user.js'
import { killHosts, runHost } from '../support/host.js'
import { casesInTurn } from '../support/in-turns.js'
import { cannotTest } from '../support/must-work.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { attackPath, makeVictim } from './attack-program.js'
import { buildFixture } from './build-fixture.js'
import { users, whyNoWorkspace } from './workspace-hosts.js'

afterEach(killHosts)
afterAll(removeTempDirs)

const opening = ['EACCES', 'EMFILE', 'ENFILE', 'ENOMEM', 'EIO']

const faults: Record<string, string[]> = {
  process_vm_readv: ['EPERM', 'ENOSYS', 'ENOMEM'],
  openat2: ['EMFILE', 'ENOSYS', 'EPERM', 'ENOMEM'],
  'opening by a path alone': opening,
  readlinkat: ['EACCES', 'ENOMEM'],
  // Without any other error of it there is no Node.
  statx: ['ENOSYS'],
  fchmodat: ['EACCES', 'EIO', 'EPERM', 'ENOSYS'],
  fchownat: ['EACCES', 'EIO', 'EPERM'],
  utimensat: ['EACCES', 'EIO', 'EPERM'],
  setxattr: ['EACCES', 'EIO', 'ENOSYS'],
  'validating a notification': ['ENOENT', 'EPERM'],
  'a listener': ['EINVAL', 'EACCES', 'ENOMEM', 'ENFILE'],
  'sizes of notifications': ['ENOSYS', 'EPERM'],
  close_range: ['ENOSYS', 'EMFILE', 'ENOMEM', 'EPERM'],
  unshare: ['EPERM', 'ENOMEM'],
}

/** Nobody answers then, and what was asked waits until it is killed: these take as long as the trial may. */
const lastingFaults: Record<string, string[]> = {
  'receiving a notification': ['EINVAL'],
  'answering a notification': ['EINVAL'],
}

const casesOf = (table: Record<string, string[]>): [string, string][] =>
  Object.entries(table).flatMap(([call, errors]) => errors.map((error): [string, string] => [call, error]))

interface Outcome {
  status?: string
  output?: string
  error?: { code: string }
  thrown?: { name: string; code: string; message: string }
}

const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8)

const refuseCall = buildFixture('refuse-call')

/** The lines of the attack program, in the order of what they are about. */
const linesOf = ({ output = '' }: Outcome): Record<string, string> =>
  Object.fromEntries(
    [...output.matchAll(/^(\w+): (.*)$/gm)].map(([, name = '', outcome = '']) => [name, outcome]),
  )

const tryFault = async (call: string, error: string, ordinaryUser: boolean): Promise<void> => {
  const program = attackPath()
  if (program === undefined || refuseCall === undefined) return cannotTest('there is no C compiler')
  const reason = await whyNoWorkspace()
  if (reason !== undefined) return cannotTest(reason)
  const owner = ordinaryUser ? ordinaryOwner : undefined
  const workspace = tempDir({ owner })
  const mine = join(workspace, 'mine')
  const victim = makeVictim(owner)
  const probe = (name: string, word: string, path: string): string =>
    `printf '${name}: %s\\n' "$('${program}' ${word} '${path}')"`
  const command = [
    ': >mine',
    probe('mode', 'chmod', mine),
    probe('times', 'utimensat', mine),
    ...['chmod', 'fchmod', 'chown', 'fchownat', 'utimensat', 'setxattr', 'truncate'].map((word) =>
      probe(`outside_${word}`, word, victim.path),
    ),
  ].join('\n')
  const options = { cwd: workspace, sandbox: 'workspace', scratch: false, timeout: 20_000 }
  const { results } = await runHost<{ results: Outcome[] }>('run-commands', {
    ordinaryUser,
    prefix: [refuseCall, call, error],
    argument: { commands: [{ command, options }] },
  })
  const [result = {}] = results
  const lines = linesOf(result)

  expect(victim.isTouched()).toBe(false)
  const outside = Object.entries(lines).filter(([name]) => name.startsWith('outside'))
  expect(outside.filter(([, outcome]) => outcome === 'ok')).toEqual([])
  expect(lines.mode === 'ok').toBe(lines.mode !== undefined && modeOf(mine) === '777')
  if (lines.times === 'ok') expect(statSync(mine).mtimeMs).toBe(1000)
  if (result.thrown !== undefined) expect(result.thrown.name).toBe('BashError')
  else expect(['completed', 'failed', 'error']).toContain(result.status)
}

describe.each(users)('as $user', ({ ordinaryUser }) => {
  const cases = casesInTurn(casesOf(faults), Number(ordinaryUser), users.length)
  test.each(cases)('%s: %s', (call, error) => tryFault(call, error, ordinaryUser))
})

test.each(casesOf(lastingFaults))('%s: %s', (call, error) => tryFault(call, error, false), 60_000)

test('without a fault the same is done inside, and nothing outside', async () => {
  const program = attackPath()
  const reason = await whyNoWorkspace()
  if (program === undefined) return cannotTest('there is no C compiler')
  if (reason !== undefined) return cannotTest(reason)
  const workspace = tempDir()
  writeFileSync(join(workspace, 'mine'), '')
  chmodSync(join(workspace, 'mine'), 0o600)
  const { results } = await runHost<{ results: Outcome[] }>('run-commands', {
    argument: {
      commands: [
        {
          command: `'${program}' chmod mine; '${program}' chmod '${makeVictim().path}'`,
          options: { cwd: workspace, sandbox: 'workspace' },
        },
      ],
    },
  })

  expect(results).toMatchObject([{ output: 'ok\nEPERM\n' }])
  expect(modeOf(join(workspace, 'mine'))).toBe('777')
})
