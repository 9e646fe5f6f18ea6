// No file gets set-id bits when it is made, also where there is no workspace: in a scratch directory and in shared memory.
import type { BashResult } from '../../lib/commands/run/result.js'
import { directoryOf, users } from '../guard/sandbox/sandbox-hosts.js'
import { killHosts, runHost } from '../support/host.js'
import { cannotTest } from '../support/must-work.js'
import { whyNotRestricted } from '../support/restricted.js'
import { removeTempDirs } from '../support/temp-dir.js'
import { attackPath } from './attack-program.js'
import { whyNoWorkspace } from './workspace-hosts.js'

afterEach(killHosts)
afterAll(removeTempDirs)

const ways = ['open', 'openat', 'openat-setgid', 'openat2', 'creat', 'mknod', 'mknodat', 'tmpfile']

/** Tries all ways in a new directory there, names what has the bits, and removes it. */
const tryAll = (program: string, parent: string): string =>
  `d=$(mktemp -d "${parent}/bashward-set-id-XXXXXX") && cd "$d" || exit 9\n` +
  `for way in ${ways.join(' ')}; do '${program}' make-set-id $way "$PWD/$way"; done\n` +
  'find . -perm /6000 -printf "made %f\\n"; touch ordinary; ls ordinary; cd ..; rm -rf "$d"'

const made = ({ output }: BashResult): string[] => output.match(/(?<=^made ).*/gm)?.sort() ?? []

describe.each(users)('as $user', ({ ordinaryUser }) => {
  const runAs = async (command: string, options: object): Promise<BashResult> => {
    const cwd = directoryOf(ordinaryUser)
    const { results } = await runHost<{ results: [BashResult] }>('run-commands', {
      ordinaryUser,
      argument: { commands: [{ command, options: { cwd, ...options } }] },
    })
    return results[0]
  }

  test.each([
    ['a scratch directory of Restricted mode', '$TMPDIR', { sandbox: 'restricted', scratch: true }],
    ['a policy with shared memory alone', '/dev/shm', { sandbox: { sharedMemory: true } }],
    [
      'shared memory beside a scratch directory',
      '/dev/shm',
      { sandbox: { sharedMemory: true }, scratch: true },
    ],
  ])('in %s', async (_, parent, options) => {
    const program = attackPath()
    if (program === undefined) return cannotTest('there is no C compiler')
    const reason = (await whyNotRestricted()) ?? (await whyNoWorkspace())
    if (reason !== undefined) return cannotTest(reason)

    const result = await runAs(tryAll(program, parent), options)

    expect(result.output).toMatch(/^ordinary$/m)
    expect(made(result)).toEqual([])
  })

  test('without a sandbox each way makes one', async () => {
    const program = attackPath()
    if (program === undefined) return cannotTest('there is no C compiler')
    const directory = directoryOf(ordinaryUser)

    const result = await runAs(tryAll(program, directory), {})

    // Some file systems have no files without a name.
    expect(made(result)).toEqual(expect.arrayContaining(ways.filter((way) => way !== 'tmpfile')))
  })
})
