// A command that tries all that sockets are for, in a host for which some of its system calls fail.
import { chmodSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { ordinaryOwner } from '../../support/as-user.js'
import { runHost } from '../../support/host.js'
import { isAlive, processesWith, uniqueSleep } from '../../support/processes.js'
import { tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { attackPath } from '../attack-program.js'
import { buildFixture } from '../build-fixture.js'
import { serveHttp } from './local-servers.js'

/** A call by its name in refuse-call.c, and its error. */
export type Fault = readonly [call: string, error: string]

/** What a command's own servers do; reach-own.c. */
export const ownKinds = ['tcp', 'tcp_later', 'tcp6', 'local', 'local_later', 'bound_again', 'routes'] as const

interface Result {
  status?: string
  output?: string
  error?: { code: string }
  thrown?: { name: string; code: string; message: string; step?: string }
}

export interface Trial {
  result: Result
  /** What came of each attempt, by its name. */
  lines: Record<string, string>
  /** Who has come to whom. */
  arrivals: { foreign: number; foreignLocal: number; allowed: number; denied: number }
}

export interface TrialOptions {
  faults?: readonly Fault[]
  /** From the start of the host, and not only for the command: also where it is found out what the kernel can do. */
  fromStart?: boolean
  ordinaryUser?: boolean
  sandbox?: string
  kinds?: readonly string[]
  timeout?: number
  /** Words before the host. */
  prefix?: string[]
}

interface Programs {
  attack: string
  reachOwn: string
  refuseCall: string
  refuseCallLater: string
}

const built: { programs?: Programs | undefined } = {}

/** Undefined without a C compiler. */
export const programs = (): Programs | undefined => {
  if ('programs' in built) return built.programs
  const attack = attackPath()
  const reachOwn = buildFixture('reach-own')
  const refuseCall = buildFixture('refuse-call')
  const refuseCallLater = buildFixture('refuse-call', '-shared', '-fPIC', '-DAS_LIBRARY')
  const all =
    attack !== undefined &&
    reachOwn !== undefined &&
    refuseCall !== undefined &&
    refuseCallLater !== undefined
  built.programs = all ? { attack, reachOwn, refuseCall, refuseCallLater } : undefined
  return built.programs
}

const services = new Set<Server>()

/** For `afterEach`. */
export const closeServices = (): void => {
  for (const service of services) service.close()
  services.clear()
}

/** A service of somebody else's, which counts who comes. */
const serve = async (where: string | number, onArrival: () => void): Promise<string> => {
  const server = createServer((socket) => {
    onArrival()
    socket.on('error', () => {}).destroy()
  })
  services.add(server)
  await new Promise<void>((resolve) => {
    if (typeof where === 'string') server.listen(where, resolve)
    else server.listen(where, '127.0.0.1', resolve)
  })
  const address = server.address()
  return typeof address === 'object' ? String(address?.port) : where.toString()
}

const linesOf = ({ output = '' }: Result): Record<string, string> =>
  Object.fromEntries(
    [...output.matchAll(/^(\w+): (.*)$/gm)].map(([, name = '', outcome = '']) => [name, outcome]),
  )

/** Runs it, and waits until all that it started has ended. */
export const tryFaults = async (own: Programs, options: TrialOptions): Promise<Trial> => {
  const {
    faults = [],
    fromStart = false,
    ordinaryUser = false,
    sandbox = 'workspace',
    kinds = ownKinds,
    timeout = 20_000,
  } = options
  const owner = ordinaryUser ? ordinaryOwner : undefined
  const marker = uniqueSleep()
  const arrivals = { foreign: 0, foreignLocal: 0, allowed: 0, denied: 0 }
  const outside = join(tempDir({ owner }), 'outside.socket')
  const port = await serve(0, () => (arrivals.foreign += 1))
  await serve(outside, () => (arrivals.foreignLocal += 1))
  chmodSync(outside, 0o777)
  const allowed = await serveHttp((_, answer) => {
    arrivals.allowed += 1
    answer.end('page')
  })
  const denied = await serveHttp((_, answer) => {
    arrivals.denied += 1
    answer.end('denied')
  })
  const line = (name: string, command: string): string => `printf '${name}: %s\\n' "$(${command})"`
  const command = [
    line('foreign', `'${own.attack}' dial 127.0.0.1 ${port}`),
    line('foreign_later', `'${own.attack}' dial-without-waiting 127.0.0.1 ${port}`),
    line('foreign_local', `'${own.attack}' local-dial path '${outside}'`),
    ...kinds.map((kind) => line(kind, `'${own.reachOwn}' ${kind} ${marker}`)),
    line('allowed', `curl -s -m 15 http://${allowed}/${marker}`),
    line('denied', `curl -s -m 15 http://${denied}/${marker}`),
  ].join('\n')
  const workspace = { network: { domains: [allowed] } }
  const { result, children } = await runHost<{ result: Result; children: number[] }>('network-faults', {
    ordinaryUser,
    prefix: [
      ...(options.prefix ?? []),
      ...(fromStart ? faults.flatMap(([call, error]) => [own.refuseCall, call, error]) : []),
    ],
    argument: {
      command,
      ...(!fromStart &&
        faults.length > 0 && { refusing: own.refuseCallLater, refused: faults.flat().join('\n') }),
      options: {
        cwd: tempDir({ owner }),
        sandbox,
        ...(sandbox === 'workspace' && { workspace }),
        scratch: false,
        timeout,
      },
    },
  })
  await waitFor(() => processesWith(marker).length === 0 && !children.some(isAlive), {
    what: 'what the host and the command have started to end',
  })
  closeServices()
  return { result, lines: linesOf(result), arrivals }
}
