// Starting the shell of a command: `bash -c -- COMMAND`, leader of a session of its own.

import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, closeSync, constants, existsSync, fstatSync, readSync, statSync } from 'node:fs'
import { constants as os } from 'node:os'
import type { CommandRequest, SessionPlan } from '../request.js'
import { errnoOf, StepError } from './completion.js'
import { isZombie } from './process-table.js'
import { openTemporary } from './temporary.js'
import { limitingArguments } from './ulimit.js'

/** MAX_ARG_STRLEN of execve(2) on Linux, the ending NUL included. Elsewhere only all arguments together are limited. */
const maxArgument = 32 * 4096

/** As the native engine does it: the text is untouched, and its descriptor is closed before it runs. */
const evalLongCommand = '\\builtin eval -- "$(</dev/fd/3)" 3<&-'
/** Where no path leads to a descriptor. */
const evalReadCommand = '\\builtin eval -- "$(\\builtin read -rd "" -u 3; \\builtin printf %s "$REPLY")" 3<&-'
const commandDescriptor = 3

export interface Shell {
  child: ChildProcess
  /** Also its process group and session. */
  pid: number
  /** Also when Node has not told of its end yet, where that can be seen. */
  hasEnded(): boolean
  /** What it has left of a session; undefined when there is none. To be called once. */
  takeState(): Buffer | undefined
}

/** A request for this process, or serialized for that of a job: it has no callback. */
export type ShellRequest = Omit<CommandRequest, 'session'> & {
  session: Omit<SessionPlan, 'onState'> | undefined
}

/**
 * @param outputs descriptors for stdout and stderr
 * @throws {StepError} (rejects) with the step that the native engine would name
 */
export async function startShell(
  request: ShellRequest,
  outputs: readonly [stdout: number, stderr: number],
): Promise<Shell> {
  const { shell, command, directory, limits, session, input } = request
  const files: number[] = []
  const temporary = (content: Uint8Array) => {
    const file = openTemporary(content)
    files.push(file)
    return file
  }
  let state: number | undefined
  try {
    const stdin = input instanceof Uint8Array ? temporary(input) : (input ?? 'ignore')
    const stdio: ('ignore' | number)[] = [stdin, ...outputs]
    const isLong = Buffer.byteLength(command) + 1 > maxArgument
    let text = command
    if (isLong) {
      const file = temporary(Buffer.from(command))
      stdio[commandDescriptor] = file
      text = existsSync(`/dev/fd/${file}`) ? evalLongCommand : evalReadCommand
    }
    if (session !== undefined) {
      while (stdio.length < session.prologueDescriptor) stdio.push('ignore')
      stdio.push(temporary(session.prologue))
      state = openTemporary(Buffer.alloc(0))
      stdio.push(state)
    }
    const words = ['-c', '--', text]
    const child = await spawned(
      shell,
      limits.length === 0 ? words : limitingArguments(shell, words, limits),
      {
        argv0: 'bash',
        cwd: directory,
        detached: true,
        env: decodeEnvironment(request),
        stdio,
      },
    )
    const stateLimit = session?.stateLimit ?? 0
    const { pid = 0 } = child
    const hasEnded = () => child.exitCode !== null || child.signalCode !== null || isZombie(pid)
    return { child, pid, hasEnded, takeState: () => takeState(state, stateLimit) }
  } catch (error) {
    if (state !== undefined) closeSync(state)
    throw explain(error, request)
  } finally {
    for (const file of files) closeSync(file)
  }
}

/** Some errors are thrown, and some come as an event. */
async function spawned(
  shell: string,
  words: string[],
  options: Parameters<typeof spawn>[2],
): Promise<ChildProcess> {
  const child = spawn(shell, words, options)
  if (child.pid !== undefined) return child
  throw await new Promise((resolve) => child.once('error', resolve))
}

/** Node names the program for whatever has failed, and execve's errors are those of chdir, too. */
function explain(error: unknown, { directory }: ShellRequest): StepError {
  if (error instanceof StepError) return error
  const { EAGAIN, ENOMEM, EMFILE, ENFILE } = os.errno
  const errno = errnoOf(error)
  if (errno === EAGAIN || errno === ENOMEM) return new StepError('clone', error)
  if (errno === EMFILE || errno === ENFILE) return new StepError('pipe', error)
  return enterError(directory) ?? new StepError('execve', error)
}

function enterError(directory: string): StepError | undefined {
  try {
    if (!statSync(directory).isDirectory()) return new StepError('chdir', { errno: os.errno.ENOTDIR })
    accessSync(directory, constants.X_OK)
    return undefined
  } catch (cause) {
    return new StepError('chdir', cause)
  }
}

function decodeEnvironment({ environment, variables = '' }: ShellRequest): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = Object.create(null)
  for (const entry of `${environment}${variables}`.split('\0')) {
    const end = entry.indexOf('=', 1)
    if (end > 0) env[entry.slice(0, end)] = entry.slice(end + 1)
  }
  return env
}

/** More than `limit` bytes are none. */
function takeState(file: number | undefined, limit: number): Buffer | undefined {
  if (file === undefined) return undefined
  try {
    const { size } = fstatSync(file)
    if (size > limit) return undefined
    const bytes = Buffer.alloc(size)
    return bytes.subarray(0, readSync(file, bytes, 0, size, 0))
  } finally {
    closeSync(file)
  }
}
