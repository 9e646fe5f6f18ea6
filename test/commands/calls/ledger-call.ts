// A tool with a ledger, whose commands note each run in a file.
import { existsSync, readdirSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import {
  type BashResult,
  type BashTool,
  type BashToolOptions,
  CallLedger,
  type CallLedgerOptions,
  createBashTool,
  JobStore,
  type ToolContext,
} from '../../../lib/index.js'
import { tempDir } from '../../support/temp-dir.js'

export class LedgerCalls {
  readonly directory = tempDir()
  readonly ledger: CallLedger
  readonly store: JobStore
  readonly tool: BashTool

  constructor(options: CallLedgerOptions = {}, tool: BashToolOptions = {}) {
    this.ledger = new CallLedger({ directory: join(this.directory, 'calls'), ...options })
    this.store = new JobStore({ directory: join(this.directory, 'jobs') })
    this.tool = createBashTool({ calls: this.ledger, jobs: this.store, ...tool })
  }

  /** Sends a call; its command notes that it ran. */
  async send(
    toolCallId: string,
    command: string,
    context: Partial<ToolContext> = {},
    mode?: 'slow' | 'background',
  ): Promise<BashResult> {
    return await this.tool.execute(
      { command: `echo ${toolCallId} >> ${this.runsFile}; ${command}`, ...(mode && { mode }) },
      { workingDir: '/', toolCallId, ...context },
    )
  }

  /** Their paths. */
  readonly marks = (): string[] =>
    readdirSync(this.ledger.directory)
      .filter((name) => /^[0-9a-f]{64}$/.test(name))
      .map((name) => join(this.ledger.directory, name))

  /** As if there had been no room for results. */
  loseOutput(): void {
    for (const path of this.marks()) truncateSync(path, 1024)
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
