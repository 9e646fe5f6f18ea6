// Calls on a disk that is full, before they are marked and after.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BashResult } from '../../../lib/index.js'
import { isRoot } from '../../support/as-user.js'
import { killHosts, runHost } from '../../support/host.js'
import { cannotTest } from '../../support/must-work.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterEach(killHosts)
afterEach(removeTempDirs)

/** A small file system of its own for the host, which nobody else sees. */
const smallDisk = (mount: string, options: string): string[] => {
  const script = `mount -t tmpfs -o ${options},mode=0700 none "$0" && exec "$@"`
  const user = isRoot ? [] : ['--user', '--map-root-user']
  return ['unshare', ...user, '--mount', '--propagation', 'private', 'sh', '-c', script, mount]
}

const onDisk = async (argument: object, options = 'size=1M'): Promise<BashResult[] | undefined> => {
  const mount = tempDir()
  const prefix = smallDisk(mount, options)
  const [program = '', ...args] = prefix
  if (spawnSync(program, [...args, 'true'], { stdio: 'ignore' }).status !== 0) {
    cannotTest('a file system can only be mounted by root or in a user namespace')
    return undefined
  }
  return await runHost<BashResult[]>('calls', { argument: { ...argument, directory: mount }, prefix })
}

/** Calls that note their runs elsewhere. */
const noting = () => {
  const runs = join(tempDir(), 'runs')
  const call = (id: string, more = {}) => ({ id, command: `echo ${id} >> ${runs}; echo out`, ...more })
  return { call, runs: () => readFileSync(runs, 'utf8') }
}

test('without room for its mark a call does not start, and its id is not used up', async () => {
  const { call, runs } = noting()
  const results = await onDisk({
    calls: [call('first'), call('a', { full: true }), call('a', { free: true }), call('a')],
  })
  if (results === undefined) return
  const [first, refused, last, again] = results

  expect(first).toMatchObject({ status: 'completed' })
  expect(refused).toMatchObject({
    status: 'error',
    error: {
      code: 'ERR_NOT_STARTED',
      message: expect.stringMatching(/nothing of it has run: make call mark: ENOSPC/),
    },
  })
  expect(last).toMatchObject({ status: 'completed', output: 'out\n' })
  expect(last?.replayed).toBeUndefined()
  expect(again).toMatchObject({ output: 'out\n', replayed: true })
  expect(runs()).toBe('first\na\n')
})

test('without room for the directory of the ledger a call does not start', async () => {
  const { call, runs } = noting()
  // Inodes for the root and the file that takes the room.
  const calls = [call('a', { full: true }), call('a', { free: true })]
  const results = await onDisk({ calls }, 'size=1M,nr_inodes=2')
  if (results === undefined) return
  const [refused, free] = results

  expect(refused).toMatchObject({
    status: 'error',
    error: { code: 'ERR_CALL_DIRECTORY', message: expect.stringMatching(/^mkdir .*: ENOSPC/) },
  })
  // There is room for the directory now, and for nothing in it.
  expect(free).toMatchObject({ status: 'error', error: { code: 'ERR_NOT_STARTED' } })
  expect(runs).toThrow('ENOENT')
})

test.each([
  // What is short fits behind the mark.
  ['and what it printed', 'echo out; exit 3', { output: 'out\nout\n' }],
  ['but not all that it printed', 'seq 20000; exit 3', { output: '', outputLost: true }],
])('when the command itself fills the disk, it is known how it ended, %s', async (_, ending, kept) => {
  const { call, runs } = noting()
  const filling = {
    id: 'a',
    command: `${call('a').command}; cat /dev/zero > "$DISK/big" 2>/dev/null; ${ending}`,
  }
  const results = await onDisk({ calls: [filling, filling] })
  if (results === undefined) return
  const [first, again] = results

  expect(first).toMatchObject({ status: 'failed', exitCode: 3 })
  expect(again).toMatchObject({ status: 'failed', exitCode: 3, ...kept, replayed: true })
  expect(runs()).toBe('a\n')
})
