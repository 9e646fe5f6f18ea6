// What the two tools for background commands have in common.

import { describeError } from '../../base/errors.js'
import type { InputOf, JsonSchema } from '../../base/util/schema/json-schema.js'
import type { InputSchema } from '../../base/util/schema/standard-schema.js'
import { validInput } from '../../base/util/schema/validate.js'
import { joinLines } from '../bash-text.js'
import { callMethods } from '../call/call-methods.js'
import { type ResolvedContext, resolveContext } from '../context.js'
import { type JobNews, type NewsParts, type ToldJobs, tellNews } from '../job-news.js'
import type { Tool, ToolContext } from '../types.js'

type ErrorFields = ReturnType<typeof describeError>

export interface JobTool<Schema extends JsonSchema, Result> {
  name: string
  schema: Schema & InputSchema<InputOf<Schema>>
  /** The same in every context. */
  description: string
  /** May reject. */
  call(input: InputOf<Schema>, context: ResolvedContext<Result>): Promise<Result>
  failure(error: ErrorFields): Result
  toText(result: Result): string
  /** Where the jobs of its conversations are. */
  jobs: NewsParts
}

/** All others say that the job has ended. */
const withoutEnd = ['running', 'listed', 'rejected', 'error']

function endedBy({ bash_id: ended }: { bash_id?: string }, { status }: { status: string }): ToldJobs {
  return withoutEnd.includes(status) ? {} : { ended }
}

export function jobTool<Schema extends JsonSchema, Result extends JobNews & { status: string }>({
  name,
  schema,
  description,
  call,
  failure,
  toText,
  jobs,
}: JobTool<Schema, Result>): Tool<InputOf<Schema>, Result> {
  return {
    name,
    inputSchema: schema,
    description(context) {
      if (context !== undefined) resolveContext(context)
      return description
    },
    toText: (result) => joinLines(toText(result), ...(result.news ?? [])),
    ...callMethods<ToolContext<Result>, Result>(resolveContext, async ({ input, context, fault }) => {
      try {
        const checked = validInput<Schema>(schema, input)
        if (context === undefined) throw fault
        const result = await call(checked, context)
        return await tellNews(result, context, jobs, endedBy(checked, result))
      } catch (error) {
        const { cancel } = context ?? {}
        return failure(cancel?.aborted === true && error === cancel.reason ? cancelled : describeError(error))
      }
    }),
  }
}

const cancelled: ErrorFields = { code: 'ERR_CANCELLED', message: 'the call was cancelled' }

/** What the model reads of a call that failed. Messages about ids and filters speak for themselves. */
export function errorText(error: { code: string; message: string } | undefined): string {
  if (error === undefined) return '[system error]'
  if (error.code === 'ERR_CANCELLED') return '[call cancelled]'
  if (error.code === 'ERR_INVALID_INPUT') return `[invalid input: ${error.message}]`
  return error.code.startsWith('ERR_JOB_') || error.code === 'ERR_INVALID_FILTER'
    ? error.message
    : `[system error: ${error.message}]`
}
