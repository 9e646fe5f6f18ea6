// Runs the built program `bashward` as a process of its own.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { JobStore } from '../../../lib/commands/jobs/store.js'
import { packageRoot } from '../../support/as-user.js'
import { isAlive } from '../../support/processes.js'
import { waitFor } from '../../support/wait-for.js'

export const binPath = join(packageRoot, 'dist/cli/bin.js')

export interface ProgramOptions {
  cwd?: string
  /** Added to a small fixed environment: that of jest may ask for colours, or forbid them. */
  env?: Record<string, string>
  /** Leave stdout unread. */
  unread?: boolean
}

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface Program {
  pid: number
  process: ChildProcess
  /** What it has printed so far. */
  stdout(): string
  stderr(): string
  kill(signal: NodeJS.Signals): void
  /** Resolves when it has ended and everything it printed is there. */
  exited(): Promise<Exit>
}

const running = new Set<ChildProcess>()
let stateHome: string | undefined

/** $XDG_STATE_HOME of the programs of one test, so that they share jobs with nobody. */
const stateHomeOfTest = (): string => {
  stateHome ??= mkdtempSync(join(tmpdir(), 'bashward-test-'))
  return stateHome
}

/** The background jobs of the programs of one test. */
export const jobsOfTest = (): JobStore =>
  new JobStore({ directory: join(stateHomeOfTest(), 'bashward', 'jobs') })

/** The directory of jobs, as the first job would make it. */
export const jobsDirectory = (): string => {
  const { directory } = jobsOfTest()
  mkdirSync(dirname(directory), { recursive: true })
  mkdirSync(directory, { mode: 0o700 })
  return directory
}

/** The environment of a program: a small fixed one, and what is added to it. */
export const programEnvironment = (added: Record<string, string> = {}): Record<string, string> => {
  const { PATH = '', HOME = '/' } = process.env
  // Without SHLVL bash takes its stdin, a socket, for a remote login's, and reads ~/.bashrc.
  const fixed = { PATH, HOME, XDG_STATE_HOME: stateHomeOfTest(), TERM: 'xterm', LANG: 'C.UTF-8', SHLVL: '1' }
  return { ...fixed, ...added }
}

/** Starts any program, by default in `/`, with stdin open, so that nothing ends because of its end. */
export const startProgram = (file: string, args: string[], options: ProgramOptions = {}): Program => {
  if (!existsSync(binPath))
    throw new Error('dist/ is missing: the tests run the built program (npm run build)')
  const { cwd = '/', env } = options
  const child = spawn(file, args, { cwd, env: programEnvironment(env), stdio: 'pipe' })
  running.add(child)
  let exit: Pick<Exit, 'code' | 'signal'> | undefined
  const text = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    if (name === 'stdout' && options.unread === true) continue
    child[name].setEncoding('utf8').on('data', (piece: string) => {
      text[name] += piece
    })
  }
  child.stdin.on('error', () => {})
  child.on('error', () => running.delete(child))
  child.on('exit', () => running.delete(child))
  child.on(options.unread === true ? 'exit' : 'close', (code, signal) => {
    exit = { code, signal }
  })
  return {
    pid: child.pid ?? 0,
    process: child,
    stdout: () => text.stdout,
    stderr: () => text.stderr,
    kill: (signal) => {
      child.kill(signal)
    },
    exited: async () => ({
      ...(await waitFor(() => exit, { what: `${file} ${args.join(' ')} to end`, deadlineMs: 30_000 })),
      ...text,
    }),
  }
}

/** Starts `bashward` with these words. */
export const startBashward = (args: string[], options?: ProgramOptions): Program =>
  startProgram(process.execPath, [binPath, ...args], options)

/** Runs `bashward` to its end. */
export const bashward = (args: string[], options?: ProgramOptions): Promise<Exit> =>
  startBashward(args, options).exited()

/** Starts a background job and resolves with its id. */
export const startJob = async (command: string, run = bashward): Promise<string> => {
  const { stdout } = await run(['run', '--json', '--mode', 'background', command])
  return (JSON.parse(stdout) as { jobId: string }).jobId
}

/** The same, when it has ended. */
export const runJob = async (command: string, run = bashward): Promise<string> => {
  const id = await startJob(command, run)
  await jobsOfTest().wait(id, { timeoutMs: 20_000 })
  return id
}

/** A word of a bash command line that stands for `bashward` with arguments. */
export const quotedBashward = `'${process.execPath}' '${binPath}'`

/**
 * Starts `bashward` with words that bash reads, on a terminal of its own: that of script(1).
 *
 * @param before commands that come first on that terminal
 */
export const startOnTerminal = (words: string, options?: ProgramOptions, before = ''): Program =>
  startProgram('script', ['-qefc', `${before}${quotedBashward} ${words}`, '/dev/null'], options)

/** Whether script(1) of util-linux is here. */
export const hasScript = (): boolean => {
  const { stdout } = spawnSync('script', ['--version'], { encoding: 'utf8' })
  return stdout?.includes('util-linux') ?? false
}

const endJobs = async (): Promise<void> => {
  const store = jobsOfTest()
  for (const { id, status, record } of await store.list()) {
    if (status === 'running') await store.kill(id)
    const supervisor = record?.supervisor.pid ?? 0
    if (status !== 'lost')
      await waitFor(() => !isAlive(supervisor), { what: `supervisor ${supervisor} to end` })
  }
}

/** Kills the programs and jobs that a test has left running, and removes the jobs. For `afterEach`. */
export const killPrograms = async (): Promise<void> => {
  for (const child of [...running]) {
    const pid = child.pid ?? 0
    child.kill('SIGKILL')
    await waitFor(() => !isAlive(pid), { what: `program ${pid} to end` })
  }
  if (stateHome === undefined) return
  await endJobs()
  rmSync(stateHome, { recursive: true, force: true })
  stateHome = undefined
}

/** What `seq COUNT` prints. */
export const seq = (count: number): string =>
  Array.from({ length: count }, (_, index) => `${index + 1}\n`).join('')

/** A long text as a failed comparison should show it. */
export const summary = (text: string) => ({
  length: text.length,
  start: text.slice(0, 200),
  end: text.slice(-200),
  digest: createHash('sha256').update(text).digest('hex'),
})
