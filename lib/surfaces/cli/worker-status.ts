// `bashward worker status`: the workers of a fleet, and what waits for them.

import { messageOf } from '../../base/errors.js'
import { formatAge } from '../../processes/output/age.js'
import type { WorkerStatus } from '../fleet/worker/status.js'
import { paintReport } from './colors.js'
import { commonOptions, ExitStatus, parseOptions, UsageError } from './command-line.js'
import { readSecretLine } from './descriptors.js'
import { printHelpOrVersion } from './help/print.js'
import { workerHelp } from './help/worker.js'
import { print, printJson, widthOf } from './stdio.js'
import { type Cell, table } from './text-table.js'
import { loadFleetPart } from './worker-part.js'

const program = 'bashward worker status'

const options = {
  id: { type: 'string' },
  redis: { type: 'string' },
  'redis-password-fd': { type: 'string' },
  json: { type: 'boolean' },
  ...commonOptions,
} as const

/** @throws {UsageError} */
export async function workerStatusCommand(args: string[]): Promise<number> {
  const { values, words } = parseOptions(program, args, options)
  if (values.help) return await printHelpOrVersion('help', workerHelp)
  if (values.version) return await printHelpOrVersion('version', workerHelp)
  if (words.length > 0) throw new UsageError(program, `unexpected word '${words[0]}'`)
  const fleet = loadFleetPart(program)
  if (values.redis === undefined) throw new UsageError(program, '--redis is missing')
  const password = readSecretLine(program, '--redis-password-fd', values['redis-password-fd'])
  const redis = fleet.checkConnection('--redis', { url: values.redis, password })
  const id = values.id === undefined ? undefined : fleet.checkWorkerName('--id', values.id)
  let workers: WorkerStatus[]
  try {
    workers = await fleet.readStatus(redis, id)
  } catch (error) {
    throw new UsageError(program, `Redis cannot be asked: ${messageOf(error)}`)
  }
  if (values.json) await printJson(workers)
  else await print(statusReport(workers))
  return ExitStatus.success
}

function statusReport(workers: readonly WorkerStatus[]): string {
  if (workers.length === 0) return 'No workers\n'
  const { stdout } = process
  const heading = ['WORKER', 'STATE', 'RUNNING', 'WAITING', 'OLDEST', 'MODE', 'SINCE']
  const rows = workers.map(({ id, node, waiting, oldestMs }): Cell[] => [
    [id],
    stateOf(node),
    [node === null ? '' : `${node.running} of ${node.capacity}`],
    [String(waiting)],
    [oldestMs === null ? '' : formatAge(oldestMs)],
    [node?.sandbox ?? ''],
    [node === null ? '' : formatAge(Date.now() - node.startedAt)],
  ])
  const cells = [heading.map((title): Cell => [title, 'dim']), ...rows]
  return table(cells, {
    overflow: 'wrap',
    width: widthOf(stdout),
    paint: (style, text) => paintReport(stdout, style, text),
  })
}

function stateOf(node: WorkerStatus['node']): Cell {
  if (node === null) return ['gone', 'red']
  return node.draining ? ['draining', 'yellow'] : ['there', 'green']
}
