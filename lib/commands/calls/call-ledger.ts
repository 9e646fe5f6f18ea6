// A ledger of calls: each starts once on this machine, whoever sends it again, and its result is kept.

import { isAbsolute, join } from 'node:path'
import { checkIdentifier } from '../../base/util/identifier.js'
import {
  checkAbortSignal,
  checkAbsolutePath,
  checkFlag,
  checkObject,
  checkType,
} from '../../base/util/invalid-input.js'
import { part } from '../../base/util/load-part.js'
import { ownState } from '../../base/util/own-state.js'
import { noteStateDirectory } from '../../base/util/state-directories.js'
import type { BashResult } from '../run/result.js'
import { noStateDirectory } from './errors.js'
import type { CallIdentity, CallLedgerOptions, CallStatus, LedgerSettings } from './ledger-options.js'
import type * as Operations from './operations.js'

export interface AttachOptions {
  /** Aborting it ends the waiting; the call goes on. */
  cancel?: AbortSignal | undefined
}

const names = [
  ...['directory', 'tenant', 'durable', 'anyFileSystem', 'beforeResult'],
] as const satisfies readonly (keyof CallLedgerOptions)[]
const identityNames = ['callId', 'conversationId'] as const satisfies readonly (keyof CallIdentity)[]

const operations = part((): typeof Operations => require('./operations.js'))

/**
 * Give it to tools as `calls`: their calls need a `toolCallId` then, and one that is sent again does not run again. Any
 * number of ledgers in any number of processes of one machine share a directory. It holds no descriptor and no timer.
 *
 * Its methods reject with BashError: ERR_INVALID_INPUT; ERR_CALL_DIRECTORY when the directory cannot be used;
 * ERR_UNSUPPORTED_PLATFORM on the portable engine.
 */
export class CallLedger implements LedgerSettings {
  /** Absolute path. It is created with the first call. */
  readonly directory: string
  readonly tenant: string | undefined
  readonly durable: boolean
  readonly anyFileSystem: boolean
  readonly beforeResult: CallLedgerOptions['beforeResult']

  /** @throws {BashError} ERR_INVALID_INPUT; ERR_CALL_DIRECTORY when there is no home directory */
  constructor(options: CallLedgerOptions = {}) {
    const { directory, tenant, durable, anyFileSystem, beforeResult } = checkObject('options', options, names)
    if (directory !== undefined) checkAbsolutePath('options.directory', directory)
    this.directory = (directory as string | undefined) ?? defaultCallsDirectory()
    this.tenant = tenant === undefined ? undefined : checkIdentifier('options.tenant', tenant)
    this.durable = checkFlag('options.durable', durable)
    this.anyFileSystem = checkFlag('options.anyFileSystem', anyFileSystem)
    this.beforeResult = checkType('options.beforeResult', beforeResult, 'function')
    noteStateDirectory(this.directory)
  }

  /** What is known of a call. */
  async status(call: CallIdentity): Promise<CallStatus> {
    return await operations().callStatus(this, checkIdentity(call))
  }

  /**
   * Waits for a call that runs, in this process or another one of this machine, and gives its result; not what it prints
   * meanwhile.
   *
   * @returns undefined when it has never started
   * @throws {BashError} ERR_CANCELLED
   */
  async attach(call: CallIdentity, options: AttachOptions = {}): Promise<BashResult | undefined> {
    const { cancel } = checkObject('options', options, ['cancel'])
    const signal = checkAbortSignal('options.cancel', cancel)
    return await operations().attachToCall(this, checkIdentity(call), signal)
  }

  /**
   * Forgets calls that started more than 7 days ago, by the clock and, since the machine has booted, by the time that has
   * passed; and the oldest output beyond 256 MiB. Tools do it now and then.
   *
   * @returns how many calls were forgotten
   */
  async cleanUp(): Promise<number> {
    return await operations().cleanUpCalls(this)
  }
}

function checkIdentity(call: unknown): CallIdentity {
  const { callId, conversationId } = checkObject('call', call, identityNames)
  return {
    callId: checkIdentifier('call.callId', callId),
    conversationId:
      conversationId === undefined ? undefined : checkIdentifier('call.conversationId', conversationId),
  }
}

function defaultCallsDirectory(): string {
  const state = ownState()
  if (state === undefined || !isAbsolute(state)) throw noStateDirectory()
  return join(state, 'calls')
}
