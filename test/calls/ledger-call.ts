// A tool with a ledger, whose commands note each run in a file.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type BashResult,
  type BashToolOptions,
  CallLedger,
  type CallLedgerOptions,
  createBashTool,
  JobStore,
  type ToolContext,
} from '../../lib/index.js'
import { tempDir } from '../support/temp-dir.js'

export class LedgerCalls {
  readonly directory = tempDir()
  readonly ledger: CallLedger
  readonly store: JobStore
  readonly #options: BashToolOptions

  constructor(options: CallLedgerOptions = {}, tool: BashToolOptions = {}) {
    this.ledger = new CallLedger({ directory: join(this.directory, 'calls'), ...options })
    this.store = new JobStore({ directory: join(this.directory, 'jobs') })
    this.#options = { calls: this.ledger, jobs: this.store, ...tool }
  }

  /** Sends a call; its command notes that it ran. */
  async send(
    toolCallId: string,
    command: string,
    context: Partial<ToolContext> = {},
    mode?: 'slow' | 'background',
  ): Promise<BashResult> {
    return await createBashTool(this.#options).execute(
      { command: `echo ${toolCallId} >> ${this.runsFile}; ${command}`, ...(mode && { mode }) },
      { workingDir: '/', toolCallId, ...context },
    )
  }

  get runsFile(): string {
    return join(this.directory, 'runs')
  }

  /** How often the command of a call has run. */
  runs(id: string): number {
    if (!existsSync(this.runsFile)) return 0
    const lines = readFileSync(this.runsFile, 'utf8').split('\n')
    return lines.filter((line) => line === id).length
  }
}
