// harnessSandbox(): where the AI SDK's harnesses (Claude Code, Codex, ACP agents) run: directories of this machine, confined. The
// types are those of @ai-sdk/harness as far as they are used, so that nobody needs it who has no harness.

import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, mkdir, open, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Experimental_SandboxProcess, Experimental_SandboxSession as SandboxSession } from 'ai'
import { BashError, messageOf } from '../../../base/errors.js'
import { quote } from '../../../base/util/bash-quotes.js'
import { temporaryDirectory } from '../../../base/util/directories.js'
import {
  checkAbsolutePath,
  checkInteger,
  checkObject,
  invalidInput,
} from '../../../base/util/invalid-input.js'
import { crypto } from '../../../base/util/lazy.js'
import { removeTree } from '../../../base/util/remove-tree.js'
import { givenDirectory } from '../given-directory.js'
import { type SandboxSessionOptions, sandboxOptionNames, sandboxSession } from './session.js'

export interface HarnessSandboxOptions extends SandboxSessionOptions {
  /**
   * The directory of all sessions, which is kept: an absolute path. Default: a new one for each session, which goes with it.
   */
  workingDir?: string | undefined
  /** Where those are made. An absolute path; default: the directory for temporary files. */
  baseDirectory?: string | undefined
  /** Ports that a session offers. Default: one that is free. */
  ports?: readonly number[] | undefined
}

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants

interface PortOptions {
  port: number
  protocol?: 'http' | 'https' | 'ws'
}

/** A HarnessV1NetworkSandboxSession of `@ai-sdk/harness`. */
export interface HarnessSandboxSession extends SandboxSession {
  readonly id: string
  readonly defaultWorkingDirectory: string
  readonly ports: readonly number[]
  getPortEndpoint(options: PortOptions): Promise<{ url: string }>
  getPortUrl(options: PortOptions): Promise<string>
  /** Ends what it runs. What lies in its directory stays. */
  stop(): Promise<void>
  /** Also removes its directory, unless that was given. */
  destroy(): Promise<void>
  /** Without what ends it. */
  restricted(): SandboxSession
}

interface CreateOptions {
  sessionId?: string
  abortSignal?: AbortSignal
  identity?: string
  onFirstCreate?: (session: SandboxSession, options: { abortSignal?: AbortSignal }) => Promise<void>
}

/** A HarnessV1SandboxProvider of `@ai-sdk/harness`. */
export interface HarnessSandbox {
  readonly specificationVersion: 'harness-sandbox-v1'
  readonly providerId: 'bashward'
  createSession(options?: CreateOptions): Promise<HarnessSandboxSession>
  resumeSession(options: { sessionId: string; abortSignal?: AbortSignal }): Promise<HarnessSandboxSession>
}

const names = [...sandboxOptionNames, 'workingDir', 'baseDirectory', 'ports']

/** What `bashward/ai` exports under this name. */
export function harnessSandbox(given: HarnessSandboxOptions): HarnessSandbox {
  const checked = checkObject('options', given, names) as HarnessSandboxOptions
  const { workingDir, baseDirectory, ports, sandbox = 'workspace', survivors = 'kill', ...others } = checked
  // A session has no list of what its commands leave running: stop() could not end that.
  const options = { ...others, survivors }
  if (workingDir !== undefined) checkAbsolutePath('options.workingDir', workingDir)
  if (baseDirectory !== undefined) checkAbsolutePath('options.baseDirectory', baseDirectory)
  checkPorts(ports)
  // What is wrong with the others is told now.
  sandboxSession('/', { ...options, sandbox })
  const baseOf = () => givenDirectory('options.baseDirectory', baseDirectory ?? temporaryDirectory())
  const directoryOf = async (sessionId: string): Promise<string> =>
    workingDir === undefined
      ? join(baseOf(), nameOf(sessionId))
      : givenDirectory('options.workingDir', workingDir)
  const begin = async (
    id: string,
    directory: string,
    signal?: AbortSignal,
  ): Promise<HarnessSandboxSession> => {
    const home = join(directory, '.home')
    await makeHome(home)
    const session = withHome(sandboxSession(directory, { ...options, sandbox }), home)
    await proveUsable(session, signal)
    const found = ports === undefined ? [await freePort()] : [...ports]
    return networkSession(session, { id, directory, ports: found, isOwned: workingDir === undefined })
  }
  return {
    specificationVersion: 'harness-sandbox-v1',
    providerId: 'bashward',
    async createSession({ sessionId: id = randomUUID(), abortSignal, onFirstCreate } = {}) {
      const directory = await directoryOf(id)
      const isNew = workingDir === undefined && (await makeOwn(directory))
      let session: HarnessSandboxSession | undefined
      try {
        session = await begin(id, directory, abortSignal)
        if (isNew) await onFirstCreate?.(session.restricted(), abortSignal ? { abortSignal } : {})
        return session
      } catch (error) {
        await session?.stop()
        if (isNew) await removeTree(directory)
        throw error
      }
    },
    async resumeSession({ sessionId, abortSignal }) {
      const directory = await directoryOf(sessionId)
      if (workingDir === undefined && !(await isOwn(directory))) {
        throw new BashError('ERR_WORKING_DIR', `the directory of session ${sessionId} is gone: ${directory}`)
      }
      return await begin(sessionId, directory, abortSignal)
    },
  }
}

