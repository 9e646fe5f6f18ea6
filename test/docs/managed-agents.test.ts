// docs/managed-agents.md: the SDK's own worker against a scripted environment. Each command notes its runs in a file.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../support/as-user.js'
import { killLeftovers, processesWith, uniqueSleep, waitForSleep } from '../support/processes.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { waitFor } from '../support/wait-for.js'
import { ScriptedEnvironment } from './scripted-environment.js'
import { snippetWith } from './snippets.js'

class Machine {
  readonly directory = tempDir()
  readonly environment = new ScriptedEnvironment()
  readonly #workers: ChildProcess[] = []
  #address = ''

  async start(): Promise<ChildProcess> {
    if (this.#address === '') this.#address = await this.environment.listen()
    mkdirSync(join(this.directory, 'project'), { recursive: true })
    const program = snippetWith('managed-agents', 'js', 'environments.work.worker')
      .replaceAll('/srv/project', join(this.directory, 'project'))
      .replaceAll('/srv/worker', this.directory)
    const env = {
      PATH: process.env.PATH,
      HOME: this.directory,
      ANTHROPIC_BASE_URL: this.#address,
      ANTHROPIC_ENVIRONMENT_ID: 'env_1',
      ANTHROPIC_ENVIRONMENT_KEY: 'none',
    }
    const worker = spawn(process.execPath, ['--input-type=module', '-e', program], {
      cwd: packageRoot,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    this.#workers.push(worker)
    return worker
  }

  async end(): Promise<void> {
    for (const worker of this.#workers) await kill(worker)
    this.environment.close()
  }

  /** A command that notes that it has run. */
  noting(command: string): { command: string } {
    return { command: `echo run >> ${this.directory}/runs; ${command}` }
  }

  get runs(): number {
    const file = join(this.directory, 'runs')
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0
  }

  /** The ledger has it behind the mark, which is 1 KiB. */
  get hasResult(): boolean {
    const calls = join(this.directory, 'calls')
    return existsSync(calls) && readdirSync(calls).some((name) => statSync(join(calls, name)).size > 1024)
  }

  async result(): Promise<{ text: string; isError: boolean }> {
    await waitFor(() => this.environment.results.length > 0, { what: 'a result', deadlineMs: 40_000 })
    const [{ content, is_error: isError } = { content: [], is_error: false }] = this.environment.results
    return { text: content.map(({ text }) => text).join(), isError }
  }
}

const kill = async (worker: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> => {
  if (worker.exitCode !== null || worker.signalCode !== null) return
  const ended = once(worker, 'exit')
  worker.kill(signal)
  await ended
}

let machine: Machine
beforeEach(() => {
  machine = new Machine()
})
afterEach(() => machine.end())
afterEach(killLeftovers)
afterEach(removeTempDirs)

test('a command runs, and what is sent after it has its state', async () => {
  machine.environment.callBash('toolu_1', { command: 'cd /usr; x=1' })
  machine.environment.callBash('toolu_2', { command: 'pwd; echo $x; exit 3' })
  await machine.start()
  await waitFor(() => machine.environment.results.length === 2, { what: 'the results' })
  const [, { tool_use_id: id, is_error: isError, content } = {}] = machine.environment.results

  expect({ id, isError, content }).toEqual({
    id: 'toolu_2',
    isError: true,
    content: [{ type: 'text', text: '[command failed: exit code 3]\n/usr\n1\n' }],
  })
})

test('a worker that is killed: the next one is told that the command was killed, and does not run it', async () => {
  const marker = uniqueSleep()
  machine.environment.callBash('toolu_1', machine.noting(`sleep ${marker}`))
  const worker = await machine.start()
  await waitForSleep(marker)
  await kill(worker)
  await waitFor(() => processesWith(marker).length === 0, { what: 'the command to end' })
  await machine.start()

  expect(await machine.result()).toEqual({
    text: expect.stringContaining(
      'It has run, in part or whole, and its output is lost; look before you repeat it',
    ),
    isError: true,
  })
  expect(machine.environment.claims).toBe(2)
  expect(machine.runs).toBe(1)
})

test('a worker that is killed before its result was taken: the next one gives it', async () => {
  machine.environment.isDeaf = true
  machine.environment.callBash('toolu_1', machine.noting('echo done'))
  const worker = await machine.start()
  await waitFor(() => machine.hasResult, { what: 'the result in the ledger' })
  await kill(worker)
  machine.environment.isDeaf = false
  await machine.start()

  expect(await machine.result()).toEqual({ text: 'done\n', isError: false })
  expect(machine.runs).toBe(1)
})

test('a worker that is frozen: the next one waits for its command', async () => {
  const marker = uniqueSleep()
  machine.environment.callBash('toolu_1', machine.noting(`sleep ${marker} & wait; exit 3`))
  const worker = await machine.start()
  const [sleeping] = await waitForSleep(marker)
  worker.kill('SIGSTOP')
  await machine.start()
  await waitFor(() => machine.environment.claims === 2, { what: 'the second worker' })
  if (sleeping !== undefined) process.kill(sleeping.pid, 'SIGTERM')

  expect((await machine.result()).text).toMatch(/exit code 3/)
  expect(machine.runs).toBe(1)
})

test('a session that is to stop: the command is killed', async () => {
  const marker = uniqueSleep()
  machine.environment.callBash('toolu_1', machine.noting(`setsid -f sleep ${marker}; sleep ${marker}`))
  await machine.start()
  await waitForSleep(marker)
  machine.environment.stop()

  await waitFor(() => processesWith(marker).length === 0, { what: 'the command to end' })
  expect(machine.runs).toBe(1)
})
