// What only bashward has: background jobs and sessions, beside a plain call.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../harness/statistics.mjs'
import { countCpu } from './cpu-time.mjs'

/** Functions as a script for work has them. */
const DEFINE_FUNCTIONS = `for i in {1..200}; do
  eval 'f_'$i'() { local a=$1; if [[ $a == x ]]; then echo "$a"; fi; return 0; }'
done`

/** By then the background jobs of a batch, which do nothing, have ended. */
const SETTLE_MS = 20

let state

async function prepare(cwd) {
  const { BashSession, createBashTool, JobStore } = await import('../../dist/index.mjs')
  const directory = mkdtempSync(join(tmpdir(), 'bashward-bench-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const jobs = new JobStore({ directory: join(directory, 'jobs') })
  const tool = createBashTool({ jobs })
  const session = new BashSession({ workingDir: cwd })
  const richSession = new BashSession({ workingDir: cwd })
  const call = (input, context = {}) => tool.execute(input, { workingDir: cwd, ...context })
  const { jobId } = await call({ command: 'seq 1000', mode: 'background' })
  await jobs.wait(jobId)
  const defined = await call(
    { command: `${DEFINE_FUNCTIONS}; compgen -A function f_ | wc -l` },
    { session: richSession },
  )
  if (defined.output.trim() !== '200') throw new Error(`defined ${defined.output.trim()} functions`)
  return {
    plain: () => call({ command: ':' }),
    session: () => call({ command: ':' }, { session }),
    richSession: () => call({ command: ':' }, { session: richSession }),
    background: () => call({ command: ':', mode: 'background' }),
    read: () => jobs.read(jobId),
  }
}

/** @param {{ kind: 'plain' | 'session' | 'richSession' | 'background' | 'read', count: number, cwd: string }} request */
export async function jobs({ kind, count, cwd }) {
  state ??= await prepare(cwd)
  return repeat(count, async () => {
    const { status } = await state[kind]()
    if (status !== 'completed' && status !== 'background') throw new Error(`status ${status}`)
  })
}

/** A call in the session of another contender. @param {{ count: number, cwd: string }} request */
export async function session({ count, cwd }, contender) {
  const shell = contender.openSession({ cwd })
  try {
    await shell.run(':')
    return await repeat(count, async () => {
      const { exitCode } = await shell.run(':')
      if (exitCode !== 0) throw new Error(`exit code ${exitCode}`)
    })
  } finally {
    shell.close()
  }
}

async function repeat(count, call) {
  const total = []
  const cpuOf = countCpu()
  const before = performance.eventLoopUtilization()
  for (let i = 0; i < count; i++) {
    const called = performance.now()
    await call()
    total.push(performance.now() - called)
  }
  const { active } = performance.eventLoopUtilization(before)
  await sleep(SETTLE_MS)
  return { p50: median(total), busy: active / count, ...cpuOf(count) }
}
