// What a model reads of a command: the text that the SDK's own sandboxes give.

import { randomBytes } from 'node:crypto'
import type { SandboxExecResult } from '@openai/agents/sandbox'
import type { JobOutput } from '../../../commands/jobs/read.js'
import { exitStatusOf, signalStatus } from '../../../commands/run/exit-status.js'
import type { BashResult } from '../../../commands/run/result.js'
import { BoundedText } from '../../../processes/output/bounded-text.js'
import { resultBody } from '../../../tools/bash-text.js'
import type { BashTool } from '../../../tools/bash-tool.js'

const charsPerToken = 4
const [leastChars, mostChars] = [1000, 1_000_000]

/** The characters that a tool is asked for. @returns undefined for its default */
export const charsFor = (maxOutputTokens: number | undefined): number | undefined =>
  maxOutputTokens == null
    ? undefined
    : Math.min(Math.max(Math.floor(maxOutputTokens) * charsPerToken, leastChars), mostChars)

/** Of what a tool has given: tools give no fewer than 1000 characters. */
export function withinTokens(text: string, maxOutputTokens: number | undefined): string {
  const most = maxOutputTokens == null ? leastChars : Math.max(Math.floor(maxOutputTokens) * charsPerToken, 2)
  if (most >= leastChars || text.length <= most) return text
  const cut = new BoundedText(most)
  cut.add(text)
  return cut.result().text
}

export const tokensOf = (bytes: number): number => Math.ceil(bytes / charsPerToken)

type Told = Omit<SandboxExecResult, 'stdout' | 'stderr'>

export function responseText({
  output,
  wallTimeSeconds,
  exitCode,
  sessionId,
  originalTokenCount,
}: Told): string {
  return [
    `Chunk ID: ${randomBytes(3).toString('hex')}`,
    `Wall time: ${wallTimeSeconds.toFixed(4)} seconds`,
    ...(sessionId === undefined ? [] : [`Process running with session ID ${sessionId}`]),
    ...(sessionId !== undefined || exitCode == null ? [] : [`Process exited with code ${exitCode}`]),
    ...(originalTokenCount === undefined ? [] : [`Original token count: ${originalTokenCount}`]),
    'Output:',
    output,
  ].join('\n')
}

/** The exit code says how most end; of others the tool's own words. */
export function textOf(tool: Pick<BashTool, 'toText'>, result: BashResult): string {
  const { status, exitCode, limit } = result
  const isPlain = status === 'completed' || (status === 'failed' && exitCode !== null && limit === undefined)
  return isPlain ? resultBody(result) : tool.toText(result)
}

export function exitCodeOf({ status, exitCode, signal }: JobOutput): number {
  if (status === 'timed_out') return exitStatusOf({ status, exitCode, signal })
  return (
    exitCode ?? (signal === null ? exitStatusOf({ status: 'error', exitCode, signal }) : signalStatus(signal))
  )
}