/**
 * Agents write to their HOME. As a variable of the policy's environment it could not be among what is writable, and what is
 * unreadable of this user's own would be looked for there: so commands set it themselves.
 */
function withHome(session: SandboxSession, home: string): SandboxSession {
  const inHome = <Call extends { command: string; env?: Record<string, string> }>(call: Call): Call => {
    const { HOME = home, ...env } = call.env ?? {}
    return { ...call, env, command: `export HOME=${quote(HOME)}; ${call.command}` }
  }
  return {
    ...session,
    run: async (call) => await session.run(inHome(call)),
    spawn: async (call: Parameters<SandboxSession['spawn']>[0]) =>
      (await session.spawn(inHome(call))) as never,
  }
}

interface Place {
  id: string
  directory: string
  ports: readonly number[]
  isOwned: boolean
}

function networkSession(
  session: SandboxSession,
  { id, directory, ports, isOwned }: Place,
): HarnessSandboxSession {
  const running = new Set<Experimental_SandboxProcess>()
  const spawn = async (options: Parameters<SandboxSession['spawn']>[0]): Promise<never> => {
    const spawned = await session.spawn(options)
    running.add(spawned)
    const forget = () => running.delete(spawned)
    Promise.resolve(spawned.wait()).then(forget, forget)
    return spawned as never
  }
  let stopping = new AbortController()
  const run: SandboxSession['run'] = async (call) => {
    const signals = call.abortSignal === undefined ? [] : [call.abortSignal]
    return await session.run({ ...call, abortSignal: AbortSignal.any([...signals, stopping.signal]) })
  }
  const restricted: SandboxSession = { ...session, run, spawn }
  const getPortUrl = async ({ port, protocol = 'http' }: PortOptions): Promise<string> => {
    if (!ports.includes(port)) throw invalidInput('port', `must be one of ${ports.join(', ')}`, port)
    return `${protocol}://127.0.0.1:${port}`
  }
  const stop = async () => {
    stopping.abort(new BashError('ERR_CANCELLED', `session ${id} was stopped`))
    stopping = new AbortController()
    await Promise.all([...running].map(async (each) => await each.kill()))
  }
  return {
    ...restricted,
    id,
    defaultWorkingDirectory: directory,
    ports,
    getPortUrl,
    getPortEndpoint: async (options) => ({ url: await getPortUrl(options) }),
    stop,
    async destroy() {
      await stop()
      if (isOwned) await removeTree(directory).catch(unlessMissing)
    },
    restricted: () => ({ ...restricted }),
  }
}

function checkPorts(ports: unknown): void {
  if (ports === undefined) return
  if (!Array.isArray(ports)) throw invalidInput('options.ports', 'must be an array of ports', ports)
  for (const port of ports) checkInteger('options.ports', port, [1024, 65_535])
}

/** The same for whoever goes on with the session. */
const nameOf = (sessionId: string): string =>
  `bashward-harness-${crypto().createHash('sha256').update(sessionId).digest('hex').slice(0, 32)}`

/** @returns false for one that was there */
async function makeOwn(directory: string): Promise<boolean> {
  try {
    await mkdir(directory, { mode: 0o700 })
    // Whatever the umask is; nothing else that is there by now.
    const made = await open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    await made.chmod(0o700).finally(() => made.close())
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && (await isOwn(directory))) return false
    return refuseDirectory(directory, error)
  }
}

/** What a command has put there stays, if agents can have a directory there all the same. */
async function makeHome(home: string): Promise<void> {
  try {
    await mkdir(home, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return refuseDirectory(home, error)
    const found = await stat(home).catch((cause) => refuseDirectory(home, cause))
    if (!found.isDirectory()) refuseDirectory(home, error)
  }
}

function refuseDirectory(directory: string, cause: unknown): never {
  throw new BashError('ERR_WORKING_DIR', `${directory} cannot be made: ${messageOf(cause)}`, { cause })
}

/** Its name can be guessed: somebody else may have made it. */
async function isOwn(directory: string): Promise<boolean> {
  const found = await lstat(directory).catch(() => undefined)
  return found?.isDirectory() === true && found.uid === process.geteuid?.() && (found.mode & 0o022) === 0
}

/** Where no command can be confined as it is asked for, there is no session. */
async function proveUsable(session: SandboxSession, abortSignal?: AbortSignal): Promise<void> {
  const { exitCode, stderr } = await session.run({ command: ':', ...(abortSignal && { abortSignal }) })
  if (exitCode === 0) return
  throw new BashError('ERR_SANDBOX_UNAVAILABLE', `no command can run in this sandbox: ${stderr.trim()}`)
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

function unlessMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
