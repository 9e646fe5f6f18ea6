// Whatever a command does to its own sockets, what answers its calls is not held up by that: calls about files are
// answered, others get their connections, and the command can be ended.
import { spawnSync } from 'node:child_process'
import type { BashResult } from '../../../lib/commands/run/result.js'
import { attackProgram } from '../../guard/sandbox/sandbox-hosts.js'
import { isRoot } from '../../support/as-user.js'
import { killHosts, runHost, startHost } from '../../support/host.js'
import { cannotTest, onlyRootCanTest } from '../../support/must-work.js'
import { killLeftovers, uniqueSleep, waitUntilGone } from '../../support/processes.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { directoryOf, environmentOf, users, whyNoWorkspace } from '../workspace-hosts.js'

const program = attackProgram()

afterEach(killHosts)
afterEach(killLeftovers)
afterAll(removeTempDirs)

/** A network namespace in which no queue has room for more than one connection. */
const oneInQueues = [
  'unshare',
  '--net',
  'bash',
  '-c',
  'ip link set lo up && echo 1 >/proc/sys/net/core/somaxconn && exec "$@"',
  'bash',
]

/** Why there is none; '' when there is. */
const obstacle = (): string => {
  const [name = '', ...words] = oneInQueues
  const { status, stderr, error } = spawnSync(name, [...words, 'true'], { encoding: 'utf8' })
  return status === 0 ? '' : `there can be no network namespace with short queues: ${error ?? stderr}`
}

/** Whether the test was left, with the reason printed. */
const isLeft = async ({ ofNamespace }: { ofNamespace: boolean }): Promise<boolean> => {
  const reason = await whyNoWorkspace()
  if (reason !== undefined) cannotTest(reason)
  else if (program === undefined) cannotTest('there is no C compiler')
  else if (ofNamespace && !isRoot) onlyRootCanTest('only root makes network namespaces')
  else if (ofNamespace && obstacle() !== '') cannotTest(obstacle())
  else return false
  return true
}

const attempts = [
  { way: 'O_NONBLOCK, which the command clears meanwhile', attack: 'flag', words: '', ofNamespace: true },
  { way: 'SO_LINGER, by which closing takes an hour', attack: 'closing', words: '60', ofNamespace: false },
]

describe.each(users)('as $user', ({ ordinaryUser }) => {
  describe.each(attempts)('$way', ({ attack, words, ofNamespace }) => {
    test('holds up no call about a file, and not the end of the command', async () => {
      if (await isLeft({ ofNamespace })) return
      const marker = uniqueSleep()
      const cwd = directoryOf(ordinaryUser)
      const command = `echo $PPID; echo >mine; '${program}' hold-by-${attack} ${words} & until [ -e go ]; do sleep .02; done
'${program}' flood mine 2 500; echo answered; sleep ${marker}`
      const { status, lines } = await runHost<{ status: string; lines: string[] }>('held-broker', {
        ordinaryUser,
        ...(ofNamespace && { outerPrefix: oneInQueues }),
        argument: { command, options: { cwd, sandbox: 'workspace', timeout: 120_000, termGraceMs: 100 } },
      })

      expect({ status, lines }).toEqual({ status: 'cancelled', lines: ['ok', 'answered'] })
      await waitUntilGone(marker)
    }, 180_000)

    test('holds up whoever makes such calls without care', async () => {
      if (await isLeft({ ofNamespace: false })) return
      const command = `'${program}' holding-by-${attack}`
      const options = { cwd: directoryOf(ordinaryUser), timeout: 90_000 }
      const { results } = await runHost<{ results: BashResult[] }>('run-commands', {
        ordinaryUser,
        argument: { commands: [{ command, options }] },
      })

      expect(results).toMatchObject([{ status: 'completed', output: 'ok\n' }])
    }, 120_000)
  })

  test('clients that wait for room in a queue hold up no others, and get in when there is some', async () => {
    if (await isLeft({ ofNamespace: true })) return
    const others = `const { createServer } = require("http")
const ask = async (n, url) => { for (let i = 0; i < n; i++) process.stdout.write(await (await fetch(url)).text()) }
createServer((_, a) => a.end("x")).listen(0, "127.0.0.1", async function () { await ask(20, "http://127.0.0.1:" + this.address().port); this.close(); console.log() })`
    const work = {
      name: 'queue',
      needs: ['node'],
      command: `'${program}' fill-queue 8 >full & until [ -e filled ]; do sleep .02; done
node -e '${others}'; echo >mine; '${program}' flood mine 2 200; chmod 600 mine; >go; wait; cat full`,
    }
    const host = startHost('workspace-compare', {
      ordinaryUser,
      env: environmentOf(ordinaryUser),
      outerPrefix: oneInQueues,
      argument: { directory: directoryOf(ordinaryUser), given: [work] },
    })
    const { unrestricted, workspace } = await host.report<Record<string, BashResult>>('queue')
    await host.exited()

    expect(unrestricted).toMatchObject({
      status: 'completed',
      output: `${'x'.repeat(20)}\nok\nsome waited\nok\n`,
    })
    expect(workspace).toEqual(unrestricted)
  }, 180_000)
})
