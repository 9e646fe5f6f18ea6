// The process that answers a command's calls is stopped, has more to do than it can, or loses its callers: calls wait,
// nothing is let through, and the call keeps its timeout.
import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RunOptions, run } from '../../lib/index.js'
import { killHosts, runHost } from '../support/host.js'
import { killLeftovers, processesWith, stateOf, uniqueSleep, waitUntilGone } from '../support/processes.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { waitFor } from '../support/wait-for.js'
import { attackPath, makeVictim } from './attack-program.js'
import { testWorkspace } from './workspace-hosts.js'

afterEach(killHosts)
afterEach(killLeftovers)
afterAll(removeTempDirs)

const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8)

/** A workspace with a file `mine`, 0644. */
const makeWorkspace = (): { workspace: string; mine: string } => {
  const workspace = tempDir()
  const mine = join(workspace, 'mine')
  writeFileSync(mine, 'mine\n')
  chmodSync(mine, 0o644)
  return { workspace, mine }
}

const inWorkspace = (cwd: string, more: Partial<RunOptions> = {}): RunOptions => ({
  cwd,
  sandbox: 'workspace',
  timeout: 60_000,
  ...more,
})

/** Stops the supervisor, whose pid the command prints first, and then has the command go on. */
const stopFirst = (workspace: string, onStop: (supervisor: number) => void = () => {}) => {
  let output = ''
  return ({ text }: { text: string }) => {
    output += text
    const [, digits] = /^(\d+)\n/.exec(output) ?? []
    const pid = Number(digits)
    if (!(pid > 1) || existsSync(join(workspace, 'go'))) return
    process.kill(pid, 'SIGSTOP')
    writeFileSync(join(workspace, 'go'), '')
    onStop(pid)
  }
}

const AWAIT_GO = 'echo $PPID; until [ -e go ]; do sleep .02; done'

testWorkspace('calls wait for a supervisor that is stopped, and are made when it goes on', async () => {
  const { workspace, mine } = makeWorkspace()
  const marker = uniqueSleep()
  const name = `file-${marker}`
  writeFileSync(join(workspace, name), '')
  let waited = false
  const whileStopped = async (supervisor: number): Promise<void> => {
    try {
      // The caller is there, and does not come back.
      await waitFor(
        () => processesWith(name).some(({ args, state }) => args[0] === 'chmod' && state !== 'R'),
        {
          what: 'chmod to wait',
        },
      )
      waited = stateOf(supervisor) === 'T' && modeOf(join(workspace, name)) === '644'
    } finally {
      process.kill(supervisor, 'SIGCONT')
    }
  }
  let stopped: Promise<void> | undefined
  const result = await run(
    `${AWAIT_GO}; chmod 600 ${name} && echo changed`,
    inWorkspace(workspace, { onOutput: stopFirst(workspace, (pid) => (stopped = whileStopped(pid))) }),
  )
  await stopped

  expect(waited).toBe(true)
  expect(result).toMatchObject({ status: 'completed', exitCode: 0 })
  expect(result.output).toContain('changed')
  expect(modeOf(join(workspace, name))).toBe('600')
  expect(modeOf(mine)).toBe('644')
})

testWorkspace('a supervisor that stays stopped lets nothing through, and the timeout holds', async () => {
  const { workspace, mine } = makeWorkspace()
  const victim = makeVictim()
  const marker = uniqueSleep()
  const result = await run(
    `${AWAIT_GO}; chmod 600 mine & chmod 777 '${victim.path}' & sleep ${marker}; wait`,
    inWorkspace(workspace, { timeout: 1000, termGraceMs: 100, onOutput: stopFirst(workspace) }),
  )

  expect(['timed_out', 'error']).toContain(result.status)
  // It goes on for as long as it takes to be killed.
  expect(['644', '600']).toContain(modeOf(mine))
  expect(victim.isTouched()).toBe(false)
  await waitUntilGone(marker)
})

testWorkspace('twenty processes that make a thousand calls each are all answered', async () => {
  const { workspace, mine } = makeWorkspace()
  const victim = makeVictim()
  const program = attackPath()
  const command = `'${program}' flood mine 20 1000 & '${program}' flood '${victim.path}' 1 1000; wait $!; echo $?; '${program}' fchmodat mine`
  const result = await run(command, inWorkspace(workspace))

  // The flood inside and the one outside end in any order.
  expect(result.output.split('\n').filter(Boolean).sort()).toEqual(['0', 'EPERM', 'ok', 'ok'])
  expect(victim.isTouched()).toBe(false)
  expect(modeOf(mine)).toBe('777')
})

testWorkspace('callers that are killed in the middle of a call do no harm', async () => {
  const { workspace, mine } = makeWorkspace()
  const result = await run(`'${attackPath()}' die-waiting mine 500`, inWorkspace(workspace))

  expect(result.output).toBe('ok\n')
  expect(modeOf(mine)).toBe('604')
})

testWorkspace("the command's own limits are not those of what answers it", async () => {
  const { workspace, mine } = makeWorkspace()
  const victim = makeVictim()
  const program = attackPath()
  const result = await run(
    `ulimit -n 4; ulimit -f 0; ulimit -u 1 2>/dev/null; ulimit -v 200000; '${program}' fchmodat mine; exec '${program}' fchmodat '${victim.path}'`,
    inWorkspace(workspace),
  )

  expect(result.output).toContain('EPERM')
  expect(victim.isTouched()).toBe(false)
  expect(['644', '777']).toContain(modeOf(mine))
})

testWorkspace('without memory the kernel ends the command before what answers it', async () => {
  const { workspace } = makeWorkspace()
  const { output } = await run(
    'cat /proc/self/oom_score_adj "/proc/$PPID/oom_score_adj"',
    inWorkspace(workspace),
  )
  const [command, supervisor] = output.trim().split('\n').map(Number)

  // A host that is ended first has its commands with it.
  expect(command).toBeGreaterThanOrEqual(Math.min(Number(supervisor) + 1, 1000))
})

interface Outcome {
  status?: string
  output?: string
  thrown?: { code: string }
}

testWorkspace(
  'a host with few descriptors runs the command or says why not, and lets nothing through',
  async () => {
    const { workspace } = makeWorkspace()
    const victim = makeVictim()
    const options = { cwd: workspace, sandbox: 'workspace', timeout: 20_000 }
    const command = `chmod 640 mine && echo changed; chmod 777 '${victim.path}' && echo through`
    const seen: string[] = []
    for (const limit of [64, 40, 32, 28, 26, 24, 22, 20]) {
      const words = ['prlimit', `--nofile=${limit}:${limit}`]
      const hosted = runHost<{ results: Outcome[] }>('run-commands', {
        prefix: words,
        argument: { commands: [{ command, options }] },
      })
      // Node itself does not start with too few.
      const results = await hosted.then((value) => value.results).catch(() => [])
      for (const { status, output, thrown } of results) {
        expect(output ?? '').not.toContain('through')
        seen.push(thrown?.code ?? status ?? '')
        // It was made, or refused for want of descriptors.
        if (thrown === undefined && status === 'failed') expect(output).toMatch(/chmod: /)
      }
      expect(victim.isTouched()).toBe(false)
    }
    expect(seen[0]).toBe('failed')
  },
  120_000,
)
