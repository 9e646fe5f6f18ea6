// Why a command did not start, as an error.

import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { BashError, type BashErrorCode, systemError } from '../../base/errors.js'
import { withoutNull } from '../../base/util/dev-null.js'
import { ownState } from '../../base/util/own-state.js'
import { type Completion, Outcome } from '../../processes/engine/completion.js'
import type { CommandRequest } from '../../processes/engine/request.js'
import { withWayOut } from '../jobs/directory.js'

/** The error of a command that did not start. */
export function startFailure(request: CommandRequest, completion: Completion): BashError {
  if (completion.outcome === Outcome.supervisorLost) {
    return new BashError('ERR_SUPERVISOR_LOST', 'the process that was to watch over the job was killed')
  }
  const { step = 'start', errno } = completion
  const failure = (code: BashErrorCode, path?: string) =>
    systemError(code, path === undefined ? { step, errno } : { step, errno, path })
  const code = isSandboxStep(request, step) ? 'ERR_SANDBOX_SETUP' : 'ERR_SPAWN'
  switch (step) {
    case 'chdir':
      return failure('ERR_WORKING_DIR', request.directory)
    case 'execve':
      return unreadableProgram(request, errno) ?? failure('ERR_SPAWN', request.shell)
    case 'mkdir':
      return noJobDirectory(errno, request.job?.directory)
    case 'open output':
    case 'write job.json':
      return failure('ERR_JOB_DIRECTORY', request.job?.directory)
    case 'open terminal':
      return noTerminal(errno)
    case 'set controlling terminal':
    case 'listen for input':
      return failure('ERR_TERMINAL')
    case 'make call mark':
      return failure('ERR_NOT_STARTED')
    case 'capset':
      return request.confinement === undefined ? keptCapabilities(failure(code)) : failure(code)
    case 'mkdir scratch':
      return failure('ERR_SANDBOX_SETUP', request.confinement?.scratchDirectory)
    case 'open writable root':
    case 'start broker':
    case 'connect to the proxy':
      return failure('ERR_SANDBOX_SETUP')
    case 'seccomp listener':
      return errno === constants.errno.EBUSY ? listenerTaken(errno) : failure('ERR_SANDBOX_SETUP')
    default:
      return systemError(code, withoutNull(errno) ?? { step, errno })
  }
}

const { EACCES, EROFS } = constants.errno

function noJobDirectory(errno: number, path?: string): BashError {
  const failure = path === undefined ? { step: 'mkdir', errno } : { step: 'mkdir', errno, path }
  // A directory that somebody has chosen is theirs to choose.
  const isDefault = path !== undefined && dirname(path) === join(ownState() ?? '', 'jobs')
  const isFixed = errno === EROFS || errno === EACCES || errno === ENOENT
  return isFixed && isDefault ? withWayOut(failure) : systemError('ERR_JOB_DIRECTORY', failure)
}

const { ENODEV, ENOENT, ENOSPC } = constants.errno

function noTerminal(errno: number): BashError {
  const { message } = systemError('ERR_TERMINAL', { step: 'open terminal', errno })
  const reasons = new Map([
    [ENODEV, ': this container has no devpts: mount one at /dev/pts'],
    [ENOENT, ': this container has no devpts: mount one at /dev/pts'],
    [ENOSPC, ': there are as many terminals as kernel.pty.max allows'],
  ])
  return new BashError('ERR_TERMINAL', `${message}${reasons.get(errno) ?? ''}`, {
    step: 'open terminal',
    errno,
  })
}

/** What may keep bash from starting: it needs its libraries. */
const libraries = /^\/(?:usr|lib|nix|opt)/

function unreadableProgram({ confinement, shell }: CommandRequest, errno: number): BashError | undefined {
  const paths = confinement?.unreadable.filter((path) => libraries.test(path)) ?? []
  if (errno !== constants.errno.EACCES || paths.length === 0) return undefined
  const { message } = systemError('ERR_SPAWN', { step: 'execve', errno, path: shell })
  const reason = `what it needs may be in what is unreadable: ${paths.join(', ')}`
  return new BashError('ERR_SPAWN', `${message}: ${reason}`, { step: 'execve', errno, path: shell })
}

/** Of the filters that a process has, one may ask somebody else. The kernel knows of no second. */
function listenerTaken(errno: number): BashError {
  const reason =
    'another seccomp listener watches this process already: that of a sandbox or a container around it, and there can be but one'
  const message = `Workspace mode is not available here: ${reason} (missing: broker)`
  return new BashError('ERR_SANDBOX_UNAVAILABLE', message, { step: 'seccomp listener', errno })
}

/** Only protectHost() takes capabilities from commands in Unrestricted mode. */
function keptCapabilities(error: BashError): BashError {
  const { code, message, step = '', errno = 0 } = error
  const reason =
    'protectHost() cannot keep commands of root from reaching into this process without CAP_SETPCAP'
  return new BashError(code, `${message}: ${reason}`, { step, errno })
}

/** Steps that only a policy takes, and those that it takes to confine. */
function isSandboxStep({ confinement }: CommandRequest, step: string): boolean {
  return (
    confinement !== undefined &&
    /^(?:landlock_|prctl |seccomp$|capset$|setrlimit$|close descriptors$)/.test(step)
  )
}
