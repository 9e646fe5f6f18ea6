// A suite whose commands can have terminals, called the way a model calls it: an input in, a text out.
import {
  type BashInputResult,
  type BashOutputResult,
  type BashResult,
  type BashSuiteOptions,
  createBashSuite,
  type JobStore,
  type TerminalSuite,
  type ToolContext,
} from '../../../lib/index.js'
import { tempStore } from '../../support/jobs.js'

interface Called<Result> {
  result: Result
  text: string
  /** The line about the terminal. */
  last: string
}

export interface TtyCalls {
  suite: TerminalSuite
  store: JobStore
  /** Runs a command in a terminal. */
  start(command: string): Promise<Called<BashResult> & { id: string }>
  type(id: string, text: string, rest?: object): Promise<Called<BashInputResult>>
  press(id: string, ...keys: string[]): Promise<Called<BashInputResult>>
  read(id: string, rest?: object): Promise<Called<BashOutputResult>>
}

const called = <Result>(result: Result, text: string): Called<Result> => ({
  result,
  text,
  last: text.trimEnd().split('\n').at(-1) ?? '',
})

/** Long: a loaded machine may take its time. */
const wait_ms = 30_000

export const ttyCalls = (
  options: Partial<BashSuiteOptions> = {},
  context: Partial<ToolContext> = {},
): TtyCalls => {
  const jobs = options.jobs ?? tempStore()
  const suite = createBashSuite({
    termGraceMs: 500,
    ...options,
    jobs,
    tty: options.tty === undefined ? true : (options.tty as true),
  })
  const place = { workingDir: '/', ...context } as object as ToolContext<BashResult> &
    ToolContext<BashInputResult> &
    ToolContext<BashOutputResult>
  const input = async (fields: object) => {
    const result = await suite.bashInput.execute({ wait_ms, ...fields }, place)
    return called(result, suite.bashInput.toText(result))
  }
  return {
    suite,
    store: jobs,
    async start(command) {
      const result = await suite.bash.execute({ command, tty: true }, place)
      return { ...called(result, suite.bash.toText(result)), id: result.jobId ?? '' }
    },
    type: (id, text, rest = {}) => input({ bash_id: id, text, ...rest }),
    press: (id, ...keys) => input({ bash_id: id, keys }),
    async read(id, rest = {}) {
      const result = await suite.bashOutput.execute({ bash_id: id, ...rest }, place)
      return called(result, suite.bashOutput.toText(result))
    },
  }
}
