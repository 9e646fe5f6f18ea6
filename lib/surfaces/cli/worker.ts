// `bashward worker`: runs the commands of a fleet on this machine.

import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { BashError, messageOf } from '../../base/errors.js'
import { ownState } from '../../base/util/own-state.js'
import { signalStatus } from '../../commands/run/exit-status.js'
import { protectHost } from '../../processes/environment/protect-host.js'
import {
  commonOptions,
  ExitStatus,
  parseDirectory,
  parseOptions,
  parseSeconds,
  parseToolOptions,
  toolOptions,
  UsageError,
  wrongValue,
} from './command-line.js'
import { readKey, readSecretLine } from './descriptors.js'
import { printHelpOrVersion } from './help/print.js'
import { workerHelp } from './help/worker.js'
import { checkOwnPlace } from './own-place.js'
import { writeText } from './stdio.js'
import { loadFleetPart } from './worker-part.js'
import { workerStatusCommand } from './worker-status.js'

const program = 'bashward worker'

const { cwd: _, ...commandOptions } = toolOptions
const options = {
  id: { type: 'string' },
  redis: { type: 'string' },
  'redis-password-fd': { type: 'string' },
  workspaces: { type: 'string' },
  state: { type: 'string' },
  'accept-keys': { type: 'string' },
  concurrency: { type: 'string' },
  'session-key-fd': { type: 'string' },
  ...commandOptions,
  workspace: { type: 'boolean' },
  grace: { type: 'string' },
  'live-rate': { type: 'string' },
  heartbeat: { type: 'string' },
  ttl: { type: 'string' },
  'as-root': { type: 'boolean' },
  ...commonOptions,
} as const

/** Exit statuses of its own. */
const nameTaken = 3
const nameLost = 4

const defaultConcurrency = 64
const defaultLiveRate = 1024 * 1024

/**
 * @param args the words after `worker`
 * @returns the exit status, when it has ended
 * @throws {UsageError}
 */
export async function workerCommand(args: string[]): Promise<number> {
  if (args[0] === 'status') return await workerStatusCommand(args.slice(1))
  const { values, words } = parseOptions(program, args, options)
  if (values.help) return await printHelpOrVersion('help', workerHelp)
  if (values.version) return await printHelpOrVersion('version', workerHelp)
  if (words.length > 0) throw new UsageError(program, `unexpected word '${words[0]}'`)
  refuseRoot(values['as-root'] === true)

  const fleet = loadFleetPart(program)
  const id = fleet.checkWorkerName('--id', required('--id', values.id))
  const password = readSecretLine(program, '--redis-password-fd', values['redis-password-fd'])
  const redis = fleet.checkConnection('--redis', { url: required('--redis', values.redis), password })
  // What it does with its session key and the others is nobody's to read.
  const sessionKey = readKey(program, '--session-key-fd', values['session-key-fd'])
  const { workspace, strict, ...tool } = parseToolOptions(program, values, values.workspace ? '.' : undefined)
  const heartbeatMs = parseSeconds(program, '--heartbeat', values.heartbeat, [50, 60_000]) ?? 1000
  const ttlMs = parseSeconds(program, '--ttl', values.ttl, [200, 600_000]) ?? 5000
  if (ttlMs < 2 * heartbeatMs) throw new UsageError(program, '--ttl must be at least twice --heartbeat')
  const { sandbox, scratch, safety, env } = tool
  const settings = {
    id,
    redis,
    workspaces: directoryOf('--workspaces', required('--workspaces', values.workspaces)),
    state: values.state === undefined ? defaultState(id) : directoryOf('--state', values.state),
    acceptedKeys: fleet.readAcceptedKeys(
      '--accept-keys',
      readKeys(required('--accept-keys', values['accept-keys'])),
    ),
    concurrency: parseCount('--concurrency', values.concurrency, [1, 1000]) ?? defaultConcurrency,
    sandbox,
    workspace: workspace && { ...workspace, writable: workspace.writable?.slice(1) ?? [] },
    tool: { safety, ...(env && { env }), ...(scratch !== undefined && { scratch }) },
    sessionKey,
    liveBytesPerSecond: parseCount('--live-rate', values['live-rate'], [1024, 1024 ** 3]) ?? defaultLiveRate,
    graceMs: parseSeconds(program, '--grace', values.grace, [0, 86_400_000]) ?? 20_000,
    warn: (line: string) => void say(line),
    timings: { heartbeatMs, ttlMs, lookMs: 2 * heartbeatMs, lockMs: 3 * ttlMs },
  }
  hide()
  const roots = settings.workspace && [settings.workspaces, ...settings.workspace.writable]
  const allowed = roots && { ...settings.workspace, writable: roots }
  await checkOwnPlace(program, allowed, strict)
  return await serve(settings, fleet.FleetWorker)
}

type Fleet = ReturnType<typeof loadFleetPart>

async function serve(
  settings: Parameters<Fleet['FleetWorker']['start']>[0],
  FleetWorker: Fleet['FleetWorker'],
): Promise<number> {
  const worker = await FleetWorker.start(settings).catch((error: unknown) => {
    if (BashError.isInstance(error)) throw error
    throw new UsageError(program, `Redis cannot be used: ${messageOf(error)}`)
  })
  if (typeof worker === 'string') {
    const what = worker === 'name' ? `the name ${settings.id}` : `the state directory ${settings.state}`
    await say(`another process has ${what}`)
    return nameTaken
  }
  let told = 0
  const onSignal = (signal: NodeJS.Signals) => {
    told += 1
    if (told > 1) process.exit(signalStatus(signal))
    void worker.drain()
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal)
  await writeText(process.stdout, `ready ${settings.id}\n`)
  const end = await worker.ended
  if (end === 'fenced') await say(`another process has taken the name ${settings.id}`)
  return end === 'fenced' ? nameLost : ExitStatus.success
}

async function say(message: string): Promise<void> {
  await writeText(process.stderr, `${program}: ${message}\n`)
}

function refuseRoot(isMeant: boolean): void {
  if (process.geteuid?.() !== 0 || isMeant) return
  const reason = 'its commands would be root’s, too; start it as a user of its own, or with --as-root'
  throw new UsageError(program, reason)
}

/** Its password is in its memory. */
function hide(): void {
  try {
    protectHost()
  } catch (error) {
    // Without the addon it does not start: it says so itself.
    if (!BashError.isInstance(error)) throw error
  }
}

function required(option: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new UsageError(program, `${option} is missing`)
  return value
}

function directoryOf(option: string, value: string): string {
  const directory = resolve(parseDirectory(program, value, option))
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new UsageError(program, `${option} ${directory} cannot be made: ${messageOf(error)}`)
  }
  return directory
}

function defaultState(id: string): string {
  const state = ownState()
  if (state === undefined) throw new UsageError(program, '--state is missing, and there is no home directory')
  return join(state, 'worker', id)
}

function readKeys(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(program, `--accept-keys cannot be read: ${messageOf(error)}`)
  }
}

function parseCount(
  option: string,
  value: string | undefined,
  [minimum, maximum]: readonly [number, number],
): number | undefined {
  if (value === undefined) return undefined
  const count = /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN
  if (count >= minimum && count <= maximum) return count
  throw wrongValue(program, option, `must be a number from ${minimum} to ${maximum}`, value)
}
