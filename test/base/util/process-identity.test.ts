// A process is its pid, its start time and its boot.
import { execFileSync } from 'node:child_process'
import fs, { readFileSync, symlinkSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import {
  bootId,
  isAlive,
  parseStat,
  pidNamespace,
  processStartTime,
  remainingGroup,
} from '../../../lib/base/util/process-identity.js'
import { nobody, startChild, startGroup, startSleep, stopAll } from '../../commands/jobs/job-files.js'
import { isAlive as isRunning } from '../../support/processes.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'

afterEach(async () => {
  await stopAll()
  removeTempDirs()
})

const here = () => bootId()

describe('bootId', () => {
  test('is the UUID of this boot', () => {
    expect(bootId()).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(bootId()).toBe(readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
  })
})

describe('parseStat', () => {
  const rest = 'S 1 4242 4243 0 -1 4194560 11 12 13 14 15 16 17 18 20 0 1 0 998877 1000 1 0'

  test.each(['sleep', 'a b', 'a) b', '((', ') Z 1 (', ''])('reads what follows the name %p', (name) => {
    expect(parseStat(`4242 (${name}) ${rest}\n`)).toEqual({
      state: 'S',
      pgid: 4242,
      sid: 4243,
      startTime: 998_877,
    })
  })
})

describe('processStartTime', () => {
  test('is the number that ps calculates the start from', async () => {
    const { pid, startTime } = await startSleep()
    const ticks = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
    const uptime = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0])

    expect(processStartTime(pid)).toBe(startTime)
    expect(Math.abs(startTime / ticks - uptime)).toBeLessThan(60)
  })

  test('is that of a process with blanks and parentheses in its name', async () => {
    const program = join(tempDir(), 'x) S 1 (y')
    symlinkSync(process.execPath, program)
    const { pid } = await startChild(program, ['-e', 'console.log(); setTimeout(() => {}, 300_000)'])

    expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain('(x) S 1 (y)')
    expect(processStartTime(pid)).toBeGreaterThan(0)
  })

  test('is undefined for a pid that nobody has', () => {
    expect(processStartTime(nobody.pid)).toBeUndefined()
  })
})

describe('isAlive', () => {
  test('knows a process that runs', async () => {
    const { pid, startTime } = await startSleep()

    expect(isAlive({ pid, startTime, bootId: here() })).toBe(true)
  })

  test('does not take another process with the same pid for it', async () => {
    const { pid, startTime } = await startSleep()

    expect(isAlive({ pid, startTime: startTime - 1, bootId: here() })).toBe(false)
  })

  test('does not take a process of another boot for it', async () => {
    const { pid, startTime } = await startSleep()

    expect(isAlive({ pid, startTime, bootId: '00000000-0000-0000-0000-000000000000' })).toBe(false)
  })

  test('knows one that has ended', async () => {
    const process = await startSleep()
    await process.stop()

    expect(isAlive({ ...process, bootId: here() })).toBe(false)
  })

  test('counts a zombie as dead', async () => {
    // The first shell becomes a sleep that never waits for its child.
    const parent = await startChild('bash', ['--norc', '-c', 'sleep 0.01 & echo $!; exec sleep 300'])
    const zombie = Number(parent.firstOutput)
    const state = () => parseStat(readFileSync(`/proc/${zombie}/stat`, 'latin1'))
    const { startTime } = await waitFor(() => (state().state === 'Z' ? state() : undefined), {
      what: 'a zombie',
    })

    expect(isAlive({ pid: zombie, startTime, bootId: here() })).toBe(false)
    expect(processStartTime(zombie)).toBeUndefined()
  })
})

describe('remainingGroup', () => {
  test('finds leader and child', async () => {
    const { pid, startTime } = await startGroup()

    expect(remainingGroup({ pid, startTime, bootId: here() })).toHaveLength(2)
  })

  test('finds the child when the leader is gone', async () => {
    const group = await startGroup()
    const leader = { ...group, bootId: here() }
    group.child.kill('SIGKILL')
    await waitFor(() => !isRunning(group.pid), { what: 'the leader to end' })

    const remaining = remainingGroup(leader)

    expect(remaining).toHaveLength(1)
    expect(remaining).not.toContain(group.pid)
  })

  test('finds nobody when the number means another group', async () => {
    const { pid, startTime } = await startGroup()

    expect(remainingGroup({ pid, startTime: startTime - 1, bootId: here() })).toEqual([])
  })

  test('finds nobody in another boot', async () => {
    const { pid, startTime } = await startGroup()

    expect(remainingGroup({ pid, startTime, bootId: 'another' })).toEqual([])
  })

  test('finds nobody when all have ended', async () => {
    const group = await startGroup()
    const leader = { ...group, bootId: here() }
    await group.stop()

    await waitFor(() => remainingGroup(leader).length === 0, { what: 'the group to be gone' })
  })
})

describe('an error of /proc is no verdict', () => {
  afterEach(() => jest.restoreAllMocks())

  const failReading = (file: string, code: 'EMFILE' | 'ENFILE' | 'EIO' | 'ENOMEM' | 'ESRCH') => {
    const read = readFileSync
    jest.spyOn(fs, 'readFileSync').mockImplementation((...args: Parameters<typeof readFileSync>) => {
      if (args[0] !== file) return read(...args)
      throw Object.assign(new Error(code), { code, errno: -constants.errno[code] })
    })
  }

  test.each(['EMFILE', 'ENFILE', 'EIO', 'ENOMEM'] as const)('%s', async (code) => {
    const { pid, startTime } = await startSleep()
    const path = `/proc/${pid}/stat`
    failReading(path, code)
    const process = { pid, startTime, bootId: here(), pidNamespace: pidNamespace() }
    const errno = constants.errno[code]
    const error = expect.objectContaining({ code: 'ERR_JOB_DIRECTORY', step: 'read', errno, path })

    expect(() => isAlive(process)).toThrow(error)
    expect(() => remainingGroup(process)).toThrow(error)
  })

  test('ESRCH means that the process has ended', async () => {
    const { pid, startTime } = await startSleep()
    failReading(`/proc/${pid}/stat`, 'ESRCH')

    expect(isAlive({ pid, startTime, bootId: here(), pidNamespace: pidNamespace() })).toBe(false)
  })
})
