// Starts the proxy of this host: a process of its own, which the host keeps by a pipe and each command by a connection. So
// a background job has its network after the end of its host, and no byte of it goes through the host's event loop.

import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import type { Socket } from 'node:net'
import { BashError, messageOf, systemError } from '../../base/errors.js'
import { childProcess } from '../../base/util/lazy.js'
import { isOneFileProgram } from '../../base/util/one-file-program.js'
import { timeLimit } from '../../base/util/time-limit.js'
import { makeToken } from './grant.js'
import type { ProxyAnswer } from './main.js'
import { proxyLoader, proxyProgram } from './program.js'

export interface Proxy {
  /** On 127.0.0.1, for commands. */
  readonly port: number
  /** On 127.0.0.1, for their supervisors. */
  readonly controlPort: number
  /** Whoever has it can give commands domains. */
  readonly secret: string
}

/** The proxy of this thread; undefined before the first, and after its end. */
let running: Promise<Proxy> | undefined

// Read while this file loads: later a command may have written to it.
const program = proxyProgram()

/**
 * The proxy of this host, which is started when there is none: at first, and when it has ended. It does not keep the host
 * alive.
 *
 * @throws {BashError} ERR_SANDBOX_UNAVAILABLE where there can be none; ERR_SPAWN when it could not be started
 */
export function startProxy(): Promise<Proxy> {
  if (running !== undefined) return running
  const forget = (): void => {
    if (running === starting) running = undefined
  }
  const starting = launch(forget)
  running = starting
  starting.catch(forget)
  return starting
}

/** @param onEnd called when a process ends that has been started */
async function launch(onEnd: () => void): Promise<Proxy> {
  const refusal = whyNoProxy()
  if (refusal !== undefined) {
    throw new BashError('ERR_SANDBOX_UNAVAILABLE', `network.domains is not available: ${refusal}`)
  }
  const secret = makeToken()
  const { child, inherited } = spawnNode()
  child.once('exit', onEnd)
  child.once('error', onEnd)
  try {
    const answer = await ask(child, `${JSON.stringify({ program, secret, inherited })}\n`)
    if (!('port' in answer)) {
      const reason = `the proxy cannot listen on 127.0.0.1: ${answer.message}`
      throw new BashError('ERR_SANDBOX_UNAVAILABLE', `network.domains is not available: ${reason}`, answer)
    }
    // Closed only with this process, or this thread: until then it is what the proxy lives for.
    release(child)
    return { port: answer.port, controlPort: answer.controlPort, secret }
  } catch (error) {
    child.kill('SIGKILL')
    child.stdin?.destroy()
    throw error
  } finally {
    child.stdout?.destroy()
    child.stderr?.destroy()
  }
}

/** Where `process.execPath` executes something else than scripts for Node, nothing is tried. */
export function whyNoProxy({ bun, deno } = process.versions): string | undefined {
  // Their HTTP servers have parsers of their own, and what is strict in Node is not in those.
  if (bun !== undefined) return 'the proxy needs Node, and this is Bun'
  if (deno !== undefined) return 'the proxy needs Node, and this is Deno'
  if (isOneFileProgram()) return 'the proxy needs Node, and this program is one file with it'
  return undefined
}

function spawnNode(): { child: ChildProcess; inherited: Record<string, string> } {
  try {
    const inherited = inheritedDescriptors()
    // The program that runs, also when an update has put another in its place.
    const child = childProcess().spawn('/proc/self/exe', ['--no-warnings', '-e', proxyLoader], {
      argv0: 'bashward-proxy',
      cwd: '/',
      detached: true,
      env: {
        // Looking up names takes threads.
        UV_THREADPOOL_SIZE: '16',
        ...(process.versions.electron !== undefined && { ELECTRON_RUN_AS_NODE: '1' }),
      },
    })
    return { child, inherited }
  } catch (error) {
    throw notStarted(error)
  }
}

/** In the flags of a descriptor; the same on all processors that bashward is built for. */
const closeOnExec = 0o2000000

/**
 * The descriptors that a child of this process would have from it, each with what it leads to. Node's own are none of them,
 * but somebody may have started this process with a lock or the end of a pipe, and the proxy may outlive it by hours.
 */
function inheritedDescriptors(): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of readdirSync('/proc/self/fd')) {
    try {
      const [, flags = ''] =
        /^flags:\s+(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, 'latin1')) ?? []
      const isInherited = (Number.parseInt(flags, 8) & closeOnExec) === 0
      if (Number(name) > 2 && isInherited) found[name] = readlinkSync(`/proc/self/fd/${name}`)
    } catch {
      // That of the look itself, say.
    }
  }
  return found
}

/** How long it may take to start, milliseconds, on a machine that is busy. */
const startMs = 30_000

function ask(child: ChildProcess, request: string): Promise<ProxyAnswer> {
  return new Promise((resolve, reject) => {
    let output = ''
    let errors = ''
    const endLimit = timeLimit(startMs, () =>
      reject(new BashError('ERR_SPAWN', `the proxy did not start within ${startMs / 1000} seconds`)),
    )
    child.once('error', (error) => {
      endLimit()
      reject(notStarted(error))
    })
    child.once('close', () => {
      endLimit()
      reject(
        new BashError('ERR_SPAWN', `the proxy ended before it listened: ${errors.trim() || 'no reason'}`),
      )
    })
    // Where no descriptor is left it has none of these.
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors = `${errors}${text}`.slice(-1_000)
    })
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (!output.endsWith('\n')) return
      endLimit()
      try {
        resolve(JSON.parse(output))
      } catch (error) {
        reject(notStarted(error))
      }
    })
    // It may have ended already; then 'close' says so.
    child.stdin?.on('error', () => {}).write(request)
  })
}

function notStarted(error: unknown): BashError {
  const { errno, path } = error as NodeJS.ErrnoException
  const step = 'start the proxy'
  // libuv's numbers are negative.
  if (errno !== undefined) {
    return systemError('ERR_SPAWN', { step, errno: Math.abs(errno), path: path ?? process.execPath }, error)
  }
  return new BashError('ERR_SPAWN', `${step}: ${messageOf(error)}`, { cause: error })
}

function release(child: ChildProcess): void {
  child.unref()
  ;(child.stdin as Socket | null)?.unref()
}
