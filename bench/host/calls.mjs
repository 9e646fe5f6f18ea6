// What a ledger adds to a command, whose calls then start once: the same one with and without, turn by turn.

import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { median } from '../harness/statistics.mjs'
import { countCpu } from './cpu-time.mjs'

const { createBashTool, CallLedger } = createRequire(import.meta.url)('../../dist/index.js')

const WARM_UP = 2

/** Until the end: where files were removed a moment ago, ext4 looks for others. */
const directories = []
process.once('exit', () => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})
const ledgers = new Map()
let sent = 0

function ledgerIn(parent, durable) {
  const key = `${parent} ${durable}`
  if (!ledgers.has(key)) {
    const directory = mkdtempSync(join(parent, 'bashward-bench-calls-'))
    directories.push(directory)
    ledgers.set(key, new CallLedger({ directory, durable }))
  }
  return ledgers.get(key)
}

/** @param {{ command: string, durable: boolean, parent: string, count: number }} request */
export async function calls({ command, durable, parent, count }) {
  const tools = { without: createBashTool(), marked: createBashTool({ calls: ledgerIn(parent, durable) }) }
  const times = { without: [], marked: [] }
  const cpu = { without: [], marked: [] }
  for (let i = -WARM_UP; i < count; i++) {
    for (const [way, tool] of Object.entries(tools)) {
      const context = { workingDir: '/', toolCallId: `call ${sent++}` }
      const cpuOf = countCpu()
      const called = performance.now()
      const { exitCode, error } = await tool.execute({ command }, context)
      const time = performance.now() - called
      if (exitCode !== 0) throw new Error(error?.message ?? `exit code ${exitCode}`)
      if (i < 0) continue
      times[way].push(time)
      cpu[way].push(cpuOf(1).cpu)
    }
  }
  const [marked, without] = [median(times.marked), median(times.without)]
  return {
    added: marked - without,
    marked,
    without,
    ...(cpu.marked[0] !== undefined && { cpu: median(cpu.marked) - median(cpu.without) }),
  }
}
