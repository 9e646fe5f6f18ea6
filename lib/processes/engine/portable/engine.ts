// The engine for where the native one cannot run: child_process, POSIX, and what docs/portable-engine.md says of both.

import { constants } from 'node:os'
import { BashError } from '../../../base/errors.js'
import { processStartTime, showsOwnProcesses } from '../../../base/util/process-identity.js'
import type { Completion } from '../completion.js'
import type { Engine, OutputListener, SandboxSupport } from '../engine.js'
import type { CommandRequest } from '../request.js'
import { Command } from './command.js'
import { errnoOf } from './completion.js'
import { startJob } from './job-process.js'

export class PortableEngine implements Engine {
  readonly name = 'portable'
  readonly #running = new Map<number, Command>()
  #lastId = 0
  #environmentVersion = 0
  #hasWarned = false

  start(
    request: CommandRequest,
    onCompletion: (completion: Completion) => void,
    onOutput?: OutputListener,
  ): number {
    if (request.confinement !== undefined) throw noSandbox()
    if ((request.backgroundAfterMs ?? 0) > 0) throw noHandOver()
    if (request.background) return this.#startJob(request, onCompletion)
    const id = ++this.#lastId
    const command = new Command(request, onOutput)
    this.#running.set(id, command)
    command.run().then((completion) => {
      this.#running.delete(id)
      onCompletion(completion)
    })
    return id
  }

  #startJob({ job, ...request }: CommandRequest, onCompletion: (completion: Completion) => void): number {
    if (job === undefined) throw new BashError('ERR_INTERNAL', 'a background job without a plan')
    startJob({ ...request, job }).then(onCompletion)
    return ++this.#lastId
  }

  cancel(id: number): void {
    this.#running.get(id)?.cancel()
  }

  signalProcess(pid: number, startTime: number, signal: number): number {
    if (process.platform === 'linux' && !showsOwnProcesses()) return constants.errno.EXDEV
    if (pid <= 1 || processStartTime(pid) !== startTime) return constants.errno.ESRCH
    try {
      process.kill(pid, signal)
      return 0
    } catch (error) {
      return errnoOf(error, constants.errno.EINVAL)
    }
  }

  /** Node has no flock(2), and the supervisors of this engine hold no locks. */
  isLocked(): undefined {}

  lockFile(): undefined {}

  /** So a ledger of calls refuses this engine. */
  isOwned(): undefined {}

  release(): void {}

  /** That takes a descriptor of the process (pidfd_open(2)). */
  awaitExit(): undefined {}

  /** Node cannot ask without reading. */
  isReadable(): undefined {}

  /** Its pipes are sockets, which /dev/stdin cannot open. */
  makePipe(): undefined {}

  /** What has changed is not known: it is read anew each time. */
  environmentVersion(): number {
    return ++this.#environmentVersion
  }

  protectHost(): never {
    const text = 'the portable engine runs here, and cannot protect the host'
    throw new BashError('ERR_UNSUPPORTED_PLATFORM', `${text}: that takes prctl(2), and so the native engine`)
  }

  sandboxSupport(): SandboxSupport {
    throw noSandbox()
  }

  /** Asked for a policy only, and there is none. */
  mountsVersion(): number {
    return 0
  }

  /** Likewise. */
  otherNames(): string[] {
    return []
  }

  /** Likewise. */
  mountsBelow(): string[] {
    return []
  }

  /** Likewise. */
  stampOf(): string {
    return ''
  }

  claimSandboxWarning(): boolean {
    const isFirst = !this.#hasWarned
    this.#hasWarned = true
    return isFirst
  }
}

function noHandOver(): BashError {
  const text = 'backgroundAfter: the portable engine cannot make a job of a command that runs'
  return new BashError(
    'ERR_UNSUPPORTED_PLATFORM',
    `${text}; it needs the native engine, or start it in the background`,
  )
}

function noSandbox(): BashError {
  return new BashError(
    'ERR_SANDBOX_UNAVAILABLE',
    'the portable engine has no sandbox; it needs the native engine, on Linux 5.13 or newer with Landlock',
  )
}
