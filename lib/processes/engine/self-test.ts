// Whether the native engine works on this machine: what can be told at once, and a trial that runs no program.

import { constants, release } from 'node:os'
import { describeFailure, messageOf } from '../../base/errors.js'
import { type Completion, Outcome } from './completion.js'
import type { Engine } from './engine.js'
import { loadAddon } from './native/addon.js'
import type { CommandRequest } from './request.js'

/** The oldest kernel that the native engine is made for; it needs pidfds, and waits for them (5.4). */
const oldestKernel = [5, 10] as const

/** @returns why the native engine cannot run here; undefined when nothing is known against it */
export function obstacleAtOnce(): string | undefined {
  if (process.platform !== 'linux') return `the native engine needs Linux, and this is ${process.platform}`
  const kernel = release()
  // Of an emulated kernel, too: gVisor calls itself 4.4.
  if (isOlder(kernel)) return `the native engine needs Linux ${oldestKernel.join('.')}, and this is ${kernel}`
  try {
    loadAddon()
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

/** @param kernel such as `6.1.0-49-amd64`; one that has no such number is taken for new enough */
export function isOlder(kernel: string): boolean {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(kernel) ?? []
  if (major === undefined || minor === undefined) return false
  const [oldestMajor, oldestMinor] = oldestKernel
  return Number(major) < oldestMajor || (Number(major) === oldestMajor && Number(minor) < oldestMinor)
}

/** No directory, on any system. */
const noDirectory = '/dev/null/bashward'

/** What a system that is short of something answers; the next command may find it otherwise. */
const passingErrors = new Set<number>(
  (['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE', 'EINTR'] as const).map((name) => constants.errno[name]),
)

/**
 * Starts a supervisor for a command whose working directory is none: the thread, the sockets, clone, the supervisor and
 * its own clone have all worked when it says so, and no shell has run. About half a millisecond.
 *
 * @returns why the engine does not work here, such as `clone: EPERM (operation not permitted)`
 */
export async function tryOut(engine: Engine): Promise<string | undefined> {
  const completion = await new Promise<Completion | undefined>((resolve) => {
    try {
      engine.start(trial, resolve)
    } catch {
      resolve(undefined) // there was no thread to be had; the next command will say so
    }
  })
  if (completion === undefined) return undefined
  const { outcome, step = 'start', errno } = completion
  if (outcome === Outcome.supervisorLost) return 'its supervisor was killed at once'
  if (outcome !== Outcome.notStarted) return `its supervisor started a command in ${noDirectory}`
  if (step === 'chdir' || passingErrors.has(errno)) return undefined
  return describeFailure({ step, errno })
}

const trial = trialRequest({ shell: '/bin/sh', command: ':', directory: noDirectory })

type Tried = Pick<CommandRequest, 'shell' | 'command' | 'directory'> & Partial<CommandRequest>

/** A request that only tries something out: no command's output, time or processes matter. */
export function trialRequest(tried: Tried): CommandRequest {
  return {
    environment: Buffer.alloc(0),
    separateStreams: false,
    headBytes: 0,
    tailBytes: 0,
    timeoutMs: 10_000,
    graceMs: 0,
    killSurvivors: true,
    savePath: '',
    saveLimit: 0,
    background: false,
    job: undefined,
    session: undefined,
    limits: [],
    confinement: undefined,
    ...tried,
  }
}
