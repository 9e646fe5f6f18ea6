// When nobody answers a command's calls any more, they are not made: what is left of it can change nothing outside, and
// cannot answer them itself.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../lib/index.js'
import { killHosts, runHost } from '../support/host.js'
import { killLeftovers, processesWith, uniqueSleep, waitUntilGone } from '../support/processes.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { waitFor } from '../support/wait-for.js'
import { attackPath, makeVictim } from './attack-program.js'
import { testWorkspace } from './workspace-hosts.js'

afterEach(killHosts)
afterEach(killLeftovers)
afterAll(removeTempDirs)

/** Calls `use` with the supervisor's pid, which the command prints first. */
const whenStarted = (use: (supervisor: number) => void) => {
  let output = ''
  let told = false
  return ({ text }: { text: string }) => {
    output += text
    const [, pid] = /^(\d+)\n/.exec(output) ?? []
    if (told || pid === undefined || Number(pid) <= 1) return
    told = true
    use(Number(pid))
  }
}

/** A daemon that attacks when the file `go` is there, and says in files what came of it. */
const attackLater = (program: string, victim: string, marker: string): string =>
  `cat >attack.sh <<'END'
until [ -e go ]; do sleep .02; done
'${program}' answer-itself '${victim}' >listener
'${program}' fchmodat '${victim}' >mode
'${program}' fchmodat mine >own
mv own done
END
setsid -f bash attack.sh ${marker} >/dev/null 2>&1 </dev/null`

/** Whether the daemon has carried out its attack, or is gone. */
const isOver = (workspace: string, marker: string) => () =>
  existsSync(join(workspace, 'done')) || processesWith(marker).length === 0

const said = (workspace: string, name: string): string =>
  existsSync(join(workspace, name)) ? readFileSync(join(workspace, name), 'utf8').trim() : ''

testWorkspace('a supervisor that is killed takes the command with it, and the result says so', async () => {
  const workspace = tempDir()
  const marker = uniqueSleep()
  const result = await run(`echo $PPID; sleep ${marker}; :`, {
    cwd: workspace,
    sandbox: 'workspace',
    // Nobody would remove it.
    scratch: false,
    timeout: 30_000,
    onOutput: whenStarted((pid) => process.kill(pid, 'SIGKILL')),
  })

  expect(result).toMatchObject({ status: 'error', exitCode: null, error: { code: 'ERR_SUPERVISOR_LOST' } })
  await waitUntilGone(marker)
})

testWorkspace(
  'what a killed supervisor leaves cannot change anything outside, nor answer itself',
  async () => {
    const program = attackPath()
    if (program === undefined) throw new Error('there is no C compiler')
    const workspace = tempDir()
    const victim = makeVictim()
    const marker = uniqueSleep()
    writeFileSync(join(workspace, 'mine'), '')
    const result = await run(`${attackLater(program, victim.path, marker)}; echo $PPID; sleep ${marker}; :`, {
      cwd: workspace,
      sandbox: 'workspace',
      scratch: false,
      timeout: 30_000,
      onOutput: whenStarted((pid) => process.kill(pid, 'SIGKILL')),
    })
    writeFileSync(join(workspace, 'go'), '')
    await waitFor(isOver(workspace, marker), { what: 'the attack to be over' })

    expect(result.status).toBe('error')
    expect(victim.isTouched()).toBe(false)
    // It may have been killed with its supervisor.
    if (said(workspace, 'listener') !== '') expect(said(workspace, 'listener')).toBe('listener: EBUSY')
    if (said(workspace, 'mode') !== '') expect(said(workspace, 'mode')).toMatch(/^(ENOSYS|EPERM)$/)
  },
)

testWorkspace('a survivor of a normal end is answered as before, and cannot answer itself', async () => {
  const program = attackPath()
  if (program === undefined) throw new Error('there is no C compiler')
  const workspace = tempDir()
  const victim = makeVictim()
  const marker = uniqueSleep()
  writeFileSync(join(workspace, 'mine'), '')
  const result = await run(attackLater(program, victim.path, marker), {
    cwd: workspace,
    sandbox: 'workspace',
    scratch: false,
    survivors: 'adopt',
    timeout: 30_000,
  })
  writeFileSync(join(workspace, 'go'), '')
  await waitFor(() => existsSync(join(workspace, 'done')), { what: 'the attack to be over' })
  await waitUntilGone(marker)

  expect(result.status).toBe('completed')
  expect(result.survivors[0]).toMatchObject({ daemon: true })
  expect(victim.isTouched()).toBe(false)
  expect(said(workspace, 'listener')).toBe('listener: EBUSY')
  expect(said(workspace, 'mode')).toBe('EPERM')
  expect(said(workspace, 'done')).toBe('ok')
})

testWorkspace('a survivor is answered also when the host has ended', async () => {
  const program = attackPath()
  if (program === undefined) throw new Error('there is no C compiler')
  const workspace = tempDir()
  const victim = makeVictim()
  const marker = uniqueSleep()
  writeFileSync(join(workspace, 'mine'), '')
  const options = {
    cwd: workspace,
    sandbox: 'workspace',
    scratch: false,
    survivors: 'adopt',
    timeout: 30_000,
  }
  await runHost('run-commands', {
    argument: { commands: [{ command: attackLater(program, victim.path, marker), options }] },
  })
  writeFileSync(join(workspace, 'go'), '')
  await waitFor(isOver(workspace, marker), { what: 'the attack to be over' })
  await waitUntilGone(marker)

  expect(victim.isTouched()).toBe(false)
  expect(said(workspace, 'listener')).toBe('listener: EBUSY')
  expect(said(workspace, 'mode')).toBe('EPERM')
  expect(said(workspace, 'done')).toBe('ok')
})

test('without a sandbox the same attack succeeds', async () => {
  const program = attackPath()
  if (program === undefined) return
  const victims = [makeVictim(), makeVictim()]
  const [first = makeVictim(), second = makeVictim()] = victims
  const { output } = await run(
    `'${program}' answer-itself '${first.path}'; '${program}' fchmodat '${second.path}'`,
    {
      cwd: tempDir(),
    },
  )

  // Where somebody else has a listener, there can be no other.
  expect(output).toMatch(/^(ok|listener: EBUSY)\nok\n$/)
  expect(second.isTouched()).toBe(true)
  expect(first.isTouched()).toBe(output.startsWith('ok'))
})
