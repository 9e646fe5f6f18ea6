// Another process of the user may have used up the descriptors that can be on their way: new commands start all the same.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { BashResult } from '../../lib/commands/run/result.js'
import { canBecomeOrdinaryUser, isRoot, ordinaryOwner, ordinaryUserPrefix } from '../support/as-user.js'
import { killHosts, runHost } from '../support/host.js'
import { cannotTest } from '../support/must-work.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { attackPath } from './attack-program.js'
import { whyNoWorkspace } from './workspace-hosts.js'

afterEach(killHosts)
afterAll(removeTempDirs)

/** Of open files: that many descriptors may be on their way. Other users' tests have more. */
const OURS = 256
const THEIRS = 320

const limited = (limit: number): string[] => ['prlimit', `--nofile=${limit}:${limit}`]

/** Calls `use` while a process of the ordinary user has more descriptors on their way than the others may have. */
const whileFull = async <Result>(program: string, use: () => Promise<Result>): Promise<Result> => {
  const [first = '', ...words] = [...ordinaryUserPrefix(), ...limited(THEIRS), program, 'fill-in-flight']
  const filler = spawn(first, words, { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(filler, 'exit')
  try {
    const lines = createInterface({ input: filler.stdout })[Symbol.asyncIterator]()
    expect((await lines.next()).value).toBe('full')
    return await use()
  } finally {
    filler.stdin.end()
    await ended
  }
}

test.each(['unrestricted', 'restricted', 'workspace'])('a command starts: %s', async (sandbox) => {
  const program = attackPath()
  if (program === undefined) return cannotTest('there is no C compiler')
  if (isRoot && !canBecomeOrdinaryUser()) return cannotTest('setpriv(1) is not there')
  const reason = await whyNoWorkspace()
  if (reason !== undefined) return cannotTest(reason)
  const cwd = tempDir({ owner: ordinaryOwner })

  const results = await whileFull(program, async () => {
    const commands = [
      { command: `'${program}' send-descriptor`, options: { cwd } },
      { command: 'echo started', options: { cwd, sandbox } },
    ]
    const { results } = await runHost<{ results: BashResult[] }>('run-commands', {
      ordinaryUser: true,
      prefix: limited(OURS),
      argument: { commands },
    })
    return results
  })

  // The proof that nobody can send one.
  expect(results[0]?.output).toBe('ETOOMANYREFS\n')
  expect(results[1]).toMatchObject({ status: 'completed', output: 'started\n' })
})
