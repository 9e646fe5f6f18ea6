// What it costs to take secrets out of a flood of output: the same one with and without, turn by turn.

import { createRequire } from 'node:module'
import { median } from '../harness/statistics.mjs'
import { countCpu } from './cpu-time.mjs'

const { createBashTool } = createRequire(import.meta.url)('../../dist/index.js')

/** Of the shapes that the environment of an agent's host has; none of them is anybody's. */
const SECRETS = {
  BENCH_GITHUB_TOKEN: `ghp_${'k3v9x2Qd'.repeat(4)}abcd`,
  BENCH_AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  BENCH_DATABASE_PASSWORD: 'correct-horse-battery-staple',
}

/** @param {{ command: string, live: boolean, count: number, cwd: string }} request live: every piece is listened to */
export async function redact({ command, live, count, cwd }) {
  Object.assign(process.env, SECRETS)
  const tools = { with: createBashTool(), without: createBashTool({ redact: false }) }
  const cpu = { with: [], without: [] }
  try {
    for (let i = -1; i < count; i++) {
      for (const [way, tool] of Object.entries(tools)) {
        const cpuOf = countCpu()
        const context = { workingDir: cwd, ...(live && { onEvent() {} }) }
        const { exitCode, redacted } = await tool.execute({ command, mode: 'slow' }, context)
        if (exitCode !== 0) throw new Error(`exit code ${exitCode}`)
        if (redacted !== undefined) throw new Error('the flood has no secret in it')
        if (i >= 0) cpu[way].push(cpuOf(1).cpu)
      }
    }
  } finally {
    for (const name of Object.keys(SECRETS)) delete process.env[name]
  }
  const [costly, free] = [median(cpu.with), median(cpu.without)]
  return { ratio: costly / free, cpu: costly, without: free }
}
