// Hosts with children of their own, or with code that interferes with children, still get every result.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { BashResult } from '../../lib/commands/run/result.js'
import { packageRoot } from '../support/as-user.js'
import { killHosts, runHost } from '../support/host.js'
import { cannotTest } from '../support/must-work.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'

afterEach(killHosts)
afterAll(removeTempDirs)

interface Outcome {
  ignoresSigchld: boolean
  ours: Pick<BashResult, 'output' | 'exitCode' | 'status'>[]
  theirs: { output: string; exitCode: number }[]
  killed: BashResult
}

const COUNT = 20
const expectedOurs = Array.from({ length: COUNT }, (_, i) => ({
  output: `${i}\n`,
  exitCode: i,
  status: i === 0 ? 'completed' : 'failed',
}))
const expectedTheirs = expectedOurs.map(({ output, exitCode }) => ({ output, exitCode }))

/** Builds a library that a host loads; undefined without a C compiler. */
const buildLibrary = (name: string): string | undefined => {
  const library = join(tempDir(), `${name}.so`)
  const source = join(packageRoot, 'test/fixtures', `${name}.c`)
  // nodelete: node unloads what is no addon, and the library's thread would lose its code.
  const flags = ['-shared', '-fPIC', '-pthread', '-Wl,-z,nodelete']
  const { status, stderr, error } = spawnSync('cc', [...flags, '-o', library, source])
  if (error !== undefined) return undefined
  if (status !== 0) throw new Error(`cc ${name}: ${stderr}`)
  return library
}

test('node:child_process and the package work at the same time', async () => {
  const outcome = await runHost<Outcome>('beside-child-process', {
    argument: { withChildProcess: true, count: COUNT },
  })

  expect(outcome.ours).toEqual(expectedOurs)
  expect(outcome.theirs).toEqual(expectedTheirs)
  expect(outcome.killed.status).toBe('timed_out')
})

test('a host with SIGCHLD ignored gets exit codes and timeouts', async () => {
  const library = buildLibrary('ignore-sigchld')
  if (library === undefined) return cannotTest('there is no C compiler')
  const outcome = await runHost<Outcome>('beside-child-process', {
    argument: { library, withChildProcess: false, count: COUNT },
  })

  expect(outcome.ignoresSigchld).toBe(true)
  expect(outcome.ours).toEqual(expectedOurs)
  expect(outcome.killed).toMatchObject({ status: 'timed_out', survivors: [] })
})

test('a host in which another thread waits for every child gets exit codes and timeouts', async () => {
  const library = buildLibrary('reap-foreign-children')
  if (library === undefined) return cannotTest('there is no C compiler')
  const outcome = await runHost<Outcome>('beside-child-process', {
    argument: { library, withChildProcess: false, count: COUNT },
  })

  expect(outcome.ours).toEqual(expectedOurs)
  expect(outcome.killed).toMatchObject({ status: 'timed_out', survivors: [] })
})
