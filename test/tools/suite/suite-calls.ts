// The three tools of a suite, called the way a model calls them: an input in, a text out.
import {
  type BashOutputResult,
  type BashResult,
  type BashSuite,
  type BashSuiteOptions,
  createBashSuite,
  type JobStore,
  type KillBashResult,
} from '../../../lib/index.js'
import { tempStore } from '../../support/jobs.js'
import { tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'

export const context = { workingDir: '/' }

type Called<Result> = Promise<{ result: Result; text: string }>

export interface SuiteCalls {
  suite: BashSuite
  store: JobStore
  bash(input: unknown): Called<BashResult>
  bashOutput(input: unknown): Called<BashOutputResult>
  killBash(input: unknown): Called<KillBashResult>
  /** Starts a background command, and gives its `bash_id`. */
  start(command: string): Promise<string>
  /** Reads the output again and again until it holds `part`. */
  outputWith(id: string, part: string): Promise<BashOutputResult>
  /** Waits until a command has ended, and gives what BashOutput says then. */
  ended(id: string): Called<BashOutputResult>
}

/** A suite with a directory of jobs of its own. */
export const suiteCalls = (options: BashSuiteOptions = {}): SuiteCalls => {
  const store = options.jobs ?? tempStore()
  const suite = createBashSuite({ jobs: store, saveOutput: { directory: tempDir() }, ...options })
  const bash = async (input: unknown) => {
    const result = await suite.bash.execute(input, context)
    return { result, text: suite.bash.toText(result) }
  }
  const bashOutput = async (input: unknown) => {
    const result = await suite.bashOutput.execute(input, context)
    return { result, text: suite.bashOutput.toText(result) }
  }
  return {
    suite,
    store,
    bash,
    bashOutput,
    async killBash(input) {
      const result = await suite.killBash.execute(input, context)
      return { result, text: suite.killBash.toText(result) }
    },
    async start(command) {
      const { text } = await bash({ command, run_in_background: true })
      const [, id] = /<bash_id>(.*)<\/bash_id>/.exec(text) ?? []
      if (id === undefined) throw new Error(`not started: ${text}`)
      return id
    },
    outputWith: (id, part) =>
      waitFor(
        async () => {
          const { result } = await bashOutput({ bash_id: id })
          return result.output.includes(part) ? result : undefined
        },
        { what: `${JSON.stringify(part)} in the output of ${id}` },
      ),
    async ended(id) {
      await store.wait(id, { timeoutMs: 20_000 })
      return bashOutput({ bash_id: id })
    },
  }
}
