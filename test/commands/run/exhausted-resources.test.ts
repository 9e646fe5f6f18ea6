// A host that has run out of descriptors or processes gets typed errors, and goes on working once there are some again.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { constants } from 'node:os'
import { canBecomeOrdinaryUser, ordinaryUserPrefix } from '../../support/as-user.js'
import { type Host, killHosts, startHost } from '../../support/host.js'
import { cannotTest } from '../../support/must-work.js'
import { waitFor } from '../../support/wait-for.js'

afterEach(killHosts)

interface Outcome {
  status?: string
  output?: string
  thrown?: { name: string; code: string; message: string; step: string; errno: number }
  isBashError?: boolean
}

const { EMFILE, EAGAIN } = constants.errno
const worked: Outcome = { status: 'completed', output: 'done\n' }

const start = async (options: { warm: boolean; ordinaryUser?: boolean }) => {
  const { warm, ordinaryUser = false } = options
  const host = startHost('run-on-signal', { argument: { command: 'echo done', warm }, ordinaryUser })
  await host.report('result')
  await settled(host)
  let count = 0
  const next = (): Promise<Outcome> => {
    count += 1
    host.kill('SIGUSR2')
    return host.report(`outcome${count}`)
  }
  return { host, next }
}

const linkOf = (path: string): string => {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

/** Waits until the host has reaped the supervisors of its commands: until then each holds a descriptor. */
const settled = async ({ pid }: Host): Promise<void> => {
  const links = () => readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`))
  await waitFor(() => !links().some((link) => link.includes('pidfd')), {
    what: 'the supervisors to be reaped',
  })
}

/** Sets a soft limit of a host, as the user whose process it is: prlimit(1); false when that is not possible here. */
const setSoftLimit = (
  { pid }: Host,
  resource: 'nofile' | 'nproc',
  value: number | string,
  prefix: string[] = [],
): boolean => {
  const [program = 'prlimit', ...args] = [
    ...prefix,
    'prlimit',
    '--pid',
    String(pid),
    `--${resource}=${value}:`,
  ]
  return spawnSync(program, args).status === 0
}

const openDescriptors = ({ pid }: Host): number[] => readdirSync(`/proc/${pid}/fd`).map(Number)

/** The number that the next descriptor of the host will have. */
const nextDescriptor = (host: Host): number => {
  const open = new Set(openDescriptors(host))
  let free = 0
  while (open.has(free)) free += 1
  return free
}

const softLimit = ({ pid }: Host, title: string): string => {
  const limits = readFileSync(`/proc/${pid}/limits`, 'utf8')
  return new RegExp(`^${title} +(\\w+)`, 'm').exec(limits)?.[1] ?? ''
}

describe('descriptors', () => {
  test('none left: EMFILE, and afterwards commands run again', async () => {
    const { host, next } = await start({ warm: true })
    const before = softLimit(host, 'Max open files')
    if (!setSoftLimit(host, 'nofile', nextDescriptor(host))) return cannotTest('there is no prlimit')

    expect(await next()).toEqual({
      isBashError: true,
      thrown: {
        name: 'BashError',
        code: 'ERR_SPAWN',
        message: 'pipe: EMFILE (too many open files)',
        step: 'pipe',
        errno: EMFILE,
      },
    })
    setSoftLimit(host, 'nofile', before)
    expect(await next()).toEqual(worked)
  })

  test('whatever step lacks them, it is EMFILE, and none is lost', async () => {
    const { host, next } = await start({ warm: true })
    const open = openDescriptors(host).length
    const first = nextDescriptor(host)
    if (!setSoftLimit(host, 'nofile', first)) return cannotTest('there is no prlimit')
    const steps = new Set<string | undefined>()
    let outcome: Outcome
    let limit = first
    do {
      setSoftLimit(host, 'nofile', limit)
      outcome = await next()
      if (outcome.thrown !== undefined)
        expect(outcome.thrown).toMatchObject({ code: 'ERR_SPAWN', errno: EMFILE })
      steps.add(outcome.thrown?.step)
      limit += 1
    } while (outcome.thrown !== undefined && limit < first + 30)

    expect(outcome).toEqual(worked)
    expect([...steps]).toEqual(['pipe', 'socketpair', 'clone', undefined])
    await settled(host)
    expect(openDescriptors(host)).toHaveLength(open)
  })

  test('none left to load what the first command needs: a typed error, and afterwards commands run', async () => {
    const { host, next } = await start({ warm: false })
    const before = softLimit(host, 'Max open files')
    if (!setSoftLimit(host, 'nofile', nextDescriptor(host))) return cannotTest('there is no prlimit')

    expect(await next()).toMatchObject({
      isBashError: true,
      thrown: { code: 'ERR_SPAWN', step: 'open', errno: EMFILE },
    })
    setSoftLimit(host, 'nofile', before)
    expect(await next()).toEqual(worked)
  })

  test('none left for the first command: a typed error, and afterwards commands run', async () => {
    const { host, next } = await start({ warm: false })
    const before = softLimit(host, 'Max open files')
    // What it takes to load the addon, and too few to start its thread.
    if (!setSoftLimit(host, 'nofile', nextDescriptor(host) + 1)) return cannotTest('there is no prlimit')

    expect(await next()).toMatchObject({ isBashError: true, thrown: { code: 'ERR_SPAWN', errno: EMFILE } })
    setSoftLimit(host, 'nofile', before)
    expect(await next()).toEqual(worked)
  })
})

describe('processes, as an ordinary user', () => {
  test.each([
    ['none left', true],
    ['none left for the first command', false],
  ])('%s: EAGAIN, and afterwards commands run again', async (_, warm) => {
    if (!canBecomeOrdinaryUser()) return cannotTest('setpriv cannot change the user here')
    const { host, next } = await start({ warm, ordinaryUser: true })
    const before = softLimit(host, 'Max processes')
    if (!setSoftLimit(host, 'nproc', 1, ordinaryUserPrefix())) return cannotTest('there is no prlimit')

    const failed = await next()
    expect(failed).toMatchObject({ isBashError: true, thrown: { code: 'ERR_SPAWN', errno: EAGAIN } })
    expect(failed.thrown?.message).toContain('EAGAIN (resource temporarily unavailable)')
    setSoftLimit(host, 'nproc', before, ordinaryUserPrefix())
    expect(await next()).toEqual(worked)
  })
})
