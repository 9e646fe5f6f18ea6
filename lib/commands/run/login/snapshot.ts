// Asking a login shell for its environment: a command like any other, with the same sandbox and limits.

import { messageOf } from '../../../base/errors.js'
import { randomHex } from '../../../base/util/lazy.js'
import { onAbort } from '../../../base/util/listeners.js'
import { signalName } from '../../../base/util/signal-names.js'
import { findBash } from '../../../guard/sandbox/find-bash.js'
import { commandNetwork } from '../../../guard/sandbox/network-policy.js'
import { requireSandbox } from '../../../guard/sandbox/requirements.js'
import { provenEngine } from '../../../processes/engine/choose.js'
import { type Completion, Outcome } from '../../../processes/engine/completion.js'
import type { CommandRequest } from '../../../processes/engine/request.js'
import type { EncodedEnvironment } from '../../../processes/environment/command-environment.js'
import {
  readSnapshot,
  snapshotCommand,
  type Variables,
} from '../../../processes/environment/login/snapshot-text.js'
import { bashProfile } from '../../../processes/output/profile.js'
import { buildRequest } from '../request.js'
import type { ResolvedOptions } from '../resolved-options.js'
import { startFailure } from '../start-failure.js'

export interface Snapshot {
  /** Undefined: there are none, for the reason that `error` has. */
  variables?: Variables
  error?: string
  /** What start-up files have changed of what is watched. */
  changed: string[]
  changedDropped: number
}

/** Milliseconds. */
const timeLimit = 5000
const maxBytes = 1024 * 1024

/**
 * Never rejects.
 *
 * @param signal ends the login shell, when nobody waits for it any more
 */
export async function takeSnapshot(options: ResolvedOptions, signal: AbortSignal): Promise<Snapshot> {
  try {
    return await ask(options, signal)
  } catch (error) {
    return failed(messageOf(error))
  }
}

const failed = (error: string): Snapshot => ({ error, changed: [], changedDropped: 0 })

async function ask(options: ResolvedOptions, signal: AbortSignal): Promise<Snapshot> {
  const { policy, required } = options
  if (policy !== undefined) await requireSandbox(required, policy)
  const { engine } = await provenEngine()
  const domains = policy?.network ? policy.network.domains : undefined
  const network = domains && (await commandNetwork().openNetwork(domains))
  const environment = options.environment.current()
  const word = randomHex(16)
  const command = snapshotCommand(options.shellPath ?? findBash(environment), word)
  const request = buildRequest(command, { ...options, ...ownOptions }, environment, undefined, network)
  const completion = await new Promise<Completion>((resolve) => {
    const id = engine.start(request, resolve)
    onAbort(signal, () => engine.cancel(id))
  })
  const snapshot = evaluate(request, completion, word)
  if (snapshot.variables !== undefined) {
    snapshot.variables = withoutLoans(snapshot.variables, request, environment)
  }
  const { changed = [], changedDropped = 0 } = completion.report ?? {}
  return { ...snapshot, changed, changedDropped }
}

/** An interactive bash ignores SIGTERM. */
const ownOptions: Partial<ResolvedOptions> = {
  timeoutMs: timeLimit,
  termGraceMs: 0,
  killSurvivors: true,
  separateStreams: false,
  input: undefined,
  output: { ...bashProfile, headBytes: maxBytes, tailBytes: 0 },
  saveOutput: undefined,
  errorLines: undefined,
  adoption: undefined,
  session: undefined,
}

function evaluate(request: CommandRequest, completion: Completion, word: string): Snapshot {
  const { outcome, exited, report } = completion
  if (outcome === Outcome.notStarted) throw startFailure(request, completion)
  if (outcome === Outcome.timedOut)
    return failed(`the login shell did not end within ${timeLimit / 1000} seconds`)
  if (outcome !== Outcome.ended || report?.brokerEnded === true) return failed('the login shell was killed')
  const [stream] = completion.streams
  const { head, total } =
    typeof stream === 'string' ? { head: Buffer.from(stream, 'latin1'), total: stream.length } : stream
  const how =
    exited === undefined || exited.signal === 0 ? `exit code ${exited?.exitCode}` : signalName(exited.signal)
  const variables = readSnapshot(head, word)
  if (variables === undefined) return failed(`start-up files ended the login shell (${how})`)
  if (total > head.length) return failed(`the login shell's environment is larger than ${maxBytes} bytes`)
  if (exited?.exitCode !== 0) return failed(`the login shell's environment could not be read (${how})`)
  return { variables, changed: [], changedDropped: 0 }
}

/** What only this command had, such as its scratch directory and its way to the proxy, is not for others. */
function withoutLoans(
  variables: Variables,
  { environment }: CommandRequest,
  { encoded }: EncodedEnvironment,
): Variables {
  const own = Object.assign(Object.create(null), variables) as Record<string, string>
  const before = new Map(entriesOf(encoded))
  for (const [name, value] of entriesOf(environment.subarray(encoded.length))) {
    if (own[name] !== value) continue
    const given = before.get(name)
    if (given === undefined) delete own[name]
    else own[name] = given
  }
  return own
}

function entriesOf(encoded: Buffer): (readonly [string, string])[] {
  return encoded
    .toString()
    .split('\0')
    .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)] as const)
}
