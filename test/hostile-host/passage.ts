// Sends a host through a hostile world, and looks what it has executed, changed and told.
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { closeSync, lstatSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cannotTest } from '../support/must-work.js'
import { waitFor } from '../support/wait-for.js'
import { differences, type Snapshot, snapshotOutside } from './outside.js'
import { foreignExecutions, tracedCalls } from './trace.js'
import { furnish, hostEnvironment, type World } from './world.js'

export interface Passage {
  /** Its exit status, or the signal that has ended it. */
  end: number | NodeJS.Signals | null
  /** Programs that are neither Node, the supervisor nor bash. */
  executed: string[]
  /** Names outside of the project. */
  changed: string[]
  /** Lines of its output, and files, that have a secret. */
  leaked: string[]
}

/** What the host has printed is for the message of a failed test. */
export interface FullPassage extends Passage {
  stdout: string
  stderr: string
}

/** A host that runs. */
export interface During {
  process: ChildProcess
  /** That of the host, which strace has started. */
  pid: () => Promise<number>
  stdout: () => string
  stderr: () => string
}

export interface PassageOptions {
  cwd?: string
  env?: Record<string, string>
  /** On a terminal of its own, that of script(1). */
  terminal?: boolean
  /** Given to stdin. `open`: nothing, and it is a socket without an end. */
  input?: string | 'open'
  /** Called when it runs, as a client that talks to it does. */
  during?: (host: During) => Promise<void>
  /** What can be read from descriptor 3 on. */
  descriptors?: readonly string[]
  /** What the portable engine may execute. */
  portable?: readonly string[]
}

/** What is to come out of every passage. */
export const harmless = { executed: [], changed: [], leaked: [] }

/** Why there can be none here; undefined: there can. */
export function whyNoTrace(): string | undefined {
  const { status, error, stderr } = spawnSync(
    'strace',
    ['-f', '--seccomp-bpf', '-e', 'trace=execve', '-o', '/dev/null', 'true'],
    {
      encoding: 'utf8',
    },
  )
  if (error !== undefined) return 'strace is not installed'
  return status === 0 ? undefined : `strace cannot trace here: ${stderr.trim()}`
}

/** `test`, where hosts can be traced. */
export const testTraced = (name: string, body: () => Promise<void>): void =>
  test(name, async () => {
    const reason = whyNoTrace()
    if (reason !== undefined) return cannotTest(reason)
    await body()
  })

let passages = 0
const deadlineMs = 45_000

/** Runs a program to its end, and that of everything it has started. By default in the project. */
export async function passThrough(
  world: World,
  words: readonly string[],
  options: PassageOptions = {},
): Promise<FullPassage> {
  const before = snapshotOutside(world)
  const trace = join(world.app, `trace-${++passages}`)
  // What is started before the host is looked up where nothing is planted.
  const straced = [
    absolute('strace'),
    '-f',
    '-y',
    '--seccomp-bpf',
    '-qq',
    '-s',
    '64',
    '-e',
    tracedCalls,
    '-o',
    trace,
    ...words,
  ]
  const [program = '', ...args] = options.terminal
    ? ['script', '-qefc', straced.map((word) => `'${word}'`).join(' '), '/dev/null']
    : straced
  const descriptors = (options.descriptors ?? []).map((text) => openWith(world, text))
  const child = spawn(absolute(program), args, {
    cwd: options.cwd ?? world.project,
    // script(1) starts what SHELL names.
    env: { ...hostEnvironment(world), ...(options.terminal && { SHELL: '/bin/sh' }), ...options.env },
    stdio: ['pipe', 'pipe', 'pipe', ...descriptors],
  }) as ChildProcessWithoutNullStreams
  for (const descriptor of descriptors) closeSync(descriptor)
  const text = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (piece: string) => {
      text[name] += piece
    })
  }
  child.stdin.on('error', () => {})
  let end: Passage['end'] | undefined
  child.once('close', (code, signal) => {
    end = code ?? signal
  })
  const pid = () => waitFor(() => Number(/^\d+/.exec(read(trace))?.[0]), { what: 'the start of the host' })
  try {
    if (options.input !== 'open') child.stdin.end(options.input ?? '')
    await options.during?.({ process: child, pid, stdout: () => text.stdout, stderr: () => text.stderr })
    await waitFor(() => end !== undefined, {
      what: `${words.join(' ')} to end:\n${text.stdout}${text.stderr}`,
      deadlineMs,
    })
  } finally {
    // strace ends with the host.
    if (end === undefined) process.kill(await pid(), 'SIGKILL')
  }
  const executed = foreignExecutions(read(trace), {
    world: world.base,
    packageRoot: world.package,
    ...(options.portable && { portable: options.portable }),
  })
  rmSync(trace, { force: true })
  return {
    end: end ?? null,
    executed,
    changed: changesSince(before, world),
    leaked: [...leaksInText(world, text), ...leaksInFiles(world)],
    ...text,
  }
}

/** What has changed is made anew, so that the next change of it shows. */
function changesSince(before: Snapshot, world: World): string[] {
  const changed = differences(before, snapshotOutside(world))
  if (changed.length > 0) furnish(world)
  return changed
}

function leaksInText({ secrets }: World, text: Record<string, string>): string[] {
  return Object.entries(text).flatMap(([stream, content]) =>
    content
      .split('\n')
      .filter((line) => Object.values(secrets).some((secret) => line.includes(secret)))
      .map((line) => `${stream}: ${line.slice(0, 60)}`),
  )
}

/** In what commands can read: the project, and what bashward keeps. */
function leaksInFiles({ project, state, secrets }: World): string[] {
  const patterns = Object.values(secrets).flatMap((secret) => ['-e', secret])
  // grep follows links that are among its arguments, and none below those.
  const isOwn = (name: string) => name !== 'node_modules' && !lstatSync(join(project, name)).isSymbolicLink()
  const places = [
    state,
    ...readdirSync(project)
      .filter(isOwn)
      .map((name) => join(project, name)),
  ]
  const { stdout } = spawnSync('grep', ['-rlF', '--devices=skip', ...patterns, ...places], {
    encoding: 'utf8',
  })
  return stdout.split('\n').filter((line) => line !== '')
}

/** A descriptor of a file that has no name any more. */
function openWith({ app }: World, text: string): number {
  const path = join(app, 'descriptor')
  writeFileSync(path, `${text}\n`, { mode: 0o600 })
  const descriptor = openSync(path, 'r')
  rmSync(path)
  return descriptor
}

function absolute(program: string): string {
  const { stdout } = spawnSync('/bin/sh', ['-c', 'command -v "$0"', program], { encoding: 'utf8' })
  return stdout.trim() || program
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
