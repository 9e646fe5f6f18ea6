// Completions as an engine might report them, and the results built from them.

import { buildResult } from '../../../lib/commands/run/build-result.js'
import { type RunOptions, resolveOptions } from '../../../lib/commands/run/options.js'
import { buildRequest } from '../../../lib/commands/run/request.js'
import { type Completion, Outcome } from '../../../lib/processes/engine/completion.js'
import { completionOf } from '../../../lib/processes/engine/portable/completion.js'
import type { JobPlan } from '../../../lib/processes/engine/request.js'

export const usage = { userMs: 1.5, systemMs: 0.5, maxRssBytes: 3_000_000 }
export const exited = { exitCode: 0, signal: 0, usage }
export const stream = (text: string, total = Buffer.byteLength(text)) => ({
  head: Buffer.from(text),
  tail: Buffer.alloc(0),
  total,
})
export const completion = (parts: Partial<Completion> = {}): Completion =>
  completionOf({ outcome: Outcome.ended, pid: 4711, exited, ...parts })
export const endedBy = (signal: number) => completion({ exited: { ...exited, exitCode: -1, signal } })

export const job: JobPlan = {
  id: 'bash_k3v9x2',
  directory: '/jobs/bash_k3v9x2',
  description: '',
  limitMs: 0,
  outputLimit: 1024 ** 3,
}

export const build = (parts: Completion, options: Partial<RunOptions> = {}) => {
  const resolved = resolveOptions({ cwd: '/', shellPath: '/bin/bash', ...options })
  const environment = {
    encoded: Buffer.alloc(0),
    removed: [],
    withoutPwd: true,
    bashEnv: undefined,
    home: undefined,
  }
  return buildResult(buildRequest('the command', resolved, environment, job), resolved, parts)
}
